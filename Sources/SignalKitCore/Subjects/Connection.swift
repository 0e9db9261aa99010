import Synchronization

/// One shared subscription to a source. The first listener starts it. When the last one leaves, the source is disposed
/// and no listener can join. A listener that joins after the terminal event receives it.
final class Connection<T, E>: Listeners<T, E>, @unchecked Sendable {
    /// The generic types of a connection.
    struct Kinds {
        let inlet = Kind<ConnectionInlet<T, E>>()
        let listener = Kind<Listener<T, E>>()
    }

    private let inlet: Kind<ConnectionInlet<T, E>>
    private let hold: Hold?
    /// True if it stores values, or continues without listeners.
    private let keepsSomething: Bool
    private let over: (Connection<T, E>) -> Void
    private let isOver = Synchronization.Atomic<Bool>(false)
    /// Guarded by the lock.
    @exclusivity(unchecked) private var source = Slot.empty

    /// - Parameters:
    ///   - count: how many of the latest values a new listener receives.
    ///   - hold: keeps the subscription alive without listeners.
    ///   - over: called once, without a lock, when the subscription is over. This happens at the terminal event (before
    ///     the listeners receive it), when it is no longer wanted, and when its source was released.
    init(
        _ kinds: Kinds, replaying count: Int = 0, hold: Hold? = nil, over: @escaping (Connection<T, E>) -> Void
    ) {
        inlet = kinds.inlet
        self.over = over
        self.hold = hold
        keepsSomething = hold != nil || count > 0
        super.init(
            keepsLatest: count == 1, history: count > 1 ? History(count) : nil, listener: kinds.listener,
            demand: Demand(hold))
        hold?.begin { [self] in letGo(ifIdleSince: $0) }
    }

    /// Called once, after the first listener has joined.
    func start(_ signal: Signal<T, E>) { signal.attach(inlet.type.init(self)) }

    override func closedByLeaving() {
        markOver()
        lock.withLock { source.close() }?.dispose()
        if keepsSomething { forget() }
    }

    fileprivate func store(_ upstream: Subscription) {
        if let demand { upstream.feeds(demand) }
        let obsolete: (any Disposable)? = lock.withLock {
            prepare(upstream)
            return source.store(upstream)
        }
        obsolete?.dispose()
    }

    override var hasSource: Bool { true }
    override var upstream: Subscription? { source.subscription }

    fileprivate func sourceEnded(_ end: End<E>) {
        markOver()
        let ended = lock.withLock { source.close() }
        finish(end)
        withExtendedLifetime(ended) {}
    }

    /// No further event can be emitted. The last listener to leave disposes the remains of the source.
    fileprivate func sourceGone() {
        let isFirst = markOver()
        abandon()
        if isFirst && keepsSomething { retire() }
    }

    /// No further listener can join. Only its listeners keep the subscription, and no event is stored, not even the
    /// terminal event.
    func retire() {
        letGo()
        forget()
    }

    /// Returns false if it was over before.
    @discardableResult
    private func markOver() -> Bool {
        if isOver.exchange(true, ordering: .acquiringAndReleasing) { return false }
        hold?.end()
        over(self)
        return true
    }
}

final class ConnectionInlet<T, E>: Sink<T, E> {
    private let connection: Connection<T, E>

    init(_ connection: Connection<T, E>) {
        self.connection = connection
    }

    deinit {
        connection.sourceGone()
    }

    override func attached(_ upstream: Subscription) { connection.store(upstream) }
    override func next(_ value: T) { connection.put(value) }
    override func end(_ end: End<E>) { connection.sourceEnded(end) }
}
