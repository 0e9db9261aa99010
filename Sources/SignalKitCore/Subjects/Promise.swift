/// Stores the latest value of the signal that it was last set to. Its signals first emit the current value, then each
/// new one.
///
/// Its signals never end. The end of the source is ignored, and its value stays.
///
/// **Ownership:** the source does not retain the promise. A signal of `get` retains it, and so does the handle of a
/// subscription. The release of both the handle and the promise ends the subscription. (A stage that can dispose its
/// source, such as `take` or `combineLatest`, retains the handle, too.)
public final class Promise<T>: @unchecked Sendable {
    private let feed: PromiseFeed<T, NoError>

    /// Without a value.
    public init() {
        feed = PromiseFeed()
        feed.belong(to: self)
    }

    /// With a value.
    public init(_ value: T) {
        feed = PromiseFeed(.some(value))
        feed.belong(to: self)
    }

    /// Sets itself to `initializeOnFirstAccess` at the first subscription, unless it was set before.
    public init(initializeOnFirstAccess: Signal<T, NoError>?) {
        feed = PromiseFeed(initializeOnFirstAccess: initializeOnFirstAccess)
        feed.belong(to: self)
    }

    /// Called when the promise goes, before its source is disposed.
    public var onDeinit: (() -> Void)? {
        get { feed.onDeinit }
        set { feed.onDeinit = newValue }
    }

    /// Follows `signal` from now on.
    ///
    /// The stored value is dropped, values of an earlier source are rejected, and `signal` is started. Then the earlier
    /// source is disposed. Of several calls, nested or concurrent, the last one wins.
    public func set(_ signal: Signal<T, NoError>) { feed.follow(signal) }

    /// The value that is there, inside `start`, then each new one.
    public func get() -> Signal<T, NoError> { feed.signal() }

    /// Like `set`, for a source that can fail. Its error is ignored like its completion.
    func follow<E>(_ signal: Signal<T, E>) { feed.follow(signal) }
}

/// The implementation of a promise, for any error type. It never fails.
final class PromiseFeed<T, E>: @unchecked Sendable {
    private let source: PromiseSource<T, E>
    private let lock = SmallLock()
    @exclusivity(unchecked) private var deinitHook: (() -> Void)?

    init(_ value: T? = nil, initializeOnFirstAccess: Signal<T, E>? = nil) {
        source = PromiseSource(value, initializeOnFirstAccess)
        belong(to: self)
    }

    deinit {
        deinitHook?()
        source.shut()
    }

    /// Sets the object that its signals and the handles of their subscriptions retain. By default it is this object.
    func belong(to owner: AnyObject) { source.owner = .passUnretained(owner) }

    var onDeinit: (() -> Void)? {
        get {
            lock.lock()
            defer { lock.unlock() }
            return deinitHook
        }
        set {
            var replaced = newValue
            lock.lock()
            swap(&deinitHook, &replaced)
            lock.unlock()
        }
    }

    func follow<F>(_ signal: Signal<T, F>) { source.follow(signal) }

    func signal() -> Signal<T, E> {
        let source = source, owner = source.owner!.takeUnretainedValue()
        return ComposedSignal(as: "promise") { sink in
            source.addOrStaySilent(sink, keeping: owner)
            source.initialize()
        }
    }
}

/// The listeners of a promise, and its source. It does not refer to the promise.
private final class PromiseSource<T, E>: Listeners<T, E>, @unchecked Sendable {
    // The lock guards the following fields.
    @exclusivity(unchecked) private var initializer: Signal<T, E>?
    /// The number of the current subscription, by its epoch.
    @exclusivity(unchecked) private var number: UInt = 0
    @exclusivity(unchecked) private var slot = Slot.empty

    init(_ value: T?, _ initializer: Signal<T, E>?) {
        self.initializer = initializer
        super.init(keepsLatest: true)
        if let value { latest.set(value) }
    }

    override var hasSource: Bool { true }
    override var upstream: Subscription? { slot.subscription }

    func follow<F>(_ signal: Signal<T, F>) {
        lock.lock()
        start(signal)
    }

    /// Sets the promise to the first-access signal, unless it was set before.
    func initialize() {
        lock.lock()
        if let initializer { start(initializer) } else { lock.unlock() }
    }

    /// Called with the lock, which it unlocks. The last call wins.
    private func start<F>(_ signal: Signal<T, F>) {
        let obsolete = initializer
        initializer = nil
        let previous = slot.take()
        number += 1
        let mine = number
        lock.unlock()
        withExtendedLifetime(obsolete) {}
        if Turns.hasRoom {
            replace(previous, by: signal, mine)
        } else {
            Turns.startDeeply { self.replace(previous, by: signal, mine) }
        }
    }

    private func replace<F>(_ previous: (any Disposable)?, by signal: Signal<T, F>, _ epoch: UInt) {
        if forget(since: epoch) { signal.attach(PromiseInlet(self, epoch)) }
        previous?.dispose()
    }

    fileprivate func store(_ upstream: Subscription, _ epoch: UInt) {
        let obsolete: (any Disposable)? = lock.withLock {
            if epoch != number { return upstream }
            prepare(upstream)
            return slot.store(upstream)
        }
        obsolete?.dispose()
    }

    /// The source has ended. There is nothing to dispose.
    fileprivate func drop(_ epoch: UInt) {
        withExtendedLifetime(lock.withLock { epoch == number ? slot.take() : nil }) {}
    }

    func shut() {
        lock.lock()
        let taken = slot.close()
        let obsolete = initializer
        initializer = nil
        lock.unlock()
        withExtendedLifetime(obsolete) {}
        taken?.dispose()
        close()
    }
}

private final class PromiseInlet<T, E, F>: Sink<T, F> {
    private let source: PromiseSource<T, E>
    private let epoch: UInt

    init(_ source: PromiseSource<T, E>, _ epoch: UInt) {
        self.source = source
        self.epoch = epoch
    }

    override func attached(_ upstream: Subscription) {
        upstream.feeds(source)
        source.store(upstream, epoch)
    }
    override func next(_ value: T) {
        if Turns.hasRoom { put(value) } else { Turns.pass { self.put(value) } }
    }

    private func put(_ value: T) { source.putInLine(value, in: epoch) }

    override func end(_ end: End<F>) { source.drop(epoch) }
}

/// A `Promise` for signals that can fail. An error is ignored like a completion, and the value stays.
public final class Variable<T>: @unchecked Sendable {
    private let promise = Promise<T>()

    /// Without a value.
    public init() {}

    /// Follows `signal` from now on (see `Promise.set`).
    public func set<E>(_ signal: Signal<T, E>) { promise.follow(signal) }

    /// Emits the current value inside `start`, then each new one. The handle of a subscription keeps the variable's
    /// value and source alive.
    public func signal() -> Signal<T, NoError> { promise.get() }
}
