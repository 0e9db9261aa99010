/// The delays between the attempts of `retry`.
public struct RetryBackoff: Sendable {
    let initial: Double
    let factor: Double
    let increment: Double
    let maximum: Double
    let jitter: Double
    let seed: UInt64?

    /// Waits `initial` seconds before the second attempt, and `factor` times longer before each further one, up to
    /// `max`.
    ///
    /// - Parameters:
    ///   - initial: seconds before the second attempt.
    ///   - factor: the ratio between successive delays.
    ///   - max: the longest delay in seconds.
    ///   - jitter: from 0 to 1. Each delay is changed randomly by at most this fraction, up to `max`.
    ///   - seed: makes the random numbers the same in each subscription, for tests. Nil uses a different seed each
    ///     time.
    public static func exponential(
        initial: Double, factor: Double = 2, max: Double, jitter: Double = 0, seed: UInt64? = nil
    ) -> RetryBackoff {
        precondition(factor >= 1, "factor must be 1 or more")
        precondition(jitter >= 0 && jitter <= 1, "jitter must be from 0 to 1")
        return RetryBackoff(
            initial: initial, factor: factor, increment: 0, maximum: max, jitter: jitter, seed: seed)
    }
}

/// Waits on `queue` after a failure, then starts the signal again there.
///
/// - Parameters:
///   - attempts: the maximum number of attempts. The error of the last one ends the result. With 0 or 1 the first error
///     ends it. Nil means no limit.
///   - backoff: the delays between the attempts.
///   - queue: where it waits, and starts the signal again.
///   - resetOnValue: whether a value resets the delay and the number of attempts.
public func retry<T, E>(
    _ attempts: Int?, backoff: RetryBackoff, queue: Queue, resetOnValue: Bool = false
) -> (Signal<T, E>) -> Signal<T, E> {
    {
        let policy = RetryPolicy(backoff: backoff, attempts: attempts, resetOnValue: resetOnValue)
        return retry($0, policy, queue, { .end(.error($0)) }) { _, _ in nil }
    }
}

/// The delays of one subscription.
struct BackoffMachine {
    private let backoff: RetryBackoff
    private var longest = 0.0
    /// Of SplitMix64.
    private var state: UInt64

    init(_ backoff: RetryBackoff) {
        self.backoff = backoff
        state = backoff.jitter == 0 ? 0 : backoff.seed ?? UInt64.random(in: .min ... .max)
    }

    mutating func wait(after failures: Int) -> Double {
        longest = min(
            failures == 1 ? backoff.initial : longest * backoff.factor + backoff.increment, backoff.maximum)
        if backoff.jitter == 0 { return longest }
        return min(longest * (1 + backoff.jitter * (2 * chance() - 1)), backoff.maximum)
    }

    /// From 0 to 1.
    private mutating func chance() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
