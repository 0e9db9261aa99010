import CoreMetrics
import SignalKit

extension OverflowCounter {
    /// Adds overflow to the counters `LABEL.dropped` and `LABEL.suspended` at a fixed interval in seconds.
    /// - Parameters:
    ///   - queue: runs the reports, and its clock measures the interval.
    ///   - factory: creates the metrics; by default the factory of the `MetricsSystem`.
    /// - Returns: A disposable that stops the reports after a last one.
    public func report(
        _ label: String, dimensions: [(String, String)] = [], every seconds: Double, on queue: Queue,
        factory: (any MetricsFactory)? = nil
    ) -> any Disposable {
        reporting(
            every: seconds, on: queue,
            [
                Total(label + ".dropped", dimensions, factory) { self.dropped },
                Total(label + ".suspended", dimensions, factory) { self.suspended },
            ])
    }
}

extension Queue {
    /// Adds the jobs that were dropped because the loop of this queue had ended (`droppedCount`) to the counter
    /// `LABEL.dropped`, like `OverflowCounter.report`.
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

/// A number that only grows, and the counter that receives its increments.
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
