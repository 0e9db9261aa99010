#if !SIGNALKIT_LIBRARY
import Dispatch

/// A link whose errors are Swift errors.
public typealias Observer<Value> = EventLink<Value, any Error>

/// An emitter whose errors are Swift errors.
public typealias Observable<Value> = EventEmitter<Value, any Error>

extension EventLink {
    /// Calls `next` with each value on a dispatch queue, never inline.
    @discardableResult
    public final func on(queue: DispatchQueue, next: @escaping (Value) -> Void) -> EventLink {
        on(queue: Queue(queue: queue), next: next)
    }

    /// Calls `error` on a dispatch queue when the chain fails, or soon if it has failed already.
    @discardableResult
    public final func on(queue: DispatchQueue, error: @escaping (Failure) -> Void) -> EventLink {
        on(queue: Queue(queue: queue), error: error)
    }

    /// Calls `finish` on a dispatch queue when the chain finishes, or soon if it has finished already.
    @discardableResult
    public final func on(queue: DispatchQueue, finish: @escaping () -> Void) -> EventLink {
        on(queue: Queue(queue: queue), finish: finish)
    }
}

extension Signal where E: Error {
    /// Starts this signal and returns a link that it feeds (see `link()`).
    public func observer() -> Observer<T> {
        ComposedSignal<T, any Error>(of: self) { self.attach(ErrorSink($0)) }.link()
    }
}

extension Signal where E == NoError {
    /// Starts this signal and returns a link that it feeds (see `link()`).
    public func observer() -> Observer<T> {
        ComposedSignal<T, any Error>(of: self) { self.attach(ErrorSink($0)) }.link()
    }
}

private final class ErrorSink<T, E>: Sink<T, E> {
    private let downstream: Sink<T, any Error>

    init(_ downstream: Sink<T, any Error>) {
        self.downstream = downstream
    }

    override func attached(_ upstream: Subscription) { downstream.attached(upstream) }
    override func next(_ value: T) { downstream.next(value) }

    override func end(_ end: End<E>) {
        switch end {
        case let .failed(failure): downstream.end(.error(failure.error as! any Error))
        case .completed: downstream.end(.completed)
        }
    }
}
#endif
