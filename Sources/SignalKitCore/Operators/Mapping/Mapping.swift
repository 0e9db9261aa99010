/// Emits `f(value)` for each value. `f` runs on the emitting thread, once per value and subscription.
@inlinable
@preconcurrency
public func map<T, E, R>(_ f: @escaping @Sendable (T) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    relay { value, downstream in downstream.next(f(value)) }
}

/// Forwards the values for which `f` is true.
@inlinable
@preconcurrency
public func filter<T, E>(_ f: @escaping @Sendable (T) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    relay { value, downstream in if f(value) { downstream.next(value) } }
}

/// Applies `f` to the content of each optional value. Nil stays nil.
@inlinable
@preconcurrency
public func flatMap<T, E, R>(_ f: @escaping @Sendable (T) -> R) -> (Signal<T?, E>) -> Signal<R?, E> {
    map { $0.map(f) }
}

/// Forwards `f(value)` unless it is nil. (SwiftSignalKit of 2019 called this `flatMap`.)
@inlinable
@preconcurrency
public func compactMap<T, E, R>(_ f: @escaping @Sendable (T) -> R?) -> (Signal<T, E>) -> Signal<R, E> {
    relay { value, downstream in if let result = f(value) { downstream.next(result) } }
}

/// Replaces an error with `f(error)`. Values and completion are forwarded.
@preconcurrency
public func mapError<T, E, R>(_ f: @escaping @Sendable (E) -> R) -> (Signal<T, E>) -> Signal<T, R> {
    let stage = MapErrorSink<T, E, R>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, f)) } }
}

/// Gives an error type to a signal that cannot fail.
public func castError<T, E>(_ type: E.Type) -> (Signal<T, NoError>) -> Signal<T, E> {
    castError(type, as: #function)
}

func castError<T, E>(_ type: E.Type, as operation: CString) -> (Signal<T, NoError>) -> Signal<T, E> {
    let stage = CastErrorSink<T, NoError, E>.self
    return { signal in ComposedSignal(of: signal, as: operation) { signal.attach(stage.init($0)) } }
}

/// The old name of `castError`.
public func introduceError<T, E>(_ type: E.Type) -> (Signal<T, NoError>) -> Signal<T, E> { castError(type) }

/// Forwards only the terminal event.
public func ignoreValues<T, E>(_ signal: Signal<T, E>) -> Signal<Never, E> {
    let stage = IgnoreSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

/// Drops a value that equals the last forwarded one. The first value always passes.
public func distinctUntilChanged<T: Equatable, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    distinctUntilChanged(isEqual: { $0 == $1 })(signal)
}

/// Drops a value if `isEqual(last forwarded, value)` returns true. The first value always passes.
///
/// The comparison and the delivery are one serialized step. So no two successive values are equal, even with several
/// emitting threads.
@preconcurrency
public func distinctUntilChanged<T, E>(
    isEqual: @escaping @Sendable (T, T) -> Bool
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    let stage = DistinctSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, isEqual)) } }
}

private final class MapErrorSink<T, E, R>: Sink<T, E> {
    private let downstream: Sink<T, R>
    private let f: (E) -> R

    init(_ downstream: Sink<T, R>, _ f: @escaping (E) -> R) {
        self.downstream = downstream
        self.f = f
    }

    override func attached(_ upstream: Subscription) { downstream.attached(upstream) }
    override func next(_ value: T) { downstream.next(value) }

    override func end(_ end: End<E>) {
        switch end {
        case let .failed(failure): downstream.end(.error(f(failure.error)))
        case .completed: downstream.end(.completed)
        }
    }
}

/// Generic over the impossible error, because the compiler removes code that handles a type without values. A forged
/// error therefore stops the program instead of suppressing the end.
private final class CastErrorSink<T, Impossible, E>: Sink<T, Impossible> {
    private let downstream: Sink<T, E>

    init(_ downstream: Sink<T, E>) { self.downstream = downstream }

    override func attached(_ upstream: Subscription) { downstream.attached(upstream) }
    override func next(_ value: T) { downstream.next(value) }

    override func end(_ end: End<Impossible>) {
        if case .failed = end { fatalError("a signal with error type NoError failed") }
        downstream.end(.completed)
    }
}

private final class IgnoreSink<T, E>: Stage<T, E, Never> {
    override func next(_ value: T) {}
}

private final class DistinctSink<T, E>: SerialStage<T, E, T> {
    private let isEqual: (T, T) -> Bool
    @exclusivity(unchecked) private var last: T?

    init(_ downstream: Sink<T, E>, _ isEqual: @escaping (T, T) -> Bool) {
        self.isEqual = isEqual
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if let last, isEqual(last, value) { return }
        last = value
        downstream.next(value)
    }
}
