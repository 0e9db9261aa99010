/// Follows, for each key, the signal that `f` makes of the latest value of that key.
///
/// The operator starts a new signal, then disposes the previous one of the same key. Signals of different keys run at
/// the same time. When a signal completes, its key no longer counts. The result completes when the outer signal and all
/// inner signals have completed. The first error ends it.
///
///     requests |> mapToSignal(per: { $0.user }, limit: 1000, overflow: .dropOldest) { answer(to: $0) }
///
/// With `.dropOldest`, a value of one more key disposes the signal that was started first. With `.keepLatest` it
/// disposes all signals. With `.dropNewest` its signal is not started, and with `.fail` the subscription fails.
/// `.suspend` stops the program, because the suspended thread may be the one that ends a signal. So
/// does `.pause`, because no value waits here.
///
/// - Parameters:
///   - key: called once for each value, like `f`, on the emitting thread.
///   - limit: the maximum number of keys.
///   - overflow: the policy for a value of one more key.
///   - counter: counts the signals that were disposed early or not started.
///   - f: makes an inner signal of a value.
@preconcurrency
public func mapToSignal<T, R, E, Key: Hashable>(
    per key: @escaping @Sendable (T) -> Key, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil,
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    map(per: { value, _ in key(value) }, Bound(limit, overflow, counter), f)
}

/// Like `mapToSignal(per:)` with a limit, for any number of keys.
///
/// - Parameters:
///   - key: returns the key of a value. Values with one key replace each other.
///   - limit: nil.
///   - f: makes an inner signal of a value.
@preconcurrency
public func mapToSignal<T, R, E, Key: Hashable>(
    per key: @escaping @Sendable (T) -> Key, limit: Never?, _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    map(per: { value, _ in key(value) }, .none, f)
}

func map<T, R, E, Key: Hashable>(
    per key: @escaping (T, inout End<E>?) -> Key?, _ bound: Bound<E>, as operation: CString = #function,
    _ f: @escaping (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    precondition(bound.limit > 0, "limit must be 1 or more")
    bound.mustNotPause()
    return { signal in
        ComposedSignal(of: signal, .count(bound.limit), as: operation) { sink in
            let hub = KeyedHub<Key, R, E>(sink, bound)
            hub.open { signal.attach(KeyedSource(hub, key, f)) }
        }
    }
}

private final class KeyedHub<Key: Hashable, T, E>: GatherHub<T, E> {
    @exclusivity(unchecked) private var bound: Bound<E>?
    /// In the order in which their signals arrived.
    @exclusivity(unchecked) private var lanes = KeyLanes<Key>()

    init(_ sink: Sink<T, E>, _ bound: Bound<E>) {
        self.bound = bound
        super.init(sink)
    }

    func arrived(_ signal: Signal<T, E>, _ key: Key) {
        guard let lane = lanes[key] else { return arrivedFirst(signal, key) }
        run(signal, at: lane, inPlaceOf: [lane.number])
    }

    private func arrivedFirst(_ signal: Signal<T, E>, _ key: Key) {
        var previous: [SourceNumber] = []
        if let bound, bound.isFull(lanes.count) {
            let (going, end) = bound.overflow(of: lanes.count)
            if let end { return self.end(end) }
            if going == 0 { return }
            for _ in 0..<going { previous.append(vacateOldest()) }
        } else if signal.emitAtOnce(in: self) {
            return
        }
        run(signal, at: KeyLane(key), inPlaceOf: previous)
    }

    private func run(_ signal: Signal<T, E>, at lane: KeyLane<Key>, inPlaceOf previous: [SourceNumber]) {
        lanes.append(lane)
        start(signal, at: lane, inPlaceOf: previous)
    }

    /// Returns the number of the signal there. Its events no longer count.
    private func vacateOldest() -> SourceNumber {
        let oldest = lanes.takeOldest()
        defer { oldest.number = Lane.nobody }
        return oldest.number
    }

    override func completed(_ lane: Lane) { lanes.remove(unsafeDowncast(lane, to: KeyLane<Key>.self)) }

    override func clear() {
        bound = nil
        lanes.removeAll()
    }
}

private final class KeyedSource<T, Key: Hashable, R, E>: PlacedInlet<T, R, E, KeyedHub<Key, R, E>> {
    private let key: (T, inout End<E>?) -> Key?
    private let f: (T) -> Signal<R, E>

    init(
        _ hub: KeyedHub<Key, R, E>, _ key: @escaping (T, inout End<E>?) -> Key?, _ f: @escaping (T) -> Signal<R, E>
    ) {
        self.key = key
        self.f = f
        super.init(hub, at: 0)
    }

    override func next(_ value: T) {
        var end: End<E>?
        guard let key = key(value, &end) else { return hub.gotNoKey(end) }
        let signal = f(value)
        if hub.enter() {
            hub.arrived(signal, key)
            hub.leaveWithEffect()
        } else {
            enqueue { [unowned(unsafe) hub] in hub.arrived(signal, key) }
        }
    }
}
