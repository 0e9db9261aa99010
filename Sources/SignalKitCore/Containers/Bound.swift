/// The maximum number of pending values in an operator that combines or collects, and its overflow policy.
///
/// No thread is blocked here, because the thread that would wait may be the one that frees space.
final class Bound<E> {
    let limit: Int
    /// See `Record.checked`.
    private let checked: Int
    /// See `OverflowPolicy.marks`.
    let marks: (high: Int, low: Int)
    private let lock = SmallLock()
    private var hasWarned = false
    /// The policy at the limit. Nil: the limit may be exceeded.
    private let policy: OverflowPolicy<E>?
    private let counter: OverflowCounter?

    init(_ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?) {
        self.limit = limit
        self.counter = counter
        if limit == .max {
            marks = (.max, -1)
            policy = nil
        } else {
            policy = overflow.atLimit
            if case .suspend? = policy {
                preconditionFailure("overflow must not be .suspend: no other thread would free space")
            }
            precondition(limit >= 0, "limit must be 0 or more")
            marks = overflow.marks(limit: limit)
        }
        checked = Record.checked(limit, marks.high)
    }

    static var none: Bound { Bound(.max, .dropNewest, nil) }

    /// True if a full row pauses its source.
    var pauses: Bool { marks.high < .max }

    /// Stops the program if the bound pauses a source. For operators in which nothing waits for space.
    func mustNotPause() { precondition(!pauses, "overflow must not be .pause: nothing waits in this operator") }

    /// Adds a value, if there is space or the policy frees some. Returns the terminal event if the policy ends the
    /// subscription.
    @inline(__always)
    func add<T>(_ value: T, to waiting: inout Batch<T>) -> End<E>? {
        hasRoom(for: value, in: &waiting) ? nil : addToFull(value, &waiting) { _ in }
    }

    /// - Parameter dropped: called with each value that is dropped, including the new one.
    @inline(__always)
    func add<T>(_ value: T, to waiting: inout Batch<T>, dropped: (T) -> Void) -> End<E>? {
        hasRoom(for: value, in: &waiting) ? nil : addToFull(value, &waiting, dropped)
    }

    /// Adds a value, if no decision is necessary.
    @inline(__always)
    func hasRoom<T>(for value: T, in waiting: inout Batch<T>) -> Bool {
        if waiting.count >= checked { return false }
        waiting.append(value)
        return true
    }

    @inline(never)
    private func addToFull<T>(_ value: T, _ waiting: inout Batch<T>, _ dropped: (T) -> Void) -> End<E>? {
        if !isFull(waiting.count) {
            waiting.append(value)
            if waiting.count > limit { counter?.exceed() }
            return nil
        }
        let (going, end) = overflow(of: waiting.count)
        for _ in 0..<going { dropped(waiting.takeFirst()) }
        if waiting.count >= limit {
            dropped(value)
            return end
        }
        waiting.append(value)
        return nil
    }

    @inline(__always)
    func isFull(_ count: Int) -> Bool { count >= checked && decides(count) }

    /// Returns true if the policy decides about a further value. Otherwise warns if there are many.
    @inline(never)
    private func decides(_ count: Int) -> Bool {
        if policy != nil && count >= limit { return true }
        if count < Record.many { return false }
        let warns = lock.withLock {
            defer { hasWarned = true }
            return !hasWarned
        }
        if warns { Record.tellOfMany() }
        return false
    }

    /// Decides about a value without space. Returns how many of the `count` oldest values are dropped for it (if 0, the
    /// value itself), or the terminal event.
    func overflow(of count: Int) -> (going: Int, end: End<E>?) {
        var going = 0
        var end: End<E>?
        switch policy {
        case .suspend, .pause, .dropNewest, nil: break
        case .dropOldest: going = min(count, 1)
        case .keepLatest: going = count
        case let .fail(error): end = .error(error)
        }
        counter?.drop(max(going, 1))
        Record.drop(max(going, 1))
        return (going, end)
    }
}
