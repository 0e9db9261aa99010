/// The entry of a source into a hub. It keeps the hub open.
class Inlet<Owner: HubCore, T, E>: Sink<T, E> {
    final let hub: Owner

    init(_ hub: Owner) {
        hub.addInlet()
        self.hub = hub
    }

    deinit {
        // The call does not retain the hub, because this object still does.
        Unmanaged.passUnretained(hub)._withUnsafeGuaranteedRef { $0.removeInlet() }
    }
}
