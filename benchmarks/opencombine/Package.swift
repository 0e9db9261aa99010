// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "OpenCombineBenchmarks",
    dependencies: [
        .package(name: "Benchmarks", path: "../swift"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "OpenCombineBenchmarks",
            dependencies: [.product(name: "Harness", package: "Benchmarks"), .product(name: "OpenCombine", package: "OpenCombine")]),
    ],
    swiftLanguageModes: [.v5]
)
