import CoreMetrics
import SignalKit

/// Measures the runs of a signal: the meter `LABEL.live` has how many there are, and the counters `LABEL.started`,
/// `LABEL.values` and `LABEL.errors` count.
///
/// A run lives until its end, its disposal, or until its source lets go of it.
/// - Parameter factory: makes the metrics; by default the one of the `MetricsSystem`.
public func metered<T, E>(
    _ label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    let metrics = RunMetrics(label, dimensions, factory ?? MetricsSystem.factory)
    return { signal in
        deferred {
            let run = LiveRun(metrics)
            return signal
                |> beforeNext { _ in run.metrics.values.increment() }
                |> beforeError { _ in run.metrics.errors.increment() }
        }
    }
}

private final class RunMetrics: Sendable {
    let live: Meter
    let started, values, errors: Counter

    init(_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        func counter(_ name: String) -> Counter {
            Counter(label: "\(label).\(name)", dimensions: dimensions, factory: factory)
        }
        live = Meter(label: "\(label).live", dimensions: dimensions, factory: factory)
        started = counter("started")
        values = counter("values")
        errors = counter("errors")
    }
}

/// Held by the stages of a run, and so counted as long as that is there.
private final class LiveRun: Sendable {
    let metrics: RunMetrics

    init(_ metrics: RunMetrics) {
        self.metrics = metrics
        metrics.started.increment()
        metrics.live.increment()
    }

    deinit { metrics.live.decrement() }
}
