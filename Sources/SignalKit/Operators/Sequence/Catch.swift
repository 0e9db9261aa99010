/// When the signal fails, goes on with the signal that `f` makes of the error, which is started before the failed one
/// is disposed. `f` is called on the failing thread.
public func `catch`<T, E, R>(_ f: @escaping (E) -> Signal<T, R>) -> (Signal<T, E>) -> Signal<T, R> {
    { signal in
        rounds(of: signal.depth) { { (end: End<E>?) -> FollowUp<T, E, R> in
            switch end {
            case nil: return .source(signal)
            case .completed?: return .end(.completed)
            case let .failed(failure)?: return .last(f(failure.error))
            }
        } }
    }
}

/// Starts the signal again each time it has completed, until it fails or the subscription is disposed (`restart |>
/// take(3)`).
public func restart<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    rounds(of: signal.depth) { { (end: End<E>?) -> FollowUp<T, E, E> in
        if case .failed? = end { return .end(end!) }
        return .source(signal)
    } }
}

/// The same as `restart`; the argument means nothing and is kept for programs that pass it.
public func recurse<T, E>(_ latestValue: T?) -> (Signal<T, E>) -> Signal<T, E> {
    { restart($0) }
}

/// Starts the signal again each time it has failed.
public func restartIfError<T, E>(_ signal: Signal<T, E>) -> Signal<T, NoError> {
    signal |> restartOrMapError { _ in .restart }
}

/// What `restartOrMapError` does about an error.
public enum RestartOrMapErrorCondition<R> {
    case restart
    case error(R)
}

/// When the signal fails, starts it again or fails with another error, as `condition` says.
public func restartOrMapError<T, E, R>(
    condition: @escaping (E) -> RestartOrMapErrorCondition<R>
) -> (Signal<T, E>) -> Signal<T, R> {
    { signal in
        rounds(of: signal.depth) { { (end: End<E>?) -> FollowUp<T, E, R> in
            switch end {
            case nil: return .source(signal)
            case .completed?: return .end(.completed)
            case let .failed(failure)?:
                switch condition(failure.error) {
                case .restart: return .source(signal)
                case let .error(error): return .end(.error(error))
                }
            }
        } }
    }
}

/// When the signal fails, starts it again if `predicate` is true for the error, otherwise fails. (SSignalKit's
/// `retryIf:`.)
public func retryIf<T, E>(_ predicate: @escaping (E) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    restartOrMapError { predicate($0) ? .restart : .error($0) }
}
