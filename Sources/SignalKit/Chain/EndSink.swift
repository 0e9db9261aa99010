/// The end of a chain, where events leave it for the user's code, and where whoever starts a run picks up the subscription.
class EndSink<T, E>: Sink<T, E> {
    /// Kept until `start` has picked it up, no longer: it would be a cycle.
    @exclusivity(unchecked) private var upstream: Subscription?
    /// Who delivers here, which outlives every call that it makes.
    @exclusivity(unchecked) private var deliverer: Unmanaged<Subscription>?

    final func takeUpstream() -> Subscription { upstream.take()! }

    override func attached(_ upstream: Subscription) { begin(upstream, as: upstream) }

    /// - Parameter run: what whoever has started it gets, which may be something around the subscription.
    final func begin(_ upstream: Subscription, as run: any Disposable) {
        self.upstream = upstream
        deliverer = upstream.deliverer
        started(run)
    }

    /// The run has begun, and nothing has been generated yet.
    func started(_ run: any Disposable) {}

    /// Ends the run from inside one of its callbacks.
    final func stop() { deliverer?._withUnsafeGuaranteedRef { $0.dispose() } }

    /// The closure of an operator further up may have disposed the run while the event was on its way down.
    @inline(__always)
    final var isWanted: Bool { deliverer.map { $0._withUnsafeGuaranteedRef { !$0.isDisposed } } ?? true }
}

/// The callbacks that were given to `start`. Those that are not there are empty ones: what may be nil would be counted at each call.
final class CallbackSink<T, E>: EndSink<T, E> {
    private let onNext: (T) -> Void
    private let onError: (E) -> Void
    private let onCompleted: () -> Void
    private let given: (next: Bool, error: Bool, completed: Bool)

    init(_ next: ((T) -> Void)?, _ error: ((E) -> Void)?, _ completed: (() -> Void)?) {
        // Not by `??`, which is generic: each closure would get another around it.
        if let next { onNext = next } else { onNext = { _ in } }
        if let error { onError = error } else { onError = { _ in } }
        if let completed { onCompleted = completed } else { onCompleted = {} }
        given = (next != nil, error != nil, completed != nil)
    }

    override func next(_ value: T) {
        if isWanted { onNext(value) }
    }

    override func error(_ error: E) {
        if !isWanted { return }
        #if !hasFeature(Embedded)
        if !given.error { return UnhandledErrors.report(error) }
        #endif
        onError(error)
    }

    override func completed() {
        if isWanted { onCompleted() }
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { given }
}
