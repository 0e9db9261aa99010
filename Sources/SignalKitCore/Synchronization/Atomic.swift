/// The error of `Atomic.tryWith`.
public enum AtomicLockError: Error {
    /// A closure is accessing the value, on another thread or further up the stack.
    case isLocked
}

/// A value behind a lock.
///
/// The closures run under the lock. Keep them short, because other threads wait. A closure that accesses the same value
/// on the same thread would deadlock. Instead, the program ends (`tryWith` throws). A replaced value is released after
/// unlocking, so its deinit may use the same `Atomic`.
///
/// With `recursive`, such an access is allowed, except for a change inside `modify`. The change would be lost, so the
/// program ends.
public final class Atomic<T>: @unchecked Sendable {
    private let lock = OwnedLock()
    private let isRecursive: Bool
    @exclusivity(unchecked) private var current: T
    /// The number of nested accesses of the holder, and whether its `modify` has not stored its result yet.
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) private var isModifying = false

    /// With a value, and not recursive.
    public convenience init(value: T) {
        self.init(value: value, recursive: false)
    }

    /// - Parameters:
    ///   - value: the initial value.
    ///   - recursive: whether closures may access the value again on the same thread.
    public init(value: T, recursive: Bool) {
        current = value
        isRecursive = recursive
    }

    /// A copy of the value.
    public var value: T {
        enter()
        defer { leave() }
        return current
    }

    /// Runs `f` with the value, under the lock, and returns its result. If the value is an object, `f` may change it.
    public func with<R, Failure: Error>(_ f: (T) throws(Failure) -> R) throws(Failure) -> R {
        enter()
        defer { leave() }
        return try f(current)
    }

    #if !hasFeature(Embedded)
    /// Like `with` if no closure is accessing the value. Otherwise throws `AtomicLockError.isLocked` immediately.
    public func tryWith<R>(_ f: (T) throws -> R) throws -> R {
        if !tryEnter() { throw AtomicLockError.isLocked }
        defer { leave() }
        return try f(current)
    }
    #endif

    /// Replaces the value with `f(value)`, under the lock, and returns the new value. If `f` throws, the value does not
    /// change.
    @discardableResult
    public func modify<Failure: Error>(_ f: (T) throws(Failure) -> T) throws(Failure) -> T {
        enterToChange()
        isModifying = true
        let new: T
        do {
            new = try f(current)
        } catch {
            isModifying = false
            leave()
            throw error
        }
        isModifying = false
        let old = replace(new)
        leave()
        withExtendedLifetime(old) {}
        return new
    }

    /// Replaces the value and returns the one before.
    @discardableResult
    public func swap(_ value: T) -> T {
        enterToChange()
        let old = replace(value)
        leave()
        return old
    }

    private func replace(_ new: T) -> T {
        var value = new
        Swift.swap(&current, &value)
        return value
    }

    private func enter() {
        if !(isRecursive && lock.isMine) { lock.enter() }
        depth += 1
    }

    private func tryEnter() -> Bool {
        if !(isRecursive && lock.isMine) && !lock.tryEnter() { return false }
        depth += 1
        return true
    }

    private func enterToChange() {
        enter()
        precondition(!isModifying, "an Atomic must not be changed inside its own modify")
    }

    private func leave() {
        depth -= 1
        if depth == 0 { lock.leave() }
    }
}
