// swift-tools-version: 6.0
import PackageDescription

// The ordinary build: `import SignalKit` in Swift programs. The shared library for C is made of the same sources by the Makefile.
let package = Package(
    name: "SignalKit",
    products: [
        .library(name: "SignalKit", targets: ["SignalKit"]),
    ],
    targets: [
        .target(name: "SignalKitShims"),
        .target(name: "SignalKit", dependencies: ["SignalKitShims"]),
        .testTarget(name: "SignalKitTests", dependencies: ["SignalKit"]),
    ],
    swiftLanguageModes: [.v5]
)
