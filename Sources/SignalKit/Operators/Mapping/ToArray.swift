/// Emits all values as one array, at completion, also when there were none. An error drops them.
///
/// Nobody takes values out before the end, so nobody can be suspended until then: `.suspend` stops the program.
/// - Parameters:
///   - limit: how many values are kept at most; what comes then goes by `overflow`.
///   - counter: told of what overflows.
public func toArray<T, E>(
    limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(limit > 0, "nothing could be kept")
    if case .suspend = overflow { preconditionFailure("there is no room before the end") }
    return { signal in ComposedSignal(of: signal) { signal.attach(ArraySink($0, limit, overflow, counter)) } }
}

/// The same without a bound.
/// - Parameter limit: nil.
public func toArray<T, E>(limit: Never?) -> (Signal<T, E>) -> Signal<[T], E> {
    toArray(limit: .max, overflow: .dropNewest)
}

private final class ArraySink<T, E>: SerialStage<T, E, [T]> {
    private let limit: Int
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter?
    @exclusivity(unchecked) private var values = Batch<T>()

    init(_ downstream: Sink<[T], E>, _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?) {
        self.limit = limit
        self.overflow = overflow
        self.counter = counter
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if values.count < limit || makeRoom() { values.append(value) }
    }

    /// Drops what the policy says. Returns whether the new value is kept.
    private func makeRoom() -> Bool {
        var dropped = 1
        defer { counter?.drop(dropped) }
        switch overflow {
        case .suspend, .dropNewest:
            return false
        case .dropOldest:
            _ = values.takeFirst()
        case .keepLatest:
            dropped = values.count
            values = Batch()
        case let .fail(error):
            stop(downstream, .error(error))
            return false
        }
        return true
    }

    override func receiveEnd(_ end: End<E>) {
        if case .completed = end { downstream.next(values.takeAll()) }
        if isWanted { downstream.end(end) }
    }
}
