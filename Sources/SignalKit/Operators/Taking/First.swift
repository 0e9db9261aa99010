/// Forwards the first value, then completes. If there is no value, it forwards the terminal event.
///
/// Omit the label after `|>`: `signal |> first`.
public func first<T, E>(signal: Signal<T, E>) -> Signal<T, E> { take(1)(signal) }

/// Forwards the first value and completes right after it; emits `value` if the signal completes without one.
public func first<T, E>(or value: T) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in signal |> take(1) |> defaultIfEmpty(value) }
}
