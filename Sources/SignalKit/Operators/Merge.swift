/// Starts all `signals`, in their order, and forwards every value of any of them, one at a time. Completes when all have completed, an
/// empty list at once; the first error ends it.
public func mergeSignals<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    return Signal(attach: { sink in
        let hub = MergeHub(sink, signals.count)
        hub.open {
            for (index, signal) in signals.enumerated() {
                if hub.isTerminated { return }
                signal.attach(MergeInlet(hub, index))
            }
        }
    })
}

private final class MergeHub<T, E>: Hub<SignalEvent<T, E>, Never, T, E> {
    @exclusivity(unchecked) private var running: Int

    init(_ sink: Sink<T, E>, _ count: Int) {
        running = count
        super.init(sink, slots: count)
    }

    override func receive(_ event: SignalEvent<T, E>) -> Never? {
        switch event {
        case let .Next(value): emit(value)
        case let .Error(error): fail(error)
        case .Completion:
            running -= 1
            if running == 0 { complete() }
        }
        return nil
    }
}

private final class MergeInlet<T, E>: Sink<T, E> {
    private let hub: MergeHub<T, E>
    private let index: Int

    init(_ hub: MergeHub<T, E>, _ index: Int) {
        self.hub = hub
        self.index = index
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: index) }
    override func next(_ value: T) { hub.submit(.Next(value)) }
    override func error(_ error: E) { hub.submit(.Error(error)) }

    override func completed() {
        hub.take(from: index)
        hub.submit(.Completion)
    }
}
