// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "CombineBenchmarks",
    dependencies: [
        .package(name: "Benchmarks", path: "../swift"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "CombineBenchmarks",
            dependencies: [
                .product(name: "Harness", package: "Benchmarks"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ])
    ],
    swiftLanguageModes: [.v5]
)
