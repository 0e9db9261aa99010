/// Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
/// value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It is
/// started first.
public func sample<T, E, B>(on trigger: Signal<B, E>) -> (Signal<T, E>) -> Signal<T, E> {
    gathered(by: trigger) { LatestMachine() }
}

/// The same every `seconds`, on `queue`, as `Signal.interval`.
public func sample<T, E>(_ seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    gathered(by: Signal<Int, E>.interval(seconds, queue: queue), isOwn: true) { LatestMachine() }
}

private struct LatestMachine<Value>: RateMachine {
    private var pending: Value?

    mutating func next(_ value: Value, at now: Double) -> (emit: Value?, wake: Double?) {
        pending = .some(value)
        return (nil, nil)
    }

    mutating func wake(at now: Double) -> (emit: Value?, wake: Double?) { (nil, nil) }

    mutating func takePending() -> Value? {
        defer { pending = nil }
        return pending
    }
}
