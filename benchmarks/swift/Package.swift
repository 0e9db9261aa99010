// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Benchmarks",
    products: [.library(name: "Harness", targets: ["Harness"])],
    dependencies: [.package(name: "SignalKit", path: Context.environment["SIGNALKIT_SOURCES"] ?? "../..")],
    targets: [
        .target(name: "Allocator"),
        .target(name: "Harness", dependencies: ["Allocator"]),
        // A model of the design of SwiftSignalKit, for comparison.
        .target(name: "PlainModel"),
        .executableTarget(
            name: "SwiftBenchmarks", dependencies: ["Harness", .product(name: "SignalKit", package: "SignalKit")]),
        .executableTarget(
            name: "PlainBenchmarks", dependencies: ["Harness", "PlainModel"], swiftSettings: [.define("PLAIN")]),
    ],
    swiftLanguageModes: [.v5]
)
