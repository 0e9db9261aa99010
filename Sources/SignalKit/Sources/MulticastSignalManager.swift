/// Signals that are shared by name, runs that nobody listens to, and pipes by name.
///
/// Keys are compared byte by byte. Producers are called without a lock, so they may use the manager. When the manager goes, its
/// standalone runs are disposed.
public final class MulticastSignalManager<T, E>: @unchecked Sendable {
    private let table = ManagerTable<T, E>()

    public init() {}

    deinit {
        table.close()
    }

    /// The signal shared under `key`, made by `producer` if there is none (see `multicast`); without a key the producer's signal, unshared.
    /// The key is forgotten when a run is over: by its end, or because the last listener has left.
    public func multicastedSignal(forKey key: String?, producer: () -> Signal<T, E>) -> Signal<T, E> {
        key.map { multicastedSignal(NameKey($0), producer) } ?? producer()
    }

    func multicastedSignal(_ key: NameKey, _ producer: () -> Signal<T, E>) -> Signal<T, E> {
        let (reservation, isNew) = table.reserve(key)
        if !isNew { return reservation.signal }
        // The shared signal must not keep the reservation, which keeps it.
        let (table, token) = (table, reservation.token)
        let made = multicast(producer(), over: { table.forget(token, key) })
        reservation.publish(made)
        return made
    }

    /// Starts the producer's signal, for what it does, unless one runs under `key` already; without a key nothing happens. The run is
    /// over with its end, or when the manager goes.
    public func startStandaloneSignalIfNotRunning(forKey key: String?, producer: () -> Signal<T, E>) {
        if let key { startStandaloneSignalIfNotRunning(NameKey(key), producer) }
    }

    func startStandaloneSignalIfNotRunning(_ key: NameKey, _ producer: () -> Signal<T, E>) {
        guard let run = table.beginStandalone(key) else { return }
        producer().attach(StandaloneSink(table, run, key))
    }

    /// What is put into the pipe named `key` from now on. The signal keeps the manager, and so does the handle of a subscription.
    public func multicastedPipe(forKey key: String) -> Signal<T, NoError> { multicastedPipe(NameKey(key)) }

    func multicastedPipe(_ key: NameKey) -> Signal<T, NoError> {
        Signal(attach: { sink in
            while true {
                let pipe = self.table.pipe(key, of: self)
                if pipe.add(sink, keeping: self) { return }
                // Its last listener has just left it: a fresh one takes its place.
                self.table.forget(pipe, key)
            }
        })
    }

    /// Delivers to those who listen to the pipe named `key`; without listeners nothing happens.
    public func putNext(_ next: T, toMulticastedPipeForKey key: String) { putNext(next, NameKey(key)) }

    @discardableResult
    func putNext(_ next: T, _ key: NameKey) -> Put { table.existingPipe(key)?.put(next) ?? .accepted }
}

/// What a manager shares with what runs under its keys; it does not know the manager.
private final class ManagerTable<T, E>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var shared: [NameKey: Reservation<T, E>] = [:]
    @exclusivity(unchecked) private var standalone: [NameKey: MetaDisposable] = [:]
    @exclusivity(unchecked) private var pipes: [NameKey: NamedPipe<T, E>] = [:]

    func reserve(_ key: NameKey) -> (Reservation<T, E>, isNew: Bool) {
        lock.lock()
        defer { lock.unlock() }
        if let known = shared[key] { return (known, false) }
        let new = Reservation<T, E>()
        shared[key] = new
        return (new, true)
    }

    func forget(_ token: ReservationToken, _ key: NameKey) {
        lock.lock()
        let isCurrent = shared[key]?.token === token
        let forgotten = isCurrent ? shared.removeValue(forKey: key) : nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
    }

    /// What a new run is to put its subscription into; nil if one runs already.
    func beginStandalone(_ key: NameKey) -> MetaDisposable? {
        lock.lock()
        defer { lock.unlock() }
        if standalone[key] != nil { return nil }
        let run = MetaDisposable()
        standalone[key] = run
        return run
    }

    func endStandalone(_ run: MetaDisposable, _ key: NameKey) {
        lock.lock()
        let isCurrent = standalone[key] === run
        let ended = isCurrent ? standalone.removeValue(forKey: key) : nil
        lock.unlock()
        withExtendedLifetime(ended) {}
    }

    func pipe(_ key: NameKey, of owner: AnyObject) -> NamedPipe<T, E> {
        lock.lock()
        defer { lock.unlock() }
        if let known = pipes[key] { return known }
        let new = NamedPipe(self, key, owner)
        pipes[key] = new
        return new
    }

    func existingPipe(_ key: NameKey) -> NamedPipe<T, E>? {
        lock.lock()
        defer { lock.unlock() }
        return pipes[key]
    }

    func forget(_ pipe: NamedPipe<T, E>, _ key: NameKey) {
        lock.lock()
        let isCurrent = pipes[key] === pipe
        let forgotten = isCurrent ? pipes.removeValue(forKey: key) : nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
    }

    func close() {
        lock.lock()
        let (shared, standalone, pipes) = (shared, standalone, pipes)
        self.shared = [:]
        self.standalone = [:]
        self.pipes = [:]
        lock.unlock()
        withExtendedLifetime(shared) {}
        for run in standalone.values { run.dispose() }
        for pipe in pipes.values { pipe.close() }
    }
}

/// Tells one reservation of a key from the next.
private final class ReservationToken: @unchecked Sendable {}

/// A place under a key. Who asks for the key before the producer has returned gets a signal that waits for it.
private final class Reservation<T, E>: @unchecked Sendable {
    let token = ReservationToken()
    private let published = Listeners<Signal<T, E>, E>(keepsLatest: true)

    func publish(_ signal: Signal<T, E>) { published.put(signal) }

    var signal: Signal<T, E> {
        if let signal = published.current.latest { return signal }
        let published = published
        return Signal(attach: { published.addOrStaySilent($0) }) |> take(1) |> switchToLatest
    }
}

/// The pipe of a key; it is forgotten when its last listener leaves.
private final class NamedPipe<T, E>: Listeners<T, NoError>, @unchecked Sendable {
    private let table: ManagerTable<T, E>
    private let key: NameKey

    init(_ table: ManagerTable<T, E>, _ key: NameKey, _ owner: AnyObject) {
        self.table = table
        self.key = key
        super.init(demand: Demand())
        self.owner = .passUnretained(owner)
    }

    override func closedByLeaving() { table.forget(self, key) }
    override func isFed(by target: AnyObject) -> Bool { target === table }
}

/// The end of a run that nobody listens to.
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
    override func error(_ error: E) { table.endStandalone(run, key) }
    override func completed() { table.endStandalone(run, key) }
}
