// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Example",
    dependencies: [.package(name: "SignalKit", path: "../..")],
    targets: ["Example", "Requests", "Search", "Sensors"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "SignalKit", package: "SignalKit")])
    }
)
