/// Holds a value and passes it on: first the value that is there, then each one that is set. Its signals never end.
///
/// Values are delivered one at a time in the order in which they were set, to every subscriber alike, also when `set`
/// is called from inside a callback. What keeps it alive is the same as with `Promise`.
public final class ValuePromise<T: Equatable>: @unchecked Sendable {
    /// Whether a value that equals the one that is there is ignored.
    public var ignoreRepeated: Bool { feed.ignoreRepeated }
    private let feed: ValuePromiseFeed<T, NoError>

    /// With a value.
    public init(_ value: T, ignoreRepeated: Bool = false) {
        feed = ValuePromiseFeed(.some(value), ignoreRepeated: ignoreRepeated)
        feed.belong(to: self)
    }

    /// Without a value: the first one that is set is always passed on.
    public init(ignoreRepeated: Bool = false) {
        feed = ValuePromiseFeed(nil, ignoreRepeated: ignoreRepeated)
        feed.belong(to: self)
    }

    public func set(_ value: T) { feed.set(value) }

    /// The value that is there, inside `start`, then each one that is set.
    public func get() -> Signal<T, NoError> { feed.signal() }
}

/// What such a promise consists of, with any type of errors, although there are none.
final class ValuePromiseFeed<T: Equatable, E>: @unchecked Sendable {
    let ignoreRepeated: Bool
    private let listeners: Listeners<T, E>

    init(_ value: T?, ignoreRepeated: Bool) {
        self.ignoreRepeated = ignoreRepeated
        listeners = Listeners(keepsLatest: true, latest: value)
        belong(to: self)
    }

    deinit {
        listeners.close()
    }

    /// What its signals keep, and their subscriptions as long as they are held: itself, unless it is a part of
    /// something.
    func belong(to owner: AnyObject) { listeners.owner = .passUnretained(owner) }

    @discardableResult
    func set(_ value: T) -> Put {
        guard ignoreRepeated else { return listeners.put(value) }
        // The user's `==` runs without a lock; if the value has been replaced meanwhile it is compared again.
        while true {
            let (latest, epoch) = listeners.current
            if let latest, latest == value { return .accepted }
            let put = listeners.putInLine(value, in: epoch, advances: true)
            if put != .outdated { return put }
        }
    }

    func signal() -> Signal<T, E> {
        let listeners = listeners, owner = listeners.owner!.takeUnretainedValue()
        return Signal(attach: { listeners.addOrStaySilent($0, keeping: owner) })
    }
}
