/// Forwards the first `count` values, then completes.
///
/// It never forwards more than `count` values, even with several emitting threads. With 0 or less it completes
/// immediately, without subscribing.
public func take<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        if count <= 0 { return Signal.complete() }
        let stage = TakeSink<T, E>.self
        return ComposedSignal(of: signal, .count(count)) { signal.attach(stage.init($0, count)) }
    }
}

/// The decision of `take(until:)` about a value.
public struct SignalTakeAction {
    /// True to forward the value.
    public let passthrough: Bool
    /// True to complete.
    public let complete: Bool

    /// With both answers.
    public init(passthrough: Bool, complete: Bool) {
        self.passthrough = passthrough
        self.complete = complete
    }
}

/// Calls `until` with each value. The result decides whether to forward the value, and whether to complete afterwards.
@preconcurrency
public func take<T, E>(until: @escaping @Sendable (T) -> SignalTakeAction) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = TakeUntilSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, until)) } }
}

/// Forwards the values as long as `f` returns true. Drops the first value for which it returns false, and completes.
@preconcurrency
public func take<T, E>(while f: @escaping @Sendable (T) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    take(until: { value in
        let goesOn = f(value)
        return SignalTakeAction(passthrough: goesOn, complete: !goesOn)
    })
}

private final class TakeSink<T, E>: SerialStage<T, E, T> {
    @exclusivity(unchecked) private var remaining: Int

    init(_ downstream: Sink<T, E>, _ count: Int) {
        remaining = count
        super.init(downstream)
    }

    override func receive(_ value: T) {
        remaining -= 1
        downstream.next(value)
        if remaining == 0 { stop(downstream, .completed) }
    }
}

private final class TakeUntilSink<T, E>: SerialStage<T, E, T> {
    private let until: (T) -> SignalTakeAction

    init(_ downstream: Sink<T, E>, _ until: @escaping (T) -> SignalTakeAction) {
        self.until = until
        super.init(downstream)
    }

    override func receive(_ value: T) {
        let action = until(value)
        if action.passthrough && isWanted { downstream.next(value) }
        if action.complete { stop(downstream, .completed) }
    }
}
