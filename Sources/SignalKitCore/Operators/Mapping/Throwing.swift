/// Like `map`, with a function that can throw. A thrown error ends the subscription and disposes the source.
///
///     texts |> tryMap { text throws(ParseError) in try parse(text) }
///
/// `f` must throw the error type of the signal. Apply `castError` first if the signal cannot fail. If the error type is
/// `any Error`, `f` can be any throwing function.
@preconcurrency
public func tryMap<T, E: Error, R>(_ f: @escaping @Sendable (T) throws(E) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    tryRelay { value, downstream throws(E) in downstream.next(try f(value)) }
}

/// Like `filter`, with a function that can throw. A thrown error ends the subscription and disposes the source.
@preconcurrency
public func tryFilter<T, E: Error>(_ f: @escaping @Sendable (T) throws(E) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    tryRelay { value, downstream throws(E) in if try f(value) { downstream.next(value) } }
}

/// Like `compactMap`, with a function that can throw. A thrown error ends the subscription and disposes the source.
@preconcurrency
public func tryCompactMap<T, E: Error, R>(
    _ f: @escaping @Sendable (T) throws(E) -> R?
) -> (Signal<T, E>) -> Signal<R, E> {
    tryRelay { value, downstream throws(E) in if let result = try f(value) { downstream.next(result) } }
}

private func tryRelay<T, E: Error, R>(
    as operation: CString = #function, _ receive: @escaping (T, Sink<R, E>) throws(E) -> Void
) -> (Signal<T, E>) -> Signal<R, E> {
    { signal in
        attempt(of: .one(signal), depth: signal.depth + 1, as: operation) { run in
            signal
                |> relay(as: operation) { value, downstream in
                    do throws(E) { try receive(value, downstream) } catch { run.fail(error) }
                }
        }
    }
}
