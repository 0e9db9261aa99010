/// The end of a chain, where events leave it for the user's code, and where `start` picks up the subscription.
@usableFromInline
class FinalSink<T, E>: Sink<T, E> {
    /// Kept until `start` has picked it up, no longer: it would be a cycle.
    @exclusivity(unchecked) private var upstream: Subscription?
    /// The subscription that delivers here, which outlives every call that it makes.
    @exclusivity(unchecked) private var deliverer: Unmanaged<Subscription>?

    final func takeUpstream() -> Subscription { upstream.take()! }

    override func attached(_ upstream: Subscription) { begin(upstream, as: upstream) }

    /// - Parameter run: what `start` returns, which may be something around the subscription.
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

    /// Which callbacks there are, for descriptions.
    var callbacks: (next: Bool, error: Bool, completed: Bool) { mustOverride() }
}
