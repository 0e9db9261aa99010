/// Holds a value and passes it on: first the value that is there, then each one that is set. Its signals never end.
///
/// Values are delivered one at a time in the order in which they were set, to every subscriber alike, also when `set` is called from
/// inside a callback. What keeps it alive is the same as with `Promise`.
public final class ValuePromise<T: Equatable>: @unchecked Sendable {
    /// Whether a value that equals the one that is there is ignored.
    public let ignoreRepeated: Bool
    private let listeners: Listeners<T, NoError>

    /// With a value.
    public init(_ value: T, ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        listeners = Listeners(keepsLatest: true, latest: .some(value))
    }

    /// Without a value: the first one that is set is always passed on.
    public init(ignoreRepeated: Bool = false) {
        self.ignoreRepeated = ignoreRepeated
        listeners = Listeners(keepsLatest: true)
    }

    deinit {
        listeners.close()
    }

    public func set(_ value: T) {
        guard ignoreRepeated else {
            listeners.put(value)
            return
        }
        // The user's `==` runs without a lock; if the value has been replaced meanwhile it is compared again.
        while true {
            let (latest, epoch) = listeners.current
            if let latest, latest == value { return }
            if listeners.putInLine(value, in: epoch, advances: true) != .outdated { return }
        }
    }

    /// The value that is there, inside `start`, then each one that is set.
    public func get() -> Signal<T, NoError> {
        Signal(attach: { self.listeners.addOrStaySilent($0, keeping: self) })
    }
}
