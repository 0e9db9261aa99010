/// Stores a value. Its signals emit the current value, then each new one. They never end.
///
/// Values are delivered one at a time, in the order in which they were set, to every subscriber. A call of `set` or
/// `modify` in a callback keeps this order. The ownership rules of `Promise` apply. `State` is similar, but has a value
/// from the beginning.
public final class ValuePromise<T: Equatable>: @unchecked Sendable {
    /// True to ignore a value that equals the current one.
    public let ignoreRepeated: Bool
    private let feed: ValuePromiseFeed<T, NoError>

    /// With a value.
    public init(_ value: T, ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        feed = ValuePromiseFeed(.some(value), ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// Creates a promise without a value. The first value is always emitted.
    public init(ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        feed = ValuePromiseFeed(nil, ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// The value that is there, if there is one.
    public var value: T? { feed.value }

    /// Sets the value and notifies all subscribers, unless it is equal to the current one and repeated values are
    /// ignored.
    public func set(_ value: T) { feed.set(value) }

    /// Sets the result of `f`, which receives the current value, and returns it (see `State.modify`). `f` receives nil
    /// if there is no value.
    @discardableResult
    public func modify<Failure: Error>(_ f: (T?) throws(Failure) -> T) throws(Failure) -> T {
        try feed.modify { (epoch) throws(Failure) in try f(feed.latest(at: &epoch)) }.value
    }

    /// Emits the current value inside `start`, then each new one.
    public func get() -> Signal<T, NoError> { feed.signal() }
}

/// The implementation of such a promise, for any error type. It never fails.
final class ValuePromiseFeed<T, E>: @unchecked Sendable {
    private let isRepeat: ((T, T) -> Bool)?
    private let listeners: Listeners<T, E>

    /// - Parameter isRepeat: returns whether a new value equals the current one and is ignored.
    init(_ value: T?, ignoring isRepeat: ((T, T) -> Bool)?) {
        self.isRepeat = isRepeat
        listeners = Listeners(keepsLatest: true)
        if let value { listeners.latest.set(value) }
        belong(to: self)
    }

    deinit {
        listeners.close()
    }

    /// Sets the object that its signals and the handles of their subscriptions retain. By default it is this object.
    func belong(to owner: AnyObject) { listeners.owner = .passUnretained(owner) }

    var value: T? { listeners.current.latest }

    /// The value of a promise that has one from the beginning.
    var state: T {
        var epoch: UInt = 0
        return state(at: &epoch)
    }

    @discardableResult
    func set(_ value: T) -> Put {
        if isRepeat == nil { return listeners.putInLine(value, advances: true) }
        return set(value) { listeners.current }
    }

    /// Sets the value that `make` returns. `make` reads the latest value and its epoch with one of the two following
    /// functions. If another thread sets a value in the meantime, `make` is called again. Values that `make` itself
    /// sets precede its result.
    func modify<Failure: Error>(
        _ make: (_ epoch: inout UInt) throws(Failure) -> T
    ) throws(Failure) -> (value: T, put: Put) {
        while true {
            var epoch: UInt = 0
            let value = try make(&epoch)
            let put = set(value, ifUnsharedSince: epoch)
            if put != .outdated { return (value, put) }
        }
    }

    func latest(at epoch: inout UInt) -> T? {
        let current = listeners.current
        epoch = current.epoch
        return current.latest
    }

    /// Of a promise that has a value from the beginning.
    func state(at epoch: inout UInt) -> T { listeners.latest(at: &epoch) }

    private func set(_ value: T, ifUnsharedSince epoch: UInt) -> Put {
        if isRepeat != nil { return setOther(value, ifUnsharedSince: epoch) }
        while let now = listeners.epoch(unsharedSince: epoch) {
            let put = listeners.putInLine(value, in: now, advances: true)
            if put != .outdated { return put }
        }
        return .outdated
    }

    /// A separate function, because the types of optional values would be looked up even without a comparison.
    @inline(never)
    private func setOther(_ value: T, ifUnsharedSince epoch: UInt) -> Put {
        set(value) { listeners.current(unsharedSince: epoch) }
    }

    /// Calls the user's `==` without a lock. If the value was replaced in the meantime, it compares again.
    ///
    /// - Parameter current: returns the current value and its epoch, or nil if the value must no longer be replaced.
    @inline(__always)
    private func set(_ value: T, in current: () -> (latest: T?, epoch: UInt)?) -> Put {
        while let (latest, epoch) = current() {
            if let isRepeat, let latest, isRepeat(latest, value) { return .accepted }
            let put = listeners.putInLine(value, in: epoch, advances: true)
            if put != .outdated { return put }
        }
        return .outdated
    }

    func signal() -> Signal<T, E> {
        let listeners = listeners, owner = listeners.owner!.takeUnretainedValue()
        return ComposedSignal(as: "valuePromise") { listeners.addOrStaySilent($0, keeping: owner) }
    }
}
