import Synchronization

/// One run of a source, shared by everybody who joins: it starts with the first, and when the last leaves, it is over and its source
/// disposed. Nobody can join after that; after the source's end those who come late are told of the end.
final class Connection<T, E>: Listeners<T, E>, @unchecked Sendable {
    private let demand = Demand()
    private let over: (Connection<T, E>) -> Void
    private let isOver = Synchronization.Atomic<Bool>(false)
    private let lock = SmallLock()
    @exclusivity(unchecked) private var source = Slot.empty

    /// - Parameter over: called once, without a lock, when the run is over: by the end (before anybody is told), because the last
    ///   listener has left, or because the source has gone away.
    init(over: @escaping (Connection<T, E>) -> Void) {
        self.over = over
        super.init(demand: demand)
    }

    /// Called once, by whoever made the connection, after joining.
    func start(_ signal: Signal<T, E>) { signal.attach(ConnectionInlet(self)) }

    override func closedByLeaving() {
        markOver()
        lock.withLock { source.close() }?.dispose()
    }

    fileprivate func store(_ upstream: Subscription) {
        upstream.feeds(demand)
        lock.withLock { source.store(upstream) }?.dispose()
    }

    fileprivate func sourceEnded(_ event: SignalEvent<T, E>) {
        markOver()
        demand.end()
        let ended = lock.withLock { source.close() }
        finish(event)
        withExtendedLifetime(ended) {}
    }

    /// Nobody can emit any more. What the source has left to dispose stays for the last one to leave.
    fileprivate func sourceGone() {
        markOver()
        abandon()
    }

    private func markOver() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { over(self) }
    }
}

private final class ConnectionInlet<T, E>: Sink<T, E> {
    private let connection: Connection<T, E>

    init(_ connection: Connection<T, E>) {
        self.connection = connection
    }

    deinit {
        connection.sourceGone()
    }

    override func attached(_ upstream: Subscription) { connection.store(upstream) }
    override func next(_ value: T) { connection.put(value) }
    override func error(_ error: E) { connection.sourceEnded(.Error(error)) }
    override func completed() { connection.sourceEnded(.Completion) }
}

/// Shares one run of `signal` among all who listen at the same time: the first one starts it, the last one to leave disposes it, and
/// after that the next one starts it anew. There is no replay of values, but who comes after the end is told of the end.
public func multicast<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    multicast(signal, over: {})
}

/// - Parameter over: called, without a lock, whenever a run is over.
func multicast<T, E>(_ signal: Signal<T, E>, over: @escaping () -> Void) -> Signal<T, E> {
    let shared = SharedRun(signal) { _ in over() }
    return ComposedSignal(of: signal) { shared.join($0) }
}

/// The current connection of a multicast signal.
private final class SharedRun<T, E> {
    private let signal: Signal<T, E>
    private let demand = Demand()
    private let over: (Connection<T, E>) -> Void
    private let lock = SmallLock()
    @exclusivity(unchecked) private var current: Connection<T, E>?

    init(_ signal: Signal<T, E>, _ over: @escaping (Connection<T, E>) -> Void) {
        self.signal = signal
        self.over = over
    }

    func join(_ sink: Sink<T, E>) {
        while true {
            lock.lock()
            let isFirst = current == nil
            let connection = current ?? Connection(over: over)
            current = connection
            lock.unlock()
            if connection.add(sink) {
                if isFirst { connection.start(signal) }
                return
            }
            // The last listener has just left it: a fresh one is due.
            leave(connection)
        }
    }

    /// Takes out a connection that nobody can join any more.
    private func leave(_ connection: Connection<T, E>) {
        lock.lock()
        var gone: Connection<T, E>?
        if current === connection { swap(&current, &gone) }
        lock.unlock()
        withExtendedLifetime(gone) {}
    }
}
