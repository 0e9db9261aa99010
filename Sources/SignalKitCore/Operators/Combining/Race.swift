/// Follows the first of `signals` that emits an event of any kind.
///
/// The others are disposed before that event is forwarded. The signals are started in their order. If one emits an
/// event inside its start, the following ones are not started. An empty list completes immediately.
public func race<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    let kinds = (hub: RaceHub<T, E>.self, source: Source<T, T, E, RaceHub<T, E>>.self)
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = kinds.hub.init(sink, places: signals.count)
        hub.open {
            hub.attach(signals) { place, signal in
                if !hub.isClosed(place) { signal.attach(kinds.source.init(hub, at: place)) }
            }
        }
    }
}

private final class RaceHub<T, E>: JoinHub<T, T, E> {
    @exclusivity(unchecked) private var winner = -1

    override func next(_ value: T, at place: Int) {
        if counts(place) { emit(value) }
    }

    override func ended(_ end: End<E>, at place: Int) {
        if counts(place) { self.end(end) }
    }

    /// Returns whether events of this source are forwarded. The first source that asks wins.
    private func counts(_ place: Int) -> Bool {
        if winner < 0 { wins(place) }
        return winner == place
    }

    @inline(never)
    private func wins(_ place: Int) {
        winner = place
        for other in 0..<Int(placeCount) where other != place { disposeSource(at: other) }
    }
}
