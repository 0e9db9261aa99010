// swift-tools-version: 6.0
import PackageDescription

// Integrations of SignalKit with packages for servers in Swift. A program uses only the products that it needs, and
// SignalKit itself depends on nothing.
let signalKit = Target.Dependency.product(name: "SignalKit", package: "SignalKit")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let posix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let algorithms = Target.Dependency.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")

let package = Package(
    name: "signalkit-server",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SignalKitNIO", targets: ["SignalKitNIO"]),
        .library(name: "SignalKitLogging", targets: ["SignalKitLogging"]),
        .library(name: "SignalKitMetrics", targets: ["SignalKitMetrics"]),
        .library(name: "SignalKitServices", targets: ["SignalKitServices"]),
        .library(name: "SignalKitChannels", targets: ["SignalKitChannels"]),
    ],
    dependencies: [
        .package(name: "SignalKit", path: Context.environment["SIGNALKIT_SOURCES"] ?? "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    ],
    targets: [
        .target(name: "SignalKitNIO", dependencies: [signalKit, nio]),
        .target(name: "SignalKitLogging", dependencies: [signalKit, logging]),
        .target(name: "SignalKitMetrics", dependencies: [signalKit, metrics]),
        .target(name: "SignalKitServices", dependencies: ["SignalKitReading", signalKit, lifecycle]),
        .target(name: "SignalKitChannels", dependencies: ["SignalKitReading", signalKit, algorithms]),
        // The internal part that several products share: a reader that tasks wait for.
        .target(name: "SignalKitReading", dependencies: [signalKit]),
        .executableTarget(
            name: "LineServer",
            dependencies: ["SignalKitNIO", "SignalKitLogging", "SignalKitMetrics", "SignalKitServices", posix]),
        .testTarget(
            name: "SignalKitServerTests",
            dependencies: [
                "SignalKitNIO", "SignalKitLogging", "SignalKitMetrics", "SignalKitServices", "SignalKitChannels", posix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]),
    ]
)
