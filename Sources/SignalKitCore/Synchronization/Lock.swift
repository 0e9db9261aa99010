/// A mutex around a closure. Keep the closure short, because other threads wait for it. A closure that takes the same
/// lock would deadlock. Instead, the program ends.
public final class Lock: @unchecked Sendable {
    private let lock = OwnedLock()

    /// Creates an unlocked lock.
    public init() {}

    /// Runs `f` while no other thread runs one.
    public func locked(_ f: () -> Void) {
        lock.enter()
        f()
        lock.leave()
    }

    /// Like `locked`, for a closure that can throw. It unlocks, then throws the error.
    public func throwingLocked<Failure: Error>(_ f: () throws(Failure) -> Void) throws(Failure) {
        lock.enter()
        defer { lock.leave() }
        try f()
    }
}
