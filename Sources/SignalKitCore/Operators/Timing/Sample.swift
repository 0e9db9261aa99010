/// Emits the latest value for each value of `trigger`, if a value arrived since the previous one.
///
/// Completion first emits the pending value. An error, also of `trigger`, drops it. `trigger` is started first, and its
/// completion is ignored.
public func sample<T, E, B>(on trigger: Signal<B, E>) -> (Signal<T, E>) -> Signal<T, E> {
    gathered(by: trigger) { LatestMachine() }
}

/// Like `sample(on:)`, with a trigger every `seconds` on `queue`, as from `Signal.interval`.
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
