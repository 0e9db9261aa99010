/// Forwards the first value and completes right after it; if there is none, the end of the signal is the end. After
/// `|>`, without the label: `signal |> first`.
public func first<T, E>(signal: Signal<T, E>) -> Signal<T, E> { take(1)(signal) }

/// Forwards the first value and completes right after it; emits `value` if the signal completes without one.
public func first<T, E>(or value: T) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in signal |> take(1) |> defaultIfEmpty(value) }
}
