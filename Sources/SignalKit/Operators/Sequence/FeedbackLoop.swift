/// Where a loop stands.
public enum SignalFeedbackLoopState<T> {
    /// Before the first signal.
    case initial
    /// After one, with what is accumulated.
    case loop(T)
}

/// Runs `once(.initial)`, again and again until it returns nil; an error ends it.
///
/// As in SwiftSignalKit nothing is fed back: `once` never gets `.loop`, `reduce` is never called, and no value is
/// emitted. `accumulatingLoop` does what the name promises.
@preconcurrency
public func feedbackLoop<R1, R, E>(
    once: @escaping @Sendable (SignalFeedbackLoopState<R1>) -> Signal<R1, E>?,
    reduce: @escaping @Sendable (R1, R1) -> R1
) -> Signal<R, E> {
    rounds(of: .none) { { (end: End<E>?) -> FollowUp<R, E, E> in
        if case .failed? = end { return .end(end!) }
        guard let signal = once(.initial) else { return .end(.completed) }
        return .source(signal |> compactMap { _ in nil })
    } }
}

/// Runs the signals that `once` makes, one after another, until it returns nil, and folds all their values into one by
/// `reduce`.
///
/// The first value of all is the beginning. What has been accumulated is emitted at each value, and is what `once` gets
/// for the next round (`.initial` as long as there was no value). An error ends it. `once` and `reduce` are called one
/// at a time.
@preconcurrency
public func accumulatingLoop<R, E>(
    once: @escaping @Sendable (SignalFeedbackLoopState<R>) -> Signal<R, E>?, reduce: @escaping @Sendable (R, R) -> R
) -> Signal<R, E> {
    ComposedSignal { sink in
        let accumulator = AccumulatorSink<R, E>(sink, reduce)
        let loop: Signal<R, E> = rounds(of: .none) { { (end: End<E>?) -> FollowUp<R, E, E> in
            if case .failed? = end { return .end(end!) }
            guard let signal = once(accumulator.state) else { return .end(.completed) }
            return .source(signal)
        } }
        loop.attach(accumulator)
    }
}

/// Below the rounds, which let in one event at a time and ask for the next round only after the one before has ended.
private final class AccumulatorSink<R, E>: Stage<R, E, R> {
    private let reduce: (R, R) -> R
    @exclusivity(unchecked) private(set) var state = SignalFeedbackLoopState<R>.initial

    init(_ downstream: Sink<R, E>, _ reduce: @escaping (R, R) -> R) {
        self.reduce = reduce
        super.init(downstream)
    }

    override func next(_ value: R) {
        var accumulated = value
        if case let .loop(before) = state { accumulated = reduce(before, value) }
        state = .loop(accumulated)
        downstream.next(accumulated)
    }
}
