// Counts the lines of its clients: `LineServer [PORT]`. At Ctrl-C or SIGTERM it first stops listening, counts the data
// that has arrived, and prints the number.
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SignalKit
import SignalKitLogging
import SignalKitMetrics
import SignalKitNIO
import SignalKitServices

@main struct LineServer {
    static func main() async throws {
        let logger = Logger(label: "lines")
        SignalDiagnostics.report(to: logger)

        let arrived = ValuePipe<Int>(), drops = OverflowCounter(), total = Atomic(value: 0)
        let counting = SignalService(
            arrived.signal() |> metered("lines") |> scan(0) { $0 + $1 },
            shutdown: .drain { arrived.complete() }, limit: 100, overflow: .dropOldest, counter: drops
        ) { count in
            _ = total.swap(count)
        }
        let loops = MultiThreadedEventLoopGroup.singleton
        let ticks = Signal<Int, NoError>.interval(1, queue: Queue(eventLoop: loops.next()))
        let telling = SignalService(
            ticks |> map { _ in total.value } |> distinctUntilChanged
        ) { count in
            logger.info("counted", metadata: ["lines": "\(count)"])
        }
        let listening = Listener(
            port: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0, arrived, logger)

        // The last one is shut down first.
        let group = ServiceGroup(
            services: [counting, telling, listening], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
        try await group.run()
        logger.info("the end", metadata: ["lines": "\(total.value)", "dropped": "\(drops.dropped)"])
    }
}

/// Accepts clients until it is shut down.
struct Listener: Service {
    private let port: Int
    private let lines: ValuePipe<Int>
    private let logger: Logger

    init(port: Int, _ lines: ValuePipe<Int>, _ logger: Logger) {
        (self.port, self.lines, self.logger) = (port, lines, logger)
    }

    func run() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [lines] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineCounter(lines))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        logger.info("listening", metadata: ["port": "\(server.localAddress?.port ?? 0)"])
        try await withGracefulShutdownHandler {
            try await server.closeFuture.get()
        } onGracefulShutdown: {
            server.close(promise: nil)
        }
    }
}

/// Puts the number of lines that end in each piece of a client's input into a pipe.
private final class LineCounter: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let lines: ValuePipe<Int>

    init(_ lines: ValuePipe<Int>) { self.lines = lines }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lines.putNext(unwrapInboundIn(data).readableBytesView.count { $0 == UInt8(ascii: "\n") })
    }
}
