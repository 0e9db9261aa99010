// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Example",
    dependencies: [.package(name: "SignalKit", path: "../..")],
    targets: [.executableTarget(name: "Example", dependencies: [.product(name: "SignalKit", package: "SignalKit")])]
)
