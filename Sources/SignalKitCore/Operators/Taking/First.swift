/// Forwards the first value, then completes. If there is no value, it forwards the terminal event.
///
/// Omit the label after `|>`: `signal |> first`.
public func first<T, E>(signal: Signal<T, E>) -> Signal<T, E> { take(1)(signal) }

/// Forwards the first value, then completes. If the signal completes without a value, it emits `value`.
public func first<T, E>(or value: T) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in signal |> take(1) |> defaultIfEmpty(value) }
}
