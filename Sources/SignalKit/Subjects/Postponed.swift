/// What waits for listeners that have not arrived yet: events, each with the listener that it is for.
struct Postponed {
    private var events: [(listener: Unmanaged<Subscription>, event: () -> Void)] = []

    mutating func append(_ event: @escaping () -> Void, for listener: Subscription) {
        events.append((Unmanaged.passUnretained(listener), event))
    }

    /// Takes out what waits for a listener, in order.
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
