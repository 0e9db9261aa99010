/// What inlets lead to.
protocol InletOwner: AnyObject {
    func addInlet()
    func removeInlet()
    func store(_ disposable: any Disposable, in slot: Int, number: Int)
}

/// Where a source enters a hub: it keeps the hub open, and puts its subscription into a slot.
class Inlet<Owner: InletOwner, T, E>: Sink<T, E> {
    final let hub: Owner
    final let slot: Int
    /// Which of the sources that follow each other in the slot it is.
    final let number: Int

    init(_ hub: Owner, slot: Int = 0, number: Int = Int.max) {
        self.hub = hub
        self.slot = slot
        self.number = number
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: slot, number: number) }
}
