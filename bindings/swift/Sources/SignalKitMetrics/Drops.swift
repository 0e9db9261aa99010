import CoreMetrics
import SignalKit

extension OverflowCounter {
    /// Brings what overflows to the counters `LABEL.dropped` and `LABEL.suspended`, every so many seconds.
    /// - Parameters:
    ///   - queue: where that is done, and whose time it is.
    ///   - factory: makes the metrics; by default the one of the `MetricsSystem`.
    /// - Returns: stops it, after what has come since the last time.
    public func report(
        _ label: String, dimensions: [(String, String)] = [], every seconds: Double, on queue: Queue,
        factory: (any MetricsFactory)? = nil
    ) -> any Disposable {
        reporting(every: seconds, on: queue, [
            Total(label + ".dropped", dimensions, factory) { self.dropped },
            Total(label + ".suspended", dimensions, factory) { self.suspended },
        ])
    }
}

extension Queue {
    /// Brings the work that was let go because the loop of this queue had ended (`droppedCount`) to the counter
    /// `LABEL.dropped`, as `OverflowCounter.report` does.
    public func reportDrops(
        _ label: String, dimensions: [(String, String)] = [], every seconds: Double, on queue: Queue,
        factory: (any MetricsFactory)? = nil
    ) -> any Disposable {
        reporting(every: seconds, on: queue, [Total(label + ".dropped", dimensions, factory) { self.droppedCount }])
    }
}

private func reporting(every seconds: Double, on queue: Queue, _ totals: [Total]) -> any Disposable {
    let run = Signal<Int, NoError>.interval(seconds, queue: queue).start(next: { _ in
        for total in totals { total.report() }
    })
    return ActionDisposable {
        run.dispose()
        for total in totals { total.report() }
    }
}

/// A number that only grows, and the counter that is told by how much.
private final class Total: Sendable {
    private let counter: Counter
    private let read: @Sendable () -> Int
    private let reported = SignalKit.Atomic(value: 0)

    init(
        _ label: String, _ dimensions: [(String, String)], _ factory: (any MetricsFactory)?,
        _ read: @escaping @Sendable () -> Int
    ) {
        counter = Counter(label: label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        self.read = read
    }

    func report() {
        var growth = 0
        _ = reported.modify { before in
            let now = max(read(), before)
            growth = now - before
            return now
        }
        if growth > 0 { counter.increment(by: growth) }
    }
}
