import NIOCore
import SignalKit

extension Queue {
    /// Creates a queue that runs its work on `eventLoop`, in the order in which it was enqueued, with the loop's clock.
    ///
    /// `async` and `sync` run inline on the loop. After the shutdown of the loop, new work is dropped, and
    /// `droppedCount` counts it; `sync` then stops the program.
    public convenience init(eventLoop: any NIOCore.EventLoop) {
        let bridge = Bridge(eventLoop)
        self.init(loop: bridge, clock: bridge)
    }
}

/// An event loop as SignalKit sees one.
private final class Bridge: SignalKit.EventLoop, EventLoopClock, Sendable {
    private let loop: any NIOCore.EventLoop

    init(_ loop: any NIOCore.EventLoop) { self.loop = loop }

    var isCurrent: Bool { loop.inEventLoop }

    func async(_ work: @escaping () -> Void) {
        let work = Work(run: work)
        loop.execute { work.run() }
    }

    var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

    func after(_ seconds: Double, _ work: @escaping () -> Void) {
        // (`scheduleTask` would stop the program, built for debugging, if the loop has ended.)
        _ = try? loop.scheduleCallback(in: .nanoseconds(Self.nanoseconds(seconds)), handler: Work(run: work))
    }

    /// Rounded up, so that the loop is not asked twice for one deadline; no longer than a year, after which the queue
    /// asks again.
    private static func nanoseconds(_ seconds: Double) -> Int64 {
        Int64((min(max(seconds, 0), 31_536_000) * 1e9).rounded(.up))
    }
}

/// A job that the queue passes to its loop, which may call it from there.
private struct Work: NIOScheduledCallbackHandler, @unchecked Sendable {
    let run: () -> Void

    func handleScheduledCallback(eventLoop: some NIOCore.EventLoop) { run() }
}
