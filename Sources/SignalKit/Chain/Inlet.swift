/// Where a source enters a hub: it keeps the hub open, and puts its subscription into a slot.
class Inlet<Owner: HubCore, T, E>: Sink<T, E> {
    final let hub: Owner

    init(_ hub: Owner) {
        hub.addInlet()
        self.hub = hub
    }

    deinit {
        // Not to be counted for the call: what is being let go still holds it.
        Unmanaged.passUnretained(hub)._withUnsafeGuaranteedRef { $0.removeInlet() }
    }

    /// Where the subscription goes.
    var slot: Int { 0 }

    override func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(upstream, in: slot)
    }
}
