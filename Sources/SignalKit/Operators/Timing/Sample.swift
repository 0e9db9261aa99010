/// Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
/// value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It is
/// started first.
public func sample<T, E, B>(on trigger: Signal<B, E>) -> (Signal<T, E>) -> Signal<T, E> {
    gathered(by: trigger) { LatestMachine() }
}

/// The same every `seconds`, on `queue`, as `Signal.interval`.
public func sample<T, E>(_ seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    gathered(by: Signal<Int, E>.interval(seconds, queue: queue), .seconds(seconds), isOwn: true) { LatestMachine() }
}

private struct LatestMachine<Value>: RateMachine, ~Copyable {
    private var pending = Cell<Value>()

    mutating func next(_ value: Value, at now: Double) -> RateDecision {
        pending.set(value)
        return RateDecision()
    }

    mutating func wake(at now: Double) -> RateDecision { RateDecision() }

    var hasPending: Bool { pending.hasValue }
    mutating func takePending() -> Value { pending.move() }
}
