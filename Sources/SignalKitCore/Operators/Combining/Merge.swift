/// Starts all `signals`, in their order, and forwards every value, one at a time.
///
/// Completes when all signals have completed, or immediately if there are none. The first error ends it.
public func mergeSignals<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    let kinds = (hub: MergeHub<T, E>.self, source: Source<T, T, E, MergeHub<T, E>>.self)
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = kinds.hub.init(sink, places: signals.count)
        hub.open { hub.attach(signals) { $1.attach(kinds.source.init(hub, at: $0)) } }
    }
}

private final class MergeHub<T, E>: JoinHub<T, T, E> {
    override func next(_ value: T, at place: Int) { emit(value) }
}
