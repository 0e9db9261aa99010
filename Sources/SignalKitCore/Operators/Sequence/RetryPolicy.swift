/// When `retry` starts a signal again, and when it gives up.
struct RetryPolicy {
    var backoff: RetryBackoff
    /// In all. Nil means no limit.
    var attempts: Int?
    /// Whether a value makes the next failure the first one.
    var resetOnValue: Bool
    /// Whether an attempt without a wait starts on the failing thread, instead of on the queue.
    var isImmediate = false
    /// An attempt that fails after this many seconds makes its failure the first one.
    var resetAfter = Double.infinity

    /// Waits that are longer by the first one each time.
    static func growing(
        _ increment: Double, _ maximum: Double, _ attempts: Int?, _ resetOnValue: Bool
    ) -> RetryPolicy {
        let backoff = RetryBackoff(
            initial: increment, factor: 1, increment: increment, maximum: maximum, jitter: 0, seed: nil)
        return RetryPolicy(backoff: backoff, attempts: attempts, resetOnValue: resetOnValue)
    }

    /// The first wait, the longest, and how many attempts there are.
    var parameter: Parameter {
        .several([.seconds(backoff.initial), .seconds(backoff.maximum), .count(attempts ?? .max)])
    }
}

/// Counts the failures of one subscription, and decides how long to wait after each.
struct RetryMachine {
    private var waits: BackoffMachine
    private let attempts: Int?
    private(set) var failures = 0

    init(_ policy: RetryPolicy) {
        waits = BackoffMachine(policy.backoff)
        attempts = policy.attempts
    }

    /// Returns the seconds before the next attempt, or nil to give up.
    mutating func failed() -> Double? {
        failures += 1
        if let attempts, failures >= attempts { return nil }
        return waits.wait(after: failures)
    }

    mutating func reset() { failures = 0 }
}

/// Starts the signal again after failures. `giveUp` ends the result with an error.
///
/// `decide` receives the error and the number of the failure, unless it was the last attempt. It returns nil to start
/// again after the wait of the policy. A source is a trigger: its first value starts the next attempt. If it fails, its
/// error ends the result. If it completes without a value, the error of the failure does.
func retry<T, E, F>(
    _ signal: Signal<T, E>, _ policy: RetryPolicy, _ queue: Queue, _ giveUp: @escaping (E) -> FollowUp<T, E, F>,
    _ decide: @escaping (E, Int) -> FollowUp<T, E, F>?
) -> Signal<T, F> {
    deferred(of: .one(signal), depth: signal.depth + 2, policy.parameter) {
        let attempts = Attempts<E>(policy, queue)
        let attempt = policy.resetAfter == .infinity ? signal : attempts.timed(signal)
        let result: Signal<T, F> = rounds(of: .one(signal)) {
            { (end: End<E>?) -> FollowUp<T, E, F> in
                switch end {
                case nil: return .source(attempt)
                case .completed?:
                    guard let error = attempts.takeAwaiting() else { return .end(.completed) }
                    return attempts.isTriggered ? .source(attempt) : giveUp(error)
                case let .failed(failure)?:
                    let error = failure.error
                    guard attempts.takeAwaiting() == nil, let wait = attempts.failed(policy) else {
                        return giveUp(error)
                    }
                    switch decide(error, attempts.machine.failures) {
                    case nil where wait == 0 && policy.isImmediate: return .source(attempt)
                    case nil: return .later(wait, queue, attempt)
                    case let .source(trigger)?: return .source(attempts.awaiting(trigger, after: error))
                    case let other?: return other
                    }
                }
            }
        }
        // Downstream of the rounds, where events are serialized. Thus no value arrives between the end of an attempt
        // and the decision about it.
        return policy.resetOnValue ? result |> beforeNext { _ in attempts.machine.reset() } : result
    }
}

/// The attempts of one subscription.
private final class Attempts<E> {
    @exclusivity(unchecked) var machine: RetryMachine
    /// True after the trigger has emitted.
    @exclusivity(unchecked) private(set) var isTriggered = false
    /// The error after which a trigger is running.
    @exclusivity(unchecked) private var error: E?
    @exclusivity(unchecked) private var began = 0.0
    private let queue: Queue

    init(_ policy: RetryPolicy, _ queue: Queue) {
        machine = RetryMachine(policy)
        self.queue = queue
    }

    /// Stores the time of each start.
    func timed<T>(_ signal: Signal<T, E>) -> Signal<T, E> {
        deferred(of: .one(signal), depth: signal.depth + 1) {
            self.began = self.queue.now
            return signal
        }
    }

    /// Returns the seconds before the next attempt, or nil to give up.
    func failed(_ policy: RetryPolicy) -> Double? {
        if policy.resetAfter != .infinity, queue.now - began >= policy.resetAfter { machine.reset() }
        return machine.failed()
    }

    /// Completes at the first value of the trigger, and forwards none.
    func awaiting<T>(_ trigger: Signal<T, E>, after error: E) -> Signal<T, E> {
        isTriggered = false
        self.error = error
        return trigger |> take(1)
            |> filter { _ in
                self.isTriggered = true
                return false
            }
    }

    /// Returns the error after which a trigger was running, and forgets it.
    func takeAwaiting() -> E? {
        defer { error = nil }
        return error
    }
}
