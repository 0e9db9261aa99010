/// How many values may wait inside of an operator that joins or collects, and what becomes of one that finds no room.
///
/// Nobody is blocked there: the thread that would have to wait may be the one that makes room.
final class Bound<E> {
    let limit: Int
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter?

    init(_ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?) {
        if case .suspend = overflow { preconditionFailure("an operator that joins cannot suspend") }
        precondition(limit >= 0, "a negative number of values that may wait")
        self.limit = limit
        self.overflow = overflow
        self.counter = counter
    }

    static var none: Bound { Bound(.max, .dropNewest, nil) }

    /// Adds a value to those that wait, if it finds room or others make room for it. Returns the end to come, if there
    /// is to be one.
    /// - Parameter dropped: called with each value that does not wait any more, or has found no room itself.
    func add<T>(_ value: T, to waiting: inout Batch<T>, dropped: (T) -> Void = { _ in }) -> End<E>? {
        if waiting.count >= limit {
            let end = drop(from: &waiting, dropped)
            if waiting.count >= limit {
                dropped(value)
                return end
            }
        }
        waiting.append(value)
        return nil
    }

    /// Drops what waits, or nothing, which leaves no room for what has come.
    private func drop<T>(from waiting: inout Batch<T>, _ dropped: (T) -> Void) -> End<E>? {
        counter?.drop(1)
        switch overflow {
        case .suspend, .dropNewest:
            break
        case .dropOldest:
            if waiting.count > 0 { dropped(waiting.takeFirst()) }
        case .keepLatest:
            counter?.drop(max(waiting.count - 1, 0))
            while waiting.count > 0 { dropped(waiting.takeFirst()) }
        case let .fail(error):
            return .error(error)
        }
        return nil
    }
}
