/// The state of a feedback loop.
public enum SignalFeedbackLoopState<T> {
    /// No signal has emitted a value.
    case initial
    /// The accumulated value.
    case loop(T)
}

/// Runs `once(.initial)` repeatedly until it returns nil. An error ends it.
///
/// As in SwiftSignalKit there is no feedback. `once` never receives `.loop`, `reduce` is never called, and no value is
/// emitted. `accumulatingLoop` provides the feedback.
@preconcurrency
public func feedbackLoop<R1, R, E>(
    once: @escaping @Sendable (SignalFeedbackLoopState<R1>) -> Signal<R1, E>?,
    reduce: @escaping @Sendable (R1, R1) -> R1
) -> Signal<R, E> {
    rounds(of: .none) {
        { (end: End<E>?) -> FollowUp<R, E, E> in
            if case .failed? = end { return .end(end!) }
            guard let signal = once(.initial) else { return .end(.completed) }
            return .source(signal |> compactMap { _ in nil })
        }
    }
}

/// Runs the signals that `once` makes, one after another, until it returns nil, and folds their values with `reduce`.
///
/// The first value starts the accumulation. The accumulated value is emitted at each value. `once` receives it for the
/// next signal, or `.initial` if there was no value yet. An error ends the loop. Calls of `once` and `reduce` are
/// serialized.
@preconcurrency
public func accumulatingLoop<R, E>(
    once: @escaping @Sendable (SignalFeedbackLoopState<R>) -> Signal<R, E>?, reduce: @escaping @Sendable (R, R) -> R
) -> Signal<R, E> {
    accumulating(as: #function, once) { accumulated, value, _ in reduce(accumulated, value) }
}

/// Like `accumulatingLoop`, for a function that may return no value. It stores the terminal event, if the subscription
/// ends.
func accumulating<R, E>(
    as operation: CString, _ once: @escaping (SignalFeedbackLoopState<R>) -> Signal<R, E>?,
    _ reduce: @escaping (R, R, inout End<E>?) -> R?
) -> Signal<R, E> {
    ComposedSignal(as: operation) { sink in
        let accumulator = AccumulatorSink<R, E>(sink, reduce)
        let loop: Signal<R, E> = rounds(of: .none) {
            { (end: End<E>?) -> FollowUp<R, E, E> in
                if case .failed? = end { return .end(end!) }
                guard let signal = once(accumulator.state) else { return .end(.completed) }
                return .source(signal)
            }
        }
        loop.attach(accumulator)
    }
}

/// Downstream of the rounds, which emit one event at a time, and ask for the next round only after the previous one has
/// ended.
private final class AccumulatorSink<R, E>: Attempt<R, E>, @unchecked Sendable {
    private let reduce: (R, R, inout End<E>?) -> R?
    @exclusivity(unchecked) private(set) var state = SignalFeedbackLoopState<R>.initial

    init(_ downstream: Sink<R, E>, _ reduce: @escaping (R, R, inout End<E>?) -> R?) {
        self.reduce = reduce
        super.init(downstream)
    }

    override func next(_ value: R) {
        var accumulated: R? = value, end: End<E>?
        if case let .loop(before) = state { accumulated = reduce(before, value, &end) }
        if let accumulated {
            state = .loop(accumulated)
            downstream.next(accumulated)
        }
        if let end { finish(end) }
    }
}
