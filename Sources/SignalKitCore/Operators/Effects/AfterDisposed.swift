/// Calls `f` once when a subscription completes, fails or is disposed. (SSignalKit's `onDispose:`.)
///
/// `f` runs after the source was disposed, on the thread that ended or disposed the subscription. A source that ends
/// inside `start` is disposed when that call returns. If a source is released without an end, `f` is not called.
@preconcurrency
public func afterDisposed<T, E, R>(_ f: @escaping @Sendable () -> R) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in afterDisposed(signal, as: #function) { _ = f() } }
}

func afterDisposed<T, E>(
    _ signal: Signal<T, E>, as operation: CString, _ f: @escaping () -> Void
) -> Signal<T, E> {
    ComposedSignal(of: signal, as: operation) { TeardownSubscription.run(signal, $0, f) }
}

/// Creates a separate state for each subscription and passes it to the hooks.
///
/// Each hook runs before its event is forwarded. `disposed` runs once, like `afterDisposed`.
@preconcurrency
public func withState<T, E, S>(
    _ signal: Signal<T, E>, _ initialState: @escaping @Sendable () -> S,
    next: @escaping @Sendable (T, S) -> Void = { _, _ in }, error: @escaping @Sendable (E, S) -> Void = { _, _ in },
    completed: @escaping @Sendable (S) -> Void = { _ in }, disposed: @escaping @Sendable (S) -> Void = { _ in }
) -> Signal<T, E> {
    deferred(of: .one(signal), depth: signal.depth + 4) {
        let state = initialState()
        return signal
            |> beforeNext { next($0, state) }
            |> beforeError { error($0, state) }
            |> beforeCompleted { completed(state) }
            |> afterDisposed { disposed(state) }
    }
}

/// The subscription of `afterDisposed`. It disposes the source, then calls the hook.
private final class TeardownSubscription<T, E>: Subscription {
    private let lock = SmallLock()
    @exclusivity(unchecked) fileprivate var upstream: Subscription?
    @exclusivity(unchecked) private var hook: (() -> Void)?

    static func run(_ signal: Signal<T, E>, _ sink: Sink<T, E>, _ hook: @escaping () -> Void) {
        let subscription = TeardownSubscription(hook)
        signal.attach(TeardownSink(sink, subscription))
        subscription.attachReturned()
    }

    private init(_ hook: @escaping () -> Void) {
        self.hook = hook
    }

    override func feeds(_ target: AnyObject) { upstream?.feeds(target) }
    override func govern() { lock.withLock { upstream?.govern() } }
    override func pause() { forwardPause(to: upstream, lock) }
    override func resume() { forwardResumption(to: upstream, lock) }
    override func dispose() { tearDown(Flag.disposed) }

    /// The terminal event was delivered.
    func ended() { tearDown(0) }

    private func tearDown(_ flag: UInt32) {
        let before = raiseDone(Flag.terminated | Flag.closed | flag)
        if before & Flag.closed != 0 { return }
        lock.lock()
        let taken = upstream
        upstream = nil
        lock.unlock()
        taken?.dispose()
        if flags & Flag.assigned != 0 { runHook() }
    }

    /// A source that ended, or was disposed, while it was being started has been disposed by now.
    private func attachReturned() {
        _ = raise(Flag.assigned)
        if flags & Flag.closed != 0 { runHook() }
    }

    private func runHook() {
        lock.lock()
        let taken = hook
        hook = nil
        lock.unlock()
        taken?()
    }

    private final class TeardownSink: PassingStage<T, E> {
        private let subscription: TeardownSubscription<T, E>

        init(_ downstream: Sink<T, E>, _ subscription: TeardownSubscription<T, E>) {
            self.subscription = subscription
            super.init(downstream)
        }

        override func attached(_ upstream: Subscription) {
            subscription.upstream = upstream
            downstream.attached(subscription)
        }

        override func end(_ end: End<E>) {
            downstream.end(end)
            subscription.ended()
        }
    }
}
