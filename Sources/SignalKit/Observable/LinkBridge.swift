extension EventLink {
    /// This link as a signal: each start observes it. A running subscription owns the link until its end or disposal, like a link below
    /// would; the first one gets the values that nobody has seen yet.
    public final func signal() -> Signal<Value, Failure> {
        ComposedSignal(depth: depth) { sink in
            openGate(to: sink) { self.observe(Subscriber($0)) }
        }
    }

    private final func observe(_ subscriber: Subscriber<Value, Failure>) -> any Disposable {
        let registration = core.register(
            next: { subscriber.putNext($0) }, error: { subscriber.putError($0) }, finish: { subscriber.putCompletion() })
        return LinkConnection(self, registration)
    }
}

extension Signal {
    /// A link that this signal, started at once, feeds. Unlinking it, or letting it go, disposes the subscription.
    public func link() -> EventLink<T, E> {
        let link = EventLink<T, E>(depth: depth + 1)
        let core = link.core
        link.connect(start(next: { core.send(.Next($0)) }, error: { core.send(.Error($0)) }, completed: { core.send(.Completion) }))
        return link
    }
}
