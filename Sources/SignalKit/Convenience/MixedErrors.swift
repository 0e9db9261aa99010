// Operators on two signals with different types of errors, where one of them cannot fail. `castError` is applied to
// that one. The compiler prefers the forms of the core, in which both types are the same.

/// Like `mapToSignal` of a signal that cannot fail. The signals that `f` makes can fail.
@_disfavoredOverload
public func mapToSignal<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, Never>) -> Signal<R, E> {
    { $0 |> castError(E.self) |> mapToSignal(f) }
}

/// Like `mapToSignal` of a signal that can fail. The signals that `f` makes cannot fail.
@_disfavoredOverload
public func mapToSignal<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, Never>
) -> (Signal<T, E>) -> Signal<R, E> {
    { $0 |> mapToSignal { f($0) |> castError(E.self) } }
}

/// Like `mapToQueue` of a signal that cannot fail. The signals that `f` makes can fail.
@_disfavoredOverload
public func mapToQueue<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, Never>) -> Signal<R, E> {
    { $0 |> castError(E.self) |> mapToQueue(f) }
}

/// Like `mapToQueue` of a signal that can fail. The signals that `f` makes cannot fail.
@_disfavoredOverload
public func mapToQueue<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, Never>
) -> (Signal<T, E>) -> Signal<R, E> {
    { $0 |> mapToQueue { f($0) |> castError(E.self) } }
}

/// Like `mapToThrottled` of a signal that cannot fail. The signals that `f` makes can fail.
@_disfavoredOverload
public func mapToThrottled<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, Never>) -> Signal<R, E> {
    { $0 |> castError(E.self) |> mapToThrottled(f) }
}

/// Like `mapToThrottled` of a signal that can fail. The signals that `f` makes cannot fail.
@_disfavoredOverload
public func mapToThrottled<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, Never>
) -> (Signal<T, E>) -> Signal<R, E> {
    { $0 |> mapToThrottled { f($0) |> castError(E.self) } }
}

/// Like `mapToFirst` of a signal that cannot fail. The signals that `f` makes can fail.
@_disfavoredOverload
public func mapToFirst<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, Never>) -> Signal<R, E> {
    { $0 |> castError(E.self) |> mapToFirst(f) }
}

/// Like `mapToFirst` of a signal that can fail. The signals that `f` makes cannot fail.
@_disfavoredOverload
public func mapToFirst<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, Never>
) -> (Signal<T, E>) -> Signal<R, E> {
    { $0 |> mapToFirst { f($0) |> castError(E.self) } }
}

/// Like `mapToMerged` of a signal that cannot fail. The signals that `f` makes can fail.
///
/// - Parameters:
///   - limit: how many inner signals run at the same time. Any number may be pending.
///   - f: makes an inner signal of a value.
@_disfavoredOverload
public func mapToMerged<T, R, E>(
    limit: Int, _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, Never>) -> Signal<R, E> {
    { $0 |> castError(E.self) |> mapToMerged(limit: limit, waiting: nil, f) }
}

/// Like `mapToMerged` of a signal that can fail. The signals that `f` makes cannot fail.
///
/// - Parameters:
///   - limit: how many inner signals run at the same time. Any number may be pending.
///   - f: makes an inner signal of a value.
@_disfavoredOverload
public func mapToMerged<T, R, E>(
    limit: Int, _ f: @escaping @Sendable (T) -> Signal<R, Never>
) -> (Signal<T, E>) -> Signal<R, E> {
    { $0 |> mapToMerged(limit: limit, waiting: nil) { f($0) |> castError(E.self) } }
}

/// Like `catch`, where the signals that `f` makes cannot fail. Then the result cannot fail.
public func `catch`<T, E>(_ f: @escaping @Sendable (E) -> Signal<T, Never>) -> (Signal<T, E>) -> Signal<T, Never> {
    caught(f)
}

/// The form of the core.
private func caught<T, E, R>(_ f: @escaping @Sendable (E) -> Signal<T, R>) -> (Signal<T, E>) -> Signal<T, R> {
    `catch`(f)
}

/// Like `tryMap`, with a function that throws errors of any type. The result fails with them, and with the errors of
/// the
/// signal.
///
/// A closure that calls a throwing function throws `any Error`, unless it says more: `{ text throws(ParseError) in …
/// }`.
@_disfavoredOverload
public func tryMap<T, E: Error, R>(
    _ f: @escaping @Sendable (T) throws -> R
) -> (Signal<T, E>) -> Signal<R, any Error> {
    { $0 |> mapError { $0 as any Error } |> tryMap(f) }
}

/// Like `tryFilter`, with a function that throws errors of any type. The result fails with them, and with the errors of
/// the signal.
@_disfavoredOverload
public func tryFilter<T, E: Error>(
    _ f: @escaping @Sendable (T) throws -> Bool
) -> (Signal<T, E>) -> Signal<T, any Error> {
    { $0 |> mapError { $0 as any Error } |> tryFilter(f) }
}

/// Like `tryCompactMap`, with a function that throws errors of any type. The result fails with them, and with the
/// errors
/// of the signal.
@_disfavoredOverload
public func tryCompactMap<T, E: Error, R>(
    _ f: @escaping @Sendable (T) throws -> R?
) -> (Signal<T, E>) -> Signal<R, any Error> {
    { $0 |> mapError { $0 as any Error } |> tryCompactMap(f) }
}
