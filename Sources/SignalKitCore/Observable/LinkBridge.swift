extension EventLink {
    /// Returns this link as a signal. Each start observes the link, and the first one receives the buffered values.
    ///
    /// The signal, and a subscription until its end or disposal, own the link, like a downstream link. But they do not
    /// own an emitter. Its release drops the buffered values, and releases the subscriptions without an event.
    public final func signal() -> Signal<Value, Failure> { signal(keeping: self) }

    /// - Parameter owner: the object to retain: the link, or the object that contains it.
    final func signal(keeping owner: AnyObject) -> Signal<Value, Failure> {
        let (kept, core) = (isKeptBySignals ? owner : nil, core)
        let observed = Signal { (subscriber: Subscriber<Value, Failure>) in
            let registration = core.register(
                next: { subscriber.putNext($0) }, error: { subscriber.putError($0) },
                finish: { subscriber.putCompletion() })
            return LinkConnection(kept, core, registration)
        }
        return ComposedSignal(of: .none, depth: depth, as: "event_link") { observed.attach($0) }
    }
}

extension Signal {
    /// Starts this signal and returns a link that it feeds. Unlinking or releasing the link disposes the subscription.
    public func link() -> EventLink<T, E> {
        let link = EventLink<T, E>(depth: depth + 1)
        let core = link.core
        link.connect(
            start(
                next: { core.send(.Next($0)) }, error: { core.send(.Error($0)) }, completed: { core.send(.Completion) })
        )
        return link
    }
}
