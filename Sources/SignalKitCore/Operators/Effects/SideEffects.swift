/// Calls `f` with each value before it is forwarded.
@inlinable
@preconcurrency
public func beforeNext<T, E, R>(_ f: @escaping @Sendable (T) -> R) -> (Signal<T, E>) -> Signal<T, E> {
    relay { value, downstream in
        _ = f(value)
        downstream.next(value)
    }
}

/// Calls `f` with each value after it was forwarded, even if that value ended or disposed the subscription.
@inlinable
@preconcurrency
public func afterNext<T, E, R>(_ f: @escaping @Sendable (T) -> R) -> (Signal<T, E>) -> Signal<T, E> {
    relay { value, downstream in
        downstream.next(value)
        _ = f(value)
    }
}

/// Calls `f` for each subscription before the signal is started.
@preconcurrency
public func beforeStarted<T, E>(_ f: @escaping @Sendable () -> Void) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal) { sink in
            f()
            signal.attach(sink)
        }
    }
}

/// Calls `f` with the error before it is forwarded. (SSignalKit's `onError:`.)
@preconcurrency
public func beforeError<T, E, R>(_ f: @escaping @Sendable (E) -> R) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = BeforeErrorSink<T, E, R>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, f)) } }
}

/// Calls `f` before completion is forwarded.
@preconcurrency
public func beforeCompleted<T, E>(_ f: @escaping @Sendable () -> Void) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = CompletionSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, before: f, after: nil)) } }
}

/// Calls `f` after the completion was forwarded and the source was disposed.
///
/// If a source completes inside `start`, it is disposed after that call.
@preconcurrency
public func afterCompleted<T, E>(_ f: @escaping @Sendable () -> Void) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = CompletionSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, before: nil, after: f)) } }
}

private final class BeforeErrorSink<T, E, R>: PassingStage<T, E> {
    private let f: (E) -> R

    init(_ downstream: Sink<T, E>, _ f: @escaping (E) -> R) {
        self.f = f
        super.init(downstream)
    }

    override func end(_ end: End<E>) {
        if case let .failed(failure) = end { _ = f(failure.error) }
        downstream.end(end)
    }
}

private final class CompletionSink<T, E>: PassingStage<T, E> {
    private let before: (() -> Void)?
    private let after: (() -> Void)?
    @exclusivity(unchecked) private var upstream: Subscription?

    init(_ downstream: Sink<T, E>, before: (() -> Void)?, after: (() -> Void)?) {
        self.before = before
        self.after = after
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) {
        if after != nil { self.upstream = upstream }
        downstream.attached(upstream)
    }

    override func end(_ end: End<E>) {
        guard case .completed = end else { return downstream.end(end) }
        before?()
        // `before` may have disposed.
        downstream.end(end)
        guard let after else { return }
        upstream?.dispose()
        after()
    }
}
