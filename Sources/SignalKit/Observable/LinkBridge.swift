extension EventLink {
    /// This link as a signal: each start observes it; the first one gets the values that nobody has seen yet. The
    /// signal, and a running subscription until its end or disposal, own the link, like a link below would. But they do
    /// not own an emitter: when that goes, the values that nobody has seen go with it, and the subscriptions are let
    /// go.
    public final func signal() -> Signal<Value, Failure> { signal(keeping: self) }

    /// - Parameter owner: what is owned: the link, or what that is a part of.
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
    /// A link that this signal, started at once, feeds. Unlinking it, or letting it go, disposes the subscription.
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
