// swift-tools-version: 6.0
import PackageDescription

// The ordinary build: `import SignalKit` in Swift programs. The Makefile builds the shared library for C from the same
// sources.
let package = Package(
    name: "SignalKit",
    // The first versions of Apple's systems with the standard library's atomics.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SignalKit", targets: ["SignalKit"]),
        // The same library under the name of its predecessor, for programs that say `import SwiftSignalKit`.
        .library(name: "SwiftSignalKit", targets: ["SwiftSignalKit"]),
        // Marble tests, for programs that test their own signals.
        .library(name: "SignalKitTesting", targets: ["SignalKitTesting"]),
    ],
    targets: [
        .target(name: "SignalKitShims"),
        .target(name: "SignalKitCore", dependencies: ["SignalKitShims"]),
        // The core, with what only Swift programs use.
        .target(name: "SignalKit", dependencies: ["SignalKitCore"]),
        // The core alone, because members of Signal would change what `self |> map` means in its extensions.
        .target(name: "SwiftSignalKit", dependencies: ["SignalKitCore"]),
        .target(name: "SignalKitTesting", dependencies: ["SignalKitCore"]),
        .testTarget(name: "SignalKitTests", dependencies: ["SignalKitCore", "SignalKitShims", "SignalKitTesting"]),
        .testTarget(name: "SwiftSignalKitTests", dependencies: ["SwiftSignalKit"]),
        // A user's program in Swift 6 language mode: it has to compile clean.
        .testTarget(name: "Swift6UserTests", dependencies: ["SignalKit"], swiftSettings: [.swiftLanguageMode(.v6)]),
    ],
    swiftLanguageModes: [.v5]
)
