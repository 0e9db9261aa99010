// Shorter forms of operators of the core.

/// Drops a value if its key equals the key of the last value that passed: `users |> distinctUntilChanged(\.name)`.
public func distinctUntilChanged<T, E, Key: Equatable>(
    _ key: @escaping @Sendable (T) -> Key
) -> (Signal<T, E>) -> Signal<T, E> {
    distinctUntilChanged(isEqual: { key($0) == key($1) })
}

/// Like `scan`, with a function that changes the accumulated value in place. It copies no array for each value.
///
/// - Parameters:
///   - initial: the accumulated value at the start of each subscription. It is not emitted.
///   - f: changes the accumulated value. Calls are serialized.
public func scan<T, E, R>(
    into initial: R, _ f: @escaping @Sendable (inout R, T) -> Void
) -> (Signal<T, E>) -> Signal<R, E> {
    { source in
        deferred {
            let accumulated = Accumulated(initial)
            return source |> serialized
                |> map { value in
                    f(&accumulated.value, value)
                    return accumulated.value
                }
        }
    }
}

/// Like `scan`, but the first value is the initial one: it is emitted unchanged.
///
/// - Parameter f: makes the next accumulated value. Calls are serialized.
public func scan<T, E>(_ f: @escaping @Sendable (T, T) -> T) -> (Signal<T, E>) -> Signal<T, E> {
    { source in
        deferred {
            let accumulated = Accumulated(T?.none)
            return source |> serialized
                |> map { value in
                    let next = accumulated.value.map { f($0, value) } ?? value
                    accumulated.value = next
                    return next
                }
        }
    }
}

/// Folds all values into one of another type, and emits it at completion, also if there were no values.
///
/// - Parameters:
///   - initial: the accumulated value at the start of each subscription.
///   - f: makes the next accumulated value. Calls are serialized.
public func reduce<T, E, R>(
    _ initial: R, _ f: @escaping @Sendable (R, T) -> R
) -> (Signal<T, E>) -> Signal<R, E> {
    reduce(into: initial) { $0 = f($0, $1) }
}

/// Like `reduce`, with a function that changes the accumulated value in place.
///
/// - Parameters:
///   - initial: the accumulated value at the start of each subscription.
///   - f: changes the accumulated value. Calls are serialized.
public func reduce<T, E, R>(
    into initial: R, _ f: @escaping @Sendable (inout R, T) -> Void
) -> (Signal<T, E>) -> Signal<R, E> {
    { source in
        deferred {
            let accumulated = Accumulated(initial)
            let folded: Signal<R, E> =
                source |> serialized
                |> compactMap { value in
                    f(&accumulated.value, value)
                    return nil
                }
            return folded |> then(deferred { .single(accumulated.value) })
        }
    }
}

/// The accumulated value of one subscription. `serialized` makes its uses exclusive.
private final class Accumulated<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// Emits the values of all signals as they arrive, like `mergeSignals`.
public func merge<T, E>(_ signals: Signal<T, E>...) -> Signal<T, E> { mergeSignals(signals) }

/// Emits the first values of both signals as a tuple, then the second values, and so on. Any number of values may be
/// pending.
public func zip<A, B, E>(_ a: Signal<A, E>, _ b: Signal<B, E>) -> Signal<(A, B), E> { zip(a, b, limit: nil) }

/// Emits all values as one array at completion, also if there were none. There may be any number.
public func toArray<T, E>() -> (Signal<T, E>) -> Signal<[T], E> { toArray(limit: nil) }

/// Merges the signals that `f` makes of the values (merge-map). Any number may be pending.
///
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - f: makes an inner signal of a value. It is called when the value arrives.
public func mapToMerged<T, R, E>(
    limit: Int, _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    mapToMerged(limit: limit, waiting: nil, f)
}

/// Starts the signal again at once when it fails. The error of the last attempt ends the result.
///
/// - Parameter attempts: the maximum number of attempts, with the first one. With 0 or 1 the first error ends the
/// result.
public func retry<T, E>(_ attempts: Int) -> (Signal<T, E>) -> Signal<T, E> {
    { source in
        deferred {
            let failures = Atomic(value: 0)
            return source |> retryIf { _ in failures.modify { $0 + 1 } < attempts }
        }
    }
}

/// Not available, because `flatMap` is the operator of SwiftSignalKit that maps optional values.
@available(*, unavailable, message: "use mapToSignal (switch), mapToQueue (concat) or mapToMerged (merge)")
public func flatMap<T, E, R>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    fatalError()
}
