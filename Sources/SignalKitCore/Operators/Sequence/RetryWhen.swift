/// Starts the signal again after a failure, when a trigger emits.
///
/// The trigger is the signal that `f` makes of the error and the number of the failure, from 1 on. Its first value
/// starts the next attempt. If it fails, the result fails with its error. If it completes without a value, the result
/// fails with the signal's error.
///
/// **Thread:** `f` is called on the failing thread.
/// **Order:** the next attempt starts before the trigger is disposed, unless the trigger emits inside its own start.
/// **Warning:** do not return the same shared signal for each failure. If the next attempt fails inside its start, it
/// joins the trigger that is being delivered, and waits for a further value.
@preconcurrency
public func retryWhen<T, E, U>(_ f: @escaping @Sendable (E, Int) -> Signal<U, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        let attempt = signal |> mapError { Attempted.again($0) }
        return rounds(of: .one(signal), depth: signal.depth + 2) {
            var failures = 0
            return { (end: End<Attempted<E>>?) -> FollowUp<T, Attempted<E>, E> in
                switch end {
                case nil: return .source(attempt)
                case .completed?: return .end(.completed)
                case let .failed(failure)?:
                    switch failure.error {
                    case let .giveUp(error): return .end(.error(error))
                    case let .again(error):
                        failures += 1
                        let when: Signal<U, Attempted<E>> = f(error, failures) |> mapError { .giveUp($0) }
                        return .source(when |> first(then: attempt, else: .giveUp(error)))
                    }
                }
            }
        }
    }
}

private enum Attempted<E> {
    case again(E)
    case giveUp(E)
}

/// Switches to `next` at the first value, or fails if the signal completes without one.
private func first<T, U, E>(then next: Signal<T, E>, else error: E) -> (Signal<U, E>) -> Signal<T, E> {
    { last(signal: $0 |> take(1) |> map { _ in true }) |> mapToSignal { $0 == nil ? .fail(error) : next } }
}
