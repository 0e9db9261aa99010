/// Shared signals, subscriptions without listeners, and pipes, by name.
///
/// Keys are compared byte by byte. Producers are called without a lock, so they may use the manager. The deinitializer
/// disposes the standalone subscriptions.
public final class MulticastSignalManager<T, E>: @unchecked Sendable {
    private let table = ManagerTable<T, E>()

    /// Creates a manager without subscriptions.
    public init() {}

    deinit {
        table.close()
    }

    /// Returns the signal that is shared under `key`. If there is none, `producer` makes it (see `multicast`). Without
    /// a key it returns the producer's signal, unshared.
    ///
    /// The key is removed when the shared subscription ends, or when its last subscriber has left. A producer may ask
    /// for its own key. The signal that it receives stays silent if it is started after the release of the shared
    /// signal.
    public func multicastedSignal(forKey key: String?, producer: () -> Signal<T, E>) -> Signal<T, E> {
        key.map { multicastedSignal(NameKey($0), producer) } ?? producer()
    }

    func multicastedSignal(_ key: NameKey, _ producer: () -> Signal<T, E>) -> Signal<T, E> {
        let (reservation, isNew) = table.shared.item(key) { Reservation() }
        if !isNew { return reservation.signal }
        // The reservation retains the shared signal, so the shared signal must not retain the reservation.
        let (table, token) = (table, reservation.token)
        return reservation.publish(producer) {
            multicast($0, over: { table.shared.remove(key) { $0.token === token } })
        }
    }

    /// Starts the producer's signal, unless one runs under `key` already. Without a key the call has no effect. The
    /// subscription ends with its signal, or when the manager is released.
    public func startStandaloneSignalIfNotRunning(forKey key: String?, producer: () -> Signal<T, E>) {
        if let key { startStandaloneSignalIfNotRunning(NameKey(key), producer) }
    }

    func startStandaloneSignalIfNotRunning(_ key: NameKey, _ producer: () -> Signal<T, E>) {
        let (run, isNew) = table.standalone.item(key) { MetaDisposable() }
        if isNew { producer().attach(StandaloneSink(table, run, key)) }
    }

    /// Returns a signal of the values that are sent into the pipe `key` from now on. The signal keeps the manager
    /// alive, and so does the handle of a subscription.
    public func multicastedPipe(forKey key: String) -> Signal<T, NoError> {
        multicastedPipe(NameKey(key), keeping: self)
    }

    /// - Parameter owner: the object that the signal retains: the manager, or the object that contains it.
    func multicastedPipe(_ key: NameKey, keeping owner: AnyObject) -> Signal<T, NoError> {
        let table = table
        return ComposedSignal(as: "multicastedPipe") { sink in
            table.pipes.join(key, { NamedPipe(table, key, owner) }) { pipe, _ in pipe.add(sink, keeping: owner) }
        }
    }

    /// Sends a value to the subscribers of the pipe `key`. Without subscribers it has no effect.
    public func putNext(_ next: T, toMulticastedPipeForKey key: String) { putNext(next, NameKey(key)) }

    @discardableResult
    func putNext(_ next: T, _ key: NameKey) -> Put { table.pipes.existing(key)?.put(next) ?? .accepted }
}

/// The part of a manager that its signals share. It does not refer to the manager.
private final class ManagerTable<T, E>: @unchecked Sendable {
    let shared = NameTable<Reservation<T, E>>()
    /// The subscriptions without listeners.
    let standalone = NameTable<MetaDisposable>()
    let pipes = NameTable<NamedPipe<T, E>>()

    func close() {
        let shared = shared.removeAll()
        for run in standalone.removeAll() { run.dispose() }
        for pipe in pipes.removeAll() { pipe.close() }
        withExtendedLifetime(shared) {}
    }
}

/// The pipe of a key. It is removed when its last listener leaves.
private final class NamedPipe<T, E>: Listeners<T, NoError>, @unchecked Sendable {
    private let table: ManagerTable<T, E>
    private let key: NameKey

    init(_ table: ManagerTable<T, E>, _ key: NameKey, _ owner: AnyObject) {
        self.table = table
        self.key = key
        super.init(demand: Demand())
        self.owner = .passUnretained(owner)
    }

    override func closedByLeaving() { table.pipes.remove(key) { $0 === self } }
    override func isFed(by target: AnyObject) -> Bool { target === table }
}

/// The last stage of a standalone subscription.
private final class StandaloneSink<T, E>: Sink<T, E> {
    private let table: ManagerTable<T, E>
    private let run: MetaDisposable
    private let key: NameKey

    init(_ table: ManagerTable<T, E>, _ run: MetaDisposable, _ key: NameKey) {
        self.table = table
        self.run = run
        self.key = key
    }

    override func attached(_ upstream: Subscription) {
        upstream.feeds(table)
        run.set(upstream)
    }
    override func next(_ value: T) {}
    override func end(_ end: End<E>) { table.standalone.remove(key) { $0 === run } }
}
