/// A mutex around a closure. Keep the closure short: other threads wait for it. It must not come back to the same lock:
/// that would wait for itself, and ends the program instead.
public final class Lock: @unchecked Sendable {
    private let lock = OwnedLock()

    /// Begins unlocked.
    public init() {}

    /// Runs `f` while no other thread runs one.
    public func locked(_ f: () -> ()) {
        lock.enter()
        f()
        lock.leave()
    }

    /// The same for a closure that can fail: the lock is left, then the error is thrown.
    public func throwingLocked<Failure: Error>(_ f: () throws(Failure) -> Void) throws(Failure) {
        lock.enter()
        defer { lock.leave() }
        try f()
    }
}
