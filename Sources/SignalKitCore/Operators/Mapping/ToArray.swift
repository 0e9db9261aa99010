/// Emits all values as one array at completion, also if there were none. An error drops them.
///
/// `overflow` must not be `.suspend`, because nothing frees space before the end.
///
/// - Parameters:
///   - limit: the maximum number of values.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts the dropped values.
public func toArray<T, E>(
    limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(limit > 0, "limit must be 1 or more")
    let bound = Bound(limit, overflow, counter), stage = ArraySink<T, E>.self
    bound.mustNotPause()
    return { signal in
        ComposedSignal(of: signal, .count(limit)) { signal.attach(stage.init($0, bound)) }
    }
}

/// Like `toArray` with a limit, for any number of values.
///
/// - Parameter limit: nil.
public func toArray<T, E>(limit: Never?) -> (Signal<T, E>) -> Signal<[T], E> {
    toArray(limit: .max, overflow: .dropNewest)
}

private final class ArraySink<T, E>: SerialStage<T, E, [T]> {
    private let bound: Bound<E>
    @exclusivity(unchecked) private var values = Batch<T>()

    init(_ downstream: Sink<[T], E>, _ bound: Bound<E>) {
        self.bound = bound
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if let end = bound.add(value, to: &values) { stop(downstream, end) }
    }

    override func receiveEnd(_ end: End<E>) {
        if case .completed = end { downstream.next(values.takeAll()) }
        if isWanted { downstream.end(end) }
    }
}
