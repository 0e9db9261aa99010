/// Starts all `signals`, in their order, and forwards every value of any of them, one at a time. Completes when all have completed, an
/// empty list at once; the first error ends it.
public func mergeSignals<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    return Signal(attach: { sink in
        let hub = MergeHub(sink, signals.count)
        hub.open {
            for (index, signal) in signals.enumerated() {
                if hub.isTerminated { return }
                signal.attach(MergeInlet(hub, slot: index))
            }
        }
    })
}

private final class MergeHub<T, E>: Hub<T, E> {
    @exclusivity(unchecked) private var running: Int

    init(_ sink: Sink<T, E>, _ count: Int) {
        running = count
        super.init(sink, slots: count)
    }

    func sourceCompleted() {
        running -= 1
        if running == 0 { complete() }
    }
}

private final class MergeInlet<T, E>: Inlet<MergeHub<T, E>, T, E> {
    override func next(_ value: T) { hub.pass(value) }

    override func error(_ error: E) { hub.submit { [unowned(unsafe) hub] in hub.fail(error) } }

    override func completed() {
        hub.take(from: slot)
        hub.submit { [unowned(unsafe) hub] in hub.sourceCompleted() }
    }
}
