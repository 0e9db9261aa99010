/// How many values may wait inside of an operator that joins or collects, and what becomes of one that finds no room.
///
/// Nobody is blocked there: the thread that would have to wait may be the one that makes room.
final class Bound<E> {
    let limit: Int
    private let policy: OverflowPolicy<E>
    private let counter: OverflowCounter?

    init(_ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?) {
        if case .suspend = overflow {
            preconditionFailure("overflow must not be .suspend in an operator that combines signals")
        }
        precondition(limit >= 0, "limit must be 0 or more")
        self.limit = limit
        policy = overflow
        self.counter = counter
    }

    static var none: Bound { Bound(.max, .dropNewest, nil) }

    /// Adds a value to those that wait, if it finds room or others make room for it. Returns the end to come, if there
    /// is to be one.
    @inline(__always)
    func add<T>(_ value: T, to waiting: inout Batch<T>) -> End<E>? {
        hasRoom(for: value, in: &waiting) ? nil : addToFull(value, &waiting) { _ in }
    }

    /// - Parameter dropped: called with each value that does not wait any more, or has found no room itself.
    @inline(__always)
    func add<T>(_ value: T, to waiting: inout Batch<T>, dropped: (T) -> Void) -> End<E>? {
        hasRoom(for: value, in: &waiting) ? nil : addToFull(value, &waiting, dropped)
    }

    @inline(__always)
    private func hasRoom<T>(for value: T, in waiting: inout Batch<T>) -> Bool {
        if waiting.count >= limit { return false }
        waiting.append(value)
        return true
    }

    @inline(never)
    private func addToFull<T>(_ value: T, _ waiting: inout Batch<T>, _ dropped: (T) -> Void) -> End<E>? {
        let (going, end) = overflow(of: waiting.count)
        for _ in 0..<going { dropped(waiting.takeFirst()) }
        if waiting.count >= limit {
            dropped(value)
            return end
        }
        waiting.append(value)
        return nil
    }

    /// There is no room for one more: how many of the `count` others go for it, the oldest first (if none does, it goes
    /// itself), or the end to come.
    func overflow(of count: Int) -> (going: Int, end: End<E>?) {
        var going = 0
        var end: End<E>?
        switch policy {
        case .suspend, .dropNewest: break
        case .dropOldest: going = min(count, 1)
        case .keepLatest: going = count
        case let .fail(error): end = .error(error)
        }
        counter?.drop(max(going, 1))
        Record.drop(max(going, 1))
        return (going, end)
    }
}
