/// Forwards the values whose key has not been seen before, and remembers at most `limit` keys.
///
/// - Parameters:
///   - limit: how many keys are remembered.
///   - overflow: what becomes of a new key for which there is no room. By `.dropOldest` the oldest key is forgotten, by
///     `.keepLatest` all others are, by `.dropNewest` it is not remembered itself; its value is forwarded, and what is
///     forgotten may come again. By `.fail` the run fails. `.suspend` stops the program: nobody makes room.
///   - counter: told how many keys are forgotten.
///   - key: called once for each value, one at a time, whatever the number of emitting threads.
@preconcurrency
public func distinct<T, E, Key: Hashable>(
    limit: Int, overflow: OverflowPolicy<E> = .dropOldest, counter: OverflowCounter? = nil,
    by key: @escaping @Sendable (T) -> Key
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(limit > 0, "limit must be 1 or more")
    if case .suspend = overflow { preconditionFailure("overflow must not be .suspend: nothing frees space") }
    return { signal in
        let stage = DistinctKeySink<T, E, Key>.self
        return ComposedSignal(of: signal, .count(limit)) {
            signal.attach(stage.init($0, Bound(limit, overflow, counter), key))
        }
    }
}

/// Forwards the values that have not come before, of which at most `limit` are remembered, the latest.
public func distinct<T: Hashable, E>(limit: Int) -> (Signal<T, E>) -> Signal<T, E> { distinct(limit: limit) { $0 } }

/// `distinct(limit:overflow:counter:by:)` without a bound.
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
    private let key: (T) -> Key
    @exclusivity(unchecked) private var known: Set<Key> = []
    /// The same keys, the oldest first.
    @exclusivity(unchecked) private var order = Batch<Key>()

    init(_ downstream: Sink<T, E>, _ bound: Bound<E>, _ key: @escaping (T) -> Key) {
        self.bound = bound
        self.key = key
        super.init(downstream)
    }

    override func receive(_ value: T) {
        let new = key(value)
        if !known.insert(new).inserted { return }
        if let end = bound.add(new, to: &order, dropped: { known.remove($0) }) { return stop(downstream, end) }
        downstream.next(value)
    }
}
