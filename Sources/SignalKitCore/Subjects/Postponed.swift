/// The buffered events for listeners that have not arrived yet, each with its listener.
struct Postponed {
    private var events: [(listener: Unmanaged<Subscription>, event: () -> Void)] = []

    mutating func append(_ event: @escaping () -> Void, for listener: Subscription) {
        events.append((Unmanaged.passUnretained(listener), event))
    }

    /// Removes and returns the events of a listener, in order.
    mutating func take(for listener: Subscription) -> [() -> Void] {
        let address = Unmanaged.passUnretained(listener).toOpaque()
        var taken: [() -> Void] = []
        var others: [(listener: Unmanaged<Subscription>, event: () -> Void)] = []
        for item in events {
            if item.listener.toOpaque() == address { taken.append(item.event) } else { others.append(item) }
        }
        events = others
        return taken
    }
}
