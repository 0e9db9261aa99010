/// `map` with a function that can throw: what it throws ends the run as its error, and the source is stopped.
///
///     texts |> tryMap { text throws(ParseError) in try parse(text) }
///
/// It throws the errors of the signal: a signal that cannot fail goes through `castError` before, and one whose error
/// is `any Error` takes a function that simply throws.
@preconcurrency
public func tryMap<T, E: Error, R>(_ f: @escaping @Sendable (T) throws(E) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    tryRelay { value, downstream throws(E) in downstream.next(try f(value)) }
}

/// `filter` with a function that can throw: what it throws ends the run as its error, and the source is stopped.
@preconcurrency
public func tryFilter<T, E: Error>(_ f: @escaping @Sendable (T) throws(E) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    tryRelay { value, downstream throws(E) in if try f(value) { downstream.next(value) } }
}

/// `compactMap` with a function that can throw: what it throws ends the run as its error, and the source is stopped.
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
            signal |> relay(as: operation) { value, downstream in
                do throws(E) { try receive(value, downstream) } catch { run.fail(error) }
            }
        }
    }
}
