/// Waits on `queue` after a failure, then starts the signal again there. It never fails. The first attempt starts on
/// the caller's thread.
///
/// - Parameters:
///   - delayIncrement: seconds before the second attempt, and the increase of each further delay.
///   - maxDelay: the longest delay in seconds.
///   - queue: where it waits, and starts the signal again.
///   - resetOnValue: whether a value resets the delay. By default the delays keep growing, as in SwiftSignalKit.
public func retry<T, E>(
    _ delayIncrement: Double, maxDelay: Double, onQueue queue: Queue, resetOnValue: Bool = false
) -> (_ signal: Signal<T, E>) -> Signal<T, NoError> {
    {
        retry(
            $0, RetryMachine(.growing(delayIncrement, maxDelay), nil), queue, resetOnValue, { _ in true },
            { _ in .end(.completed) })
    }
}

/// Waits on `queue` after an error that `retryOnError` accepts, then starts the signal again there.
///
/// - Parameters:
///   - retryOnError: returns whether to retry after an error.
///   - delayIncrement: seconds before the second attempt, and the increase of each further delay.
///   - maxDelay: the longest delay in seconds.
///   - maxRetries: the maximum number of attempts. The error of the last one ends the result. With 0 or 1 the first
///     error ends it. Nil means no limit.
///   - queue: where it waits, and starts the signal again.
///   - resetOnValue: whether a value resets the delay and the number of attempts.
@preconcurrency
public func retry<T, E>(
    retryOnError: @escaping @Sendable (E) -> Bool, delayIncrement: Double, maxDelay: Double, maxRetries: Int?,
    onQueue queue: Queue, resetOnValue: Bool = false
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    {
        retry(
            $0, RetryMachine(.growing(delayIncrement, maxDelay), maxRetries), queue, resetOnValue, retryOnError,
            { .end(.error($0)) })
    }
}

/// Decides how long to wait after a failure, and when to give up.
struct RetryMachine {
    enum Waits {
        /// The increment and the maximum, in seconds.
        case growing(Double, Double)
        case exponential(BackoffMachine)
    }

    private var waits: Waits
    private let attempts: Int?
    private var failures = 0

    init(_ waits: Waits, _ attempts: Int?) {
        self.waits = waits
        self.attempts = attempts
    }

    /// Returns the seconds before the next attempt, or nil to give up.
    mutating func failed() -> Double? {
        failures += 1
        if let attempts, failures >= attempts { return nil }
        switch waits {
        case let .growing(increment, maximum): return min(maximum, Double(failures) * increment)
        case var .exponential(machine):
            defer { waits = .exponential(machine) }
            return machine.wait(after: failures)
        }
    }

    mutating func reset() { failures = 0 }

    /// The first wait, the longest, and how many attempts there are.
    var parameter: Parameter {
        let (first, longest) =
            switch waits {
            case let .growing(increment, maximum): (increment, maximum)
            case let .exponential(machine): machine.bounds
            }
        return .several([.seconds(first), .seconds(longest), .count(attempts ?? .max)])
    }
}

func retry<T, E, F>(
    _ signal: Signal<T, E>, _ machine: @escaping @autoclosure () -> RetryMachine, _ queue: Queue, _ resetOnValue: Bool,
    _ isRetried: @escaping (E) -> Bool, _ giveUp: @escaping (E) -> FollowUp<T, E, F>
) -> Signal<T, F> {
    deferred(of: .one(signal), depth: signal.depth + 2, machine().parameter) {
        let attempts = Attempts(machine())
        let result: Signal<T, F> = rounds(of: .one(signal)) { { (end: End<E>?) -> FollowUp<T, E, F> in
            switch end {
            case nil: return .source(signal)
            case .completed?: return .end(.completed)
            case let .failed(failure)?:
                let error = failure.error
                guard isRetried(error), let delay = attempts.machine.failed() else { return giveUp(error) }
                return .later(delay, queue, signal)
            }
        } }
        // Downstream of the rounds, where events are serialized. Thus no value arrives between the end of an attempt
        // and the decision about it.
        return resetOnValue ? result |> beforeNext { _ in attempts.machine.reset() } : result
    }
}

/// The attempts of one subscription.
private final class Attempts {
    @exclusivity(unchecked) var machine: RetryMachine
    init(_ machine: RetryMachine) { self.machine = machine }
}
