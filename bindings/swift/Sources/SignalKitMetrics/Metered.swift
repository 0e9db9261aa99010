import CoreMetrics
import SignalKit

/// Measures the subscriptions of a signal. The meter `LABEL.live` shows their number, and the counters `LABEL.started`,
/// `LABEL.values` and `LABEL.errors` count events.
///
/// A subscription is live until it ends, is disposed, or is released by its source.
/// - Parameter factory: creates the metrics; by default the factory of the `MetricsSystem`.
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

/// Retained by the stages of a subscription, and therefore counted while it exists.
private final class LiveRun: Sendable {
    let metrics: RunMetrics

    init(_ metrics: RunMetrics) {
        self.metrics = metrics
        metrics.started.increment()
        metrics.live.increment()
    }

    deinit { metrics.live.decrement() }
}
