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
        let policy = RetryPolicy.growing(delayIncrement, maxDelay, nil, resetOnValue)
        return retry($0, policy, queue, { _ in .end(.completed) }) { _, _ in nil }
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
        let policy = RetryPolicy.growing(delayIncrement, maxDelay, maxRetries, resetOnValue)
        return retry($0, policy, queue, { .end(.error($0)) }) { error, _ in
            retryOnError(error) ? nil : .end(.error(error))
        }
    }
}
