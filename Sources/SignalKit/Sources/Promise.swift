/// Holds the latest value of whichever signal it was set to last, and passes it on: first the value that is there, then each new one.
///
/// Its signals never end: the completion of the source is ignored, its value stays. The source does not keep the promise. A signal of
/// `get` keeps it, and so does a subscription as long as somebody holds its handle; dropping both handle and promise ends it. (A stage
/// that has to be able to stop its source, as `take` or `combineLatest`, holds the handle too.)
public final class Promise<T>: @unchecked Sendable {
    private let source: PromiseSource<T>
    private let lock = SmallLock()
    @exclusivity(unchecked) private var deinitHook: (() -> Void)?

    /// Without a value.
    public init() {
        source = PromiseSource(nil, nil)
    }

    /// With a value.
    public init(_ value: T) {
        source = PromiseSource(.some(value), nil)
    }

    /// Sets itself to `initializeOnFirstAccess` when it is first listened to, unless it was set before.
    public init(initializeOnFirstAccess: Signal<T, NoError>?) {
        source = PromiseSource(nil, initializeOnFirstAccess)
    }

    deinit {
        deinitHook?()
        source.close()
    }

    /// Called when the promise goes, before its source is disposed.
    public var onDeinit: (() -> Void)? {
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

    /// Follows `signal` from now on. The value that is there is forgotten, nothing of an earlier source is accepted any more, `signal` is
    /// started, and then the earlier source is disposed. Of several calls, nested or concurrent, the last one stands.
    public func set(_ signal: Signal<T, NoError>) { source.follow(signal) }

    /// The value that is there, inside `start`, then each new one.
    public func get() -> Signal<T, NoError> {
        Signal(attach: { sink in
            self.source.listeners.addOrStaySilent(sink, keeping: self)
            self.source.initialize()
        })
    }

    /// The same for a source that can fail; its error is ignored like its completion.
    func follow<E>(_ signal: Signal<T, E>) { source.follow(signal) }
}

/// What a promise shares with its source and its listeners; it does not know the promise.
private final class PromiseSource<T>: @unchecked Sendable {
    let listeners: Listeners<T, NoError>
    private let lock = SmallLock()
    @exclusivity(unchecked) private var initializer: Signal<T, NoError>?
    /// Whose subscription counts, by its epoch in `listeners`.
    @exclusivity(unchecked) private var epoch: UInt = 0
    @exclusivity(unchecked) private var subscription: Subscription?
    @exclusivity(unchecked) private var isClosed = false

    init(_ value: T?, _ initializer: Signal<T, NoError>?) {
        listeners = Listeners(keepsLatest: true, latest: value)
        self.initializer = initializer
    }

    func follow<E>(_ signal: Signal<T, E>) {
        lock.lock()
        start(signal)
    }

    /// Sets the promise to the first-access signal, if there is one still.
    func initialize() {
        lock.lock()
        if let initializer { start(initializer) } else { lock.unlock() }
    }

    /// Called with the lock held, which it gives back: the last to come here wins.
    private func start<E>(_ signal: Signal<T, E>) {
        let obsolete = initializer
        initializer = nil
        let previous = subscription
        subscription = nil
        epoch += 1
        let mine = epoch
        lock.unlock()
        withExtendedLifetime(obsolete) {}
        if listeners.forget(since: mine) { signal.attach(PromiseInlet(self, mine)) }
        previous?.dispose()
    }

    fileprivate func install(_ upstream: Subscription, _ epoch: UInt) {
        lock.lock()
        let counts = epoch == self.epoch && !isClosed
        if counts { subscription = upstream }
        lock.unlock()
        if !counts { upstream.dispose() }
    }

    /// The source is over: there is nothing to dispose any more.
    fileprivate func drop(_ epoch: UInt) {
        lock.lock()
        var dropped: Subscription?
        if epoch == self.epoch { swap(&subscription, &dropped) }
        lock.unlock()
        withExtendedLifetime(dropped) {}
    }

    func close() {
        lock.lock()
        isClosed = true
        let taken = subscription
        subscription = nil
        let obsolete = initializer
        initializer = nil
        lock.unlock()
        withExtendedLifetime(obsolete) {}
        taken?.dispose()
        listeners.close()
    }
}

private final class PromiseInlet<T, E>: Sink<T, E> {
    private let source: PromiseSource<T>
    private let epoch: UInt

    init(_ source: PromiseSource<T>, _ epoch: UInt) {
        self.source = source
        self.epoch = epoch
    }

    override func attached(_ upstream: Subscription) { source.install(upstream, epoch) }
    override func next(_ value: T) { source.listeners.putInLine(value, in: epoch) }
    override func error(_ error: E) { source.drop(epoch) }
    override func completed() { source.drop(epoch) }
}

/// A `Promise` that may be set to a signal that can fail: its error is ignored like its completion, the value stays.
public final class Variable<T>: @unchecked Sendable {
    private let promise = Promise<T>()

    public init() {}

    /// Follows `signal` from now on; see `Promise.set`.
    public func set<E>(_ signal: Signal<T, E>) { promise.follow(signal) }

    /// The value that is there, inside `start`, then each new one. A subscription keeps the variable's value and source alive as long as
    /// somebody holds its handle.
    public func signal() -> Signal<T, NoError> { promise.get() }
}
