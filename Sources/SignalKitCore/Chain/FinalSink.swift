/// The end of a chain. It calls the user's code, and `start` takes the subscription from it.
@usableFromInline
class FinalSink<T, E>: Sink<T, E> {
    /// Retained until `start` has taken it. Otherwise it would be a cycle.
    @exclusivity(unchecked) final private var upstream: Subscription?
    /// The subscription that delivers here. It outlives all its calls.
    @exclusivity(unchecked) final private var deliverer: Unmanaged<Subscription>?

    final func takeUpstream() -> Subscription { upstream.take()! }

    override func attached(_ upstream: Subscription) { begin(upstream, as: upstream) }

    /// - Parameter run: the result of `start`, which may wrap the subscription.
    final func begin(_ upstream: Subscription, as run: any Disposable) {
        self.upstream = upstream
        deliverer = upstream.deliverer
        started(run)
    }

    /// The subscription has begun, and nothing has been emitted yet.
    func started(_ run: any Disposable) {}

    /// Ends the subscription inside one of its callbacks.
    final func stop() { deliverer?._withUnsafeGuaranteedRef { $0.dispose() } }

    /// False if the closure of an upstream operator disposed the subscription while the event was in flight.
    @inline(__always)
    final var isWanted: Bool { deliverer.map { $0._withUnsafeGuaranteedRef { !$0.isDisposed } } ?? true }

    /// Which callbacks there are, for descriptions.
    var callbacks: (next: Bool, error: Bool, completed: Bool) { mustOverride() }
}
