/// Forwards the values whose key has not been seen before, and remembers at most `limit` keys.
///
/// `overflow` decides what happens if a new key exceeds `limit`. With `.dropOldest` the oldest key is forgotten, with
/// `.keepLatest` all older keys. With `.dropNewest` the new key is not remembered. In these cases its value is
/// forwarded, and values of forgotten keys can pass again. With `.fail` the subscription fails. `.suspend` stops the
/// program, because nothing frees space.
///
/// - Parameters:
///   - limit: the maximum number of remembered keys.
///   - overflow: the policy for a new key above `limit`.
///   - counter: counts the forgotten keys.
///   - key: called once for each value, one call at a time.
@preconcurrency
public func distinct<T, E, Key: Hashable>(
    limit: Int, overflow: OverflowPolicy<E> = .dropOldest, counter: OverflowCounter? = nil,
    by key: @escaping @Sendable (T) -> Key
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(limit > 0, "limit must be 1 or more")
    return distinct(Bound(limit, overflow, counter), as: #function) { value, _ in key(value) }
}

/// Like `distinct`, for a function that may return no key. It stores the terminal event, if the subscription ends.
func distinct<T, E, Key: Hashable>(
    _ bound: Bound<E>, as operation: CString = #function, by key: @escaping (T, inout End<E>?) -> Key?
) -> (Signal<T, E>) -> Signal<T, E> {
    bound.mustNotPause()
    let stage = DistinctKeySink<T, E, Key>.self
    return { signal in
        ComposedSignal(of: signal, .count(bound.limit), as: operation) { signal.attach(stage.init($0, bound, key)) }
    }
}

/// Forwards the values that have not been seen before, and remembers the latest `limit` of them.
public func distinct<T: Hashable, E>(limit: Int) -> (Signal<T, E>) -> Signal<T, E> { distinct(limit: limit) { $0 } }

/// Like `distinct(limit:overflow:counter:by:)`, without a limit.
///
/// - Parameters:
///   - limit: nil.
///   - key: called once for each value.
@preconcurrency
public func distinct<T, E, Key: Hashable>(
    limit: Never?, by key: @escaping @Sendable (T) -> Key
) -> (Signal<T, E>) -> Signal<T, E> {
    distinct(limit: .max, by: key)
}

private final class DistinctKeySink<T, E, Key: Hashable>: SerialStage<T, E, T> {
    private let bound: Bound<E>
    private let key: (T, inout End<E>?) -> Key?
    @exclusivity(unchecked) private var known: Set<Key> = []
    /// The same keys, the oldest first.
    @exclusivity(unchecked) private var order = Batch<Key>()

    init(_ downstream: Sink<T, E>, _ bound: Bound<E>, _ key: @escaping (T, inout End<E>?) -> Key?) {
        self.bound = bound
        self.key = key
        super.init(downstream)
    }

    override func receive(_ value: T) {
        var end: End<E>?
        guard let new = key(value, &end) else { return gotNoKey(end) }
        if !known.insert(new).inserted { return }
        if let end = bound.add(new, to: &order, dropped: { known.remove($0) }) { return stop(downstream, end) }
        downstream.next(value)
    }

    @inline(never)
    private func gotNoKey(_ end: End<E>?) {
        if let end { stop(downstream, end) }
    }
}
