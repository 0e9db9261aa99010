/// Holds a value and passes it on: first the value that is there, then each one that is set. Its signals never end.
///
/// Values are delivered one at a time in the order in which they were set, to every subscriber alike, also when `set`
/// or `modify` is called from inside a callback. What keeps it alive is the same as with `Promise`. `State` is the same
/// with a value from the beginning.
public final class ValuePromise<T: Equatable>: @unchecked Sendable {
    /// Whether a value that equals the one that is there is ignored.
    public let ignoreRepeated: Bool
    private let feed: ValuePromiseFeed<T, NoError>

    /// With a value.
    public init(_ value: T, ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        feed = ValuePromiseFeed(.some(value), ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// Without a value: the first one that is set is always passed on.
    public init(ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        feed = ValuePromiseFeed(nil, ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// The value that is there, if there is one.
    public var value: T? { feed.value }

    /// Sets the value, and tells all listeners, unless it equals the one before and such are ignored.
    public func set(_ value: T) { feed.set(value) }

    /// Sets what `f` makes of the value that is there, and returns it; see `State.modify`. `f` gets nil as long as
    /// there is no value.
    @discardableResult
    public func modify<Failure: Error>(_ f: (T?) throws(Failure) -> T) throws(Failure) -> T {
        try feed.modify { (epoch) throws(Failure) in try f(feed.latest(at: &epoch)) }.value
    }

    /// The value that is there, inside `start`, then each one that is set.
    public func get() -> Signal<T, NoError> { feed.signal() }
}

/// What such a promise consists of, with any type of errors, although there are none.
final class ValuePromiseFeed<T, E>: @unchecked Sendable {
    private let isRepeat: ((T, T) -> Bool)?
    private let listeners: Listeners<T, E>

    /// - Parameter isRepeat: whether a new value is to be ignored beside the one that is there.
    init(_ value: T?, ignoring isRepeat: ((T, T) -> Bool)?) {
        self.isRepeat = isRepeat
        listeners = Listeners(keepsLatest: true)
        if let value { listeners.latest.set(value) }
        belong(to: self)
    }

    deinit {
        listeners.close()
    }

    /// What its signals keep, and their subscriptions as long as they are held: itself, unless it is a part of
    /// something.
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

    /// Sets what `make` makes of the latest value, for which it asks, with its epoch, by one of the two functions that
    /// follow. Calls it again when another thread has set a value meanwhile. What it sets itself stands before its
    /// result.
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

    /// Apart, as the types of optional values would be looked up where none is compared.
    @inline(never)
    private func setOther(_ value: T, ifUnsharedSince epoch: UInt) -> Put {
        set(value) { listeners.current(unsharedSince: epoch) }
    }

    /// The user's `==` runs without a lock; if the value has been replaced meanwhile it is compared again.
    ///
    /// - Parameter current: the value to be replaced and its epoch; nil when it must not be replaced any more.
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
