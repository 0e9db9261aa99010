extension Signal {
    /// Emits one value and completes, inside `start`.
    public static func single(_ value: T) -> Signal<T, E> { SingleSignal(value) }

    /// Completes inside `start`.
    public static func complete() -> Signal<T, E> {
        ComposedSignal { SyncSubscription.attached(to: $0).end($0, .completed) }
    }

    /// Fails inside `start`.
    public static func fail(_ error: E) -> Signal<T, E> {
        ComposedSignal { SyncSubscription.attached(to: $0).end($0, .error(error)) }
    }

    /// Emits nothing and never ends.
    ///
    /// It does not retain its subscriber, so a subscription that nobody disposes is no leak. Therefore an iteration
    /// over `values`, and `firstValue`, do not wait for it: they end as after any source that is released.
    public static func never() -> Signal<T, E> {
        ComposedSignal { _ = SyncSubscription.attached(to: $0) }
    }
}

/// An operator that switches signals may create one per event. So it stores the value directly, not in a closure.
private final class SingleSignal<T, E>: Signal<T, E>, @unchecked Sendable {
    private let value: T

    init(_ value: T) {
        self.value = value
        super.init()
    }

    override var outline: Outline { Outline(.single) }

    override func run(to sink: Sink<T, E>) {
        let subscription = SyncSubscription()
        sink.attached(subscription)
        if !subscription.isDisposed { sink.next(value) }
        subscription.end(sink, .completed)
    }

    override func emitAtOnce(in hub: Hub<T, E>) -> Bool {
        hub.emit(value)
        return true
    }
}

/// The subscription to a source that does everything inside `attach`. It has only flags, and nothing to dispose.
private final class SyncSubscription: Subscription {
    static func attached<T, E>(to sink: Sink<T, E>) -> SyncSubscription {
        let subscription = SyncSubscription()
        sink.attached(subscription)
        return subscription
    }

    /// Emits the terminal event, unless the subscription was disposed.
    func end<T, E>(_ sink: Sink<T, E>, _ end: End<E>) {
        if raiseDone(Flag.terminated) & Flag.terminated == 0 { sink.end(end) }
    }
}

/// Returns a signal of one value: `Signal.single` with the error type.
public func single<T, E>(_ value: T, _ errorType: E.Type) -> Signal<T, E> { Signal.single(value) }

/// Returns a signal that fails immediately: `Signal.fail` with the type of its values.
public func fail<T, E>(_ valueType: T.Type, _ error: E) -> Signal<T, E> { Signal.fail(error) }

/// Returns a signal that completes immediately: `Signal.complete` with its types.
public func complete<T, E>(_ valueType: T.Type, _ error: E.Type) -> Signal<T, E> { Signal.complete() }

/// Returns a signal without any event: `Signal.never` with its types.
public func never<T, E>(_ valueType: T.Type, _ error: E.Type) -> Signal<T, E> { Signal.never() }

/// Calls `generator` for each start, on the starting thread, and behaves as the signal that it returns.
@preconcurrency
public func deferred<T, E>(_ generator: @escaping @Sendable () -> Signal<T, E>) -> Signal<T, E> {
    DeferredSignal(generator)
}

/// Like the public `deferred`, for signals with a known number of stages and known sources.
func deferred<T, E>(
    of sources: Sources, depth: Int, _ parameter: Parameter = .none, as operation: CString = #function,
    _ generator: @escaping () -> Signal<T, E>
) -> Signal<T, E> {
    ComposedSignal(of: sources, depth: depth, parameter, as: operation) { generator().attach($0) }
}

/// If its generator returns another such signal, a loop calls that generator in turn.
private final class DeferredSignal<T, E>: Signal<T, E>, @unchecked Sendable {
    private let generator: () -> Signal<T, E>

    init(_ generator: @escaping () -> Signal<T, E>) {
        self.generator = generator
        super.init()
    }

    override func generated() -> Signal<T, E>? { generator() }

    override var outline: Outline { Outline("deferred") }

    override func run(to sink: Sink<T, E>) {
        var signal = generator()
        while let made = signal.generated() { signal = made }
        signal.attachMade(sink)
    }
}
