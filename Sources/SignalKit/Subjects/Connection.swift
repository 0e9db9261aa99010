import Synchronization

/// One run of a source, shared by its listeners: it starts with the first, and when the last leaves, it is over and its
/// source disposed. No other can join after that; after the source's end late listeners are told of the end.
final class Connection<T, E>: Listeners<T, E>, @unchecked Sendable {
    /// What a run is made of.
    struct Kinds {
        let inlet = Kind<ConnectionInlet<T, E>>()
        let listener = Kind<Listener<T, E>>()
    }

    private let inlet: Kind<ConnectionInlet<T, E>>
    private let hold: Hold?
    /// The run without listeners, or values for those who come late.
    private let keepsSomething: Bool
    private let over: (Connection<T, E>) -> Void
    private let isOver = Synchronization.Atomic<Bool>(false)
    /// Belongs to the lock.
    @exclusivity(unchecked) private var source = Slot.empty

    /// - Parameters:
    ///   - count: how many of the latest values a listener that joins gets.
    ///   - hold: holds the run although nobody listens.
    ///   - over: called once, without a lock, when the run is over: by the end (before the listeners are told), because
    ///     it is not wanted any more, or because the source has gone away.
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

    /// Called once, after the listener that the connection was made for has joined.
    func start(_ signal: Signal<T, E>) { signal.attach(inlet.type.init(self)) }

    override func closedByLeaving() {
        markOver()
        lock.withLock { source.close() }?.dispose()
        if keepsSomething { forget() }
    }

    fileprivate func store(_ upstream: Subscription) {
        if let demand { upstream.feeds(demand) }
        lock.withLock { source.store(upstream) }?.dispose()
    }

    fileprivate func sourceEnded(_ end: End<E>) {
        markOver()
        let ended = lock.withLock { source.close() }
        finish(end)
        withExtendedLifetime(ended) {}
    }

    /// Nothing can be emitted any more. What the source has left to dispose stays for the last listener to leave.
    fileprivate func sourceGone() {
        let isFirst = markOver()
        abandon()
        if isFirst && keepsSomething { retire() }
    }

    /// Nobody can join any more: nothing but its listeners keeps the run, and nothing is kept for others, not even the
    /// end.
    func retire() {
        letGo()
        forget()
    }

    /// Whether it was not over before.
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
