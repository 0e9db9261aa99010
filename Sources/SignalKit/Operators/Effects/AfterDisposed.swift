/// Calls `f` once when the subscription is torn down, by disposal, error or completion: after the source has been
/// disposed (a source that ends inside `start` is disposed when it returns), on whichever thread does it. (SSignalKit's
/// `onDispose:`.)
///
/// A source that goes silent without an end tears nothing down.
@preconcurrency
public func afterDisposed<T, E, R>(_ f: @escaping @Sendable () -> R) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in afterDisposed(signal, as: #function) { _ = f() } }
}

func afterDisposed<T, E>(
    _ signal: Signal<T, E>, as operation: CString, _ f: @escaping () -> Void
) -> Signal<T, E> {
    ComposedSignal(of: signal, as: operation) { TeardownSubscription.run(signal, $0, f) }
}

/// Gives each subscription a state of its own. Each hook runs before the event is forwarded; `disposed` runs once, like
/// `afterDisposed`.
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

/// What stands below a source in order to do something after it has been disposed.
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
    override func dispose() { tearDown(Flag.disposed) }

    /// The terminal event has been told.
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
