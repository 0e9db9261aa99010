/// The inlet of a hub with one source, whose events are the source's own.
final class RelayInlet<T, E, Step, R, F>: Sink<T, E> {
    private let hub: Hub<SignalEvent<T, E>, Step, R, F>

    init(_ hub: Hub<SignalEvent<T, E>, Step, R, F>) {
        self.hub = hub
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: 0) }
    override func next(_ value: T) { hub.submit(.Next(value)) }

    override func error(_ error: E) {
        hub.take(from: 0)
        hub.submit(.Error(error))
    }

    override func completed() {
        hub.take(from: 0)
        hub.submit(.Completion)
    }
}
