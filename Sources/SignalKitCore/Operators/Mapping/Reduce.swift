/// Folds all values into one and emits it at completion, also if there were no values. An error drops it.
///
/// Calls of `f` are serialized.
@preconcurrency
public func reduceLeft<T, E>(
    value: T, f: @escaping @Sendable (T, T) -> T
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    reduceLeft(value: value, f: { accumulated, value, _ in f(accumulated, value) })
}

/// Folds all values into one and emits it at completion. A value that `f` passes to its third argument is emitted
/// immediately.
@preconcurrency
public func reduceLeft<T, E>(
    value: T, f: @escaping @Sendable (T, T, (T) -> Void) -> T
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    let stage = ReduceSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, value, f)) } }
}

/// The value that one step of `reduceLeft(_:generator:)` emits in addition to accumulating.
public enum Passthrough<T> {
    /// Nothing is emitted.
    case None
    /// This value is emitted.
    case Some(T)
}

/// Folds with signals, and emits the last accumulated value at completion. An error drops it.
///
/// `generator` makes a signal of the accumulated value and the next value. Each value of that signal becomes the
/// accumulated value. The signals run one after another, each to its end. Values that arrive in the meantime are
/// buffered.
///
/// **Thread:** `generator` is called without a lock, on the thread that emitted the value or ended the previous signal.
@preconcurrency
public func reduceLeft<T, E>(
    _ value: T, generator: @escaping @Sendable (T, T) -> Signal<(T, Passthrough<T>), E>
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: .one(signal), depth: signal.depth + 2) { sink in
            let folded = FoldSink<T, E>(sink, value)
            let fold: (Signal<T, E>) -> Signal<(T, Passthrough<T>), E> = mapToQueue { value in
                deferred(of: .none, depth: 0) { generator(folded.accumulated, value) }
            }
            fold(signal).attach(folded)
        }
    }
}

private final class ReduceSink<T, E>: SerialStage<T, E, T> {
    private let f: (T, T, (T) -> Void) -> T
    @exclusivity(unchecked) private var accumulated: T

    init(_ downstream: Sink<T, E>, _ value: T, _ f: @escaping (T, T, (T) -> Void) -> T) {
        self.f = f
        accumulated = value
        super.init(downstream)
    }

    override func receive(_ value: T) {
        accumulated = f(accumulated, value) { if isWanted { downstream.next($0) } }
    }

    override func receiveEnd(_ end: End<E>) {
        if case .completed = end { downstream.next(accumulated) }
        if isWanted { downstream.end(end) }
    }
}

/// Downstream of the queue of steps, which emits one event at a time and starts a step only after the previous one has
/// ended.
private final class FoldSink<T, E>: Stage<(T, Passthrough<T>), E, T> {
    @exclusivity(unchecked) private(set) var accumulated: T
    @exclusivity(unchecked) private var upstream: Subscription?

    init(_ downstream: Sink<T, E>, _ value: T) {
        accumulated = value
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) {
        self.upstream = upstream
        downstream.attached(upstream)
    }

    override func next(_ value: (T, Passthrough<T>)) {
        accumulated = value.0
        if case let .Some(passed) = value.1 { downstream.next(passed) }
    }

    override func end(_ end: End<E>) {
        if case .completed = end { downstream.next(accumulated) }
        if upstream?.isDisposed != true { downstream.end(end) }
    }
}
