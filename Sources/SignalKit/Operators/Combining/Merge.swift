/// Starts all `signals`, in their order, and forwards every value, one at a time.
///
/// Completes when all signals have completed, or immediately if there are none. The first error ends it.
public func mergeSignals<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    let inlet = MergeInlet<T, E>.self
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = JoinHub(sink, signals.count)
        hub.open { hub.attach(signals) { $1.attach(inlet.init(hub, $0)) } }
    }
}

private final class MergeInlet<T, E>: JoinInlet<T, E, T, JoinHub<T, E>> {
    override func next(_ value: T) { hub.forward(value) }
}
