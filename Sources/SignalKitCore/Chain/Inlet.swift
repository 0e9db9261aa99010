/// The entry of a source into a hub. It keeps the hub open.
class Inlet<Owner: HubCore, T, E>: Sink<T, E> {
    final let hub: Owner
    /// The number of values that are pending for the section, in a governed run. The lock of the hub guards it.
    @exclusivity(unchecked) final private var pending: UInt32 = 0

    init(_ hub: Owner) {
        hub.addInlet()
        self.hub = hub
    }

    /// The subscription of the source, if it can be paused. Called with the lock of the hub.
    var source: Subscription? { mustOverride() }

    /// Leaves a value to the thread in the section. In a governed run the source is paused until the thread handles it,
    /// because otherwise the source could emit without limit.
    @inline(never)
    final func enqueue(_ event: @escaping HubCore.Event) {
        if !hub.isGoverned { return hub.enqueue(event) }
        hub.lock.withLock {
            pending += 1
            if pending == 1 { source?.pause() }
        }
        hub.enqueue { [self] in
            event()
            handled()
        }
    }

    final private func handled() {
        let paused: Subscription? = hub.lock.withLock {
            pending -= 1
            return pending == 0 ? source : nil
        }
        paused?.resume()
    }

    deinit {
        // The call does not retain the hub, because this object still does.
        Unmanaged.passUnretained(hub)._withUnsafeGuaranteedRef { $0.removeInlet() }
    }
}
