#if !hasFeature(Embedded)
/// A mutex that its holder locks and unlocks. Programs of the predecessor use this name. Prefer `Lock` in new code,
/// because it cannot be left locked.
///
/// The lock is not recursive: a thread that locks it twice ends the program. The thread that locked it must unlock it.
public final class OSUnfairLock: @unchecked Sendable {
    private let owned = OwnedLock()

    /// Creates an unlocked lock.
    public init() {}

    /// Waits until no other thread holds the lock, and takes it.
    public func lock() { owned.enter() }

    /// Releases the lock.
    public func unlock() {
        precondition(owned.isMine, "a lock was left by a thread that does not hold it")
        owned.leave()
    }

    /// Takes the lock if no thread holds it, and returns whether it did.
    public func tryLock() -> Bool { owned.tryEnter() }

    /// Runs `f` while no other thread holds the lock, and returns its result.
    public func withLock<R, Failure: Error>(_ f: () throws(Failure) -> R) throws(Failure) -> R {
        lock()
        defer { unlock() }
        return try f()
    }
}

/// Returns a new lock.
public func createOSUnfairLock() -> OSUnfairLock { OSUnfairLock() }
#endif
