/// Switches to the signal that `f` makes of the error when the signal fails.
///
/// The operator starts the new signal, then disposes the failed one. `f` is called on the failing thread.
@preconcurrency
public func `catch`<T, E, R>(_ f: @escaping @Sendable (E) -> Signal<T, R>) -> (Signal<T, E>) -> Signal<T, R> {
    { signal in
        rounds(of: .one(signal)) {
            { (end: End<E>?) -> FollowUp<T, E, R> in
                switch end {
                case nil: return .source(signal)
                case .completed?: return .end(.completed)
                case let .failed(failure)?: return .last(f(failure.error))
                }
            }
        }
    }
}

/// When the signal fails, emits `value` and completes instead.
public func catchAndReturn<T, E>(_ value: T) -> (Signal<T, E>) -> Signal<T, NoError> {
    `catch` { _ in .single(value) }
}

/// Starts the signal again after each completion, until it fails or the subscription is disposed (`restart |>
/// take(3)`).
public func restart<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    rounds(of: .one(signal)) {
        { (end: End<E>?) -> FollowUp<T, E, E> in
            if case .failed? = end { return .end(end!) }
            return .source(signal)
        }
    }
}

/// Runs the signal `count` times, each time after the previous completion, until it fails.
///
/// With 0 or less it completes immediately, without subscribing. (`restart` has no count.)
public func `repeat`<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        if count <= 0 { return .complete() }
        return rounds(of: .one(signal), .count(count)) {
            var left = count
            return { (end: End<E>?) -> FollowUp<T, E, E> in
                if case .failed? = end { return .end(end!) }
                left -= 1
                return left == 0 ? .last(signal) : .source(signal)
            }
        }
    }
}

/// Like `restart`. The argument is ignored. It exists for programs that pass it.
public func recurse<T, E>(_ latestValue: T?) -> (Signal<T, E>) -> Signal<T, E> {
    { restart($0) }
}

/// Starts the signal again each time it has failed.
public func restartIfError<T, E>(_ signal: Signal<T, E>) -> Signal<T, NoError> {
    signal |> restartOrMapError { _ in .restart }
}

/// The reaction of `restartOrMapError` to an error.
public enum RestartOrMapErrorCondition<R> {
    /// The signal is started again.
    case restart
    /// It fails with this.
    case error(R)
}

/// Starts the signal again after a failure, or fails with another error, depending on `condition`.
@preconcurrency
public func restartOrMapError<T, E, R>(
    condition: @escaping @Sendable (E) -> RestartOrMapErrorCondition<R>
) -> (Signal<T, E>) -> Signal<T, R> {
    { signal in
        rounds(of: .one(signal)) {
            { (end: End<E>?) -> FollowUp<T, E, R> in
                switch end {
                case nil: return .source(signal)
                case .completed?: return .end(.completed)
                case let .failed(failure)?:
                    switch condition(failure.error) {
                    case .restart: return .source(signal)
                    case let .error(error): return .end(.error(error))
                    }
                }
            }
        }
    }
}

/// Starts the signal again after an error for which `predicate` returns true. Other errors end the result.
/// (SSignalKit's `retryIf:`.)
@preconcurrency
public func retryIf<T, E>(_ predicate: @escaping @Sendable (E) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    restartOrMapError { predicate($0) ? .restart : .error($0) }
}
