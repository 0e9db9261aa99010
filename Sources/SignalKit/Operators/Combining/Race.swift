/// Follows the first of `signals` that emits an event of any kind.
///
/// The others are disposed before that event is forwarded. The signals are started in their order. If one emits an
/// event inside its start, the following ones are not started. An empty list completes immediately.
public func race<T, E>(_ signals: [Signal<T, E>]) -> Signal<T, E> {
    if signals.isEmpty { return Signal.complete() }
    let kinds = (hub: RaceHub<T, E>.self, inlet: RaceInlet<T, E>.self)
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = kinds.hub.init(sink, signals.count)
        hub.open {
            hub.attach(signals) { index, signal in
                if !hub.isClosed(index) { signal.attach(kinds.inlet.init(hub, index)) }
            }
        }
    }
}

private final class RaceHub<T, E>: JoinHub<T, E> {
    @exclusivity(unchecked) private var winner = -1

    /// Returns whether events of this source are forwarded. The first source that asks wins.
    func counts(_ index: Int) -> Bool {
        if winner < 0 { wins(index) }
        return winner == index
    }

    @inline(never)
    private func wins(_ index: Int) {
        winner = index
        for other in 0..<count where other != index { disposeSlot(other) }
    }
}

private final class RaceInlet<T, E>: Inlet<RaceHub<T, E>, T, E> {
    private let index: Int

    init(_ hub: RaceHub<T, E>, _ index: Int) {
        self.index = index
        super.init(hub)
    }

    override var slot: Int { index }

    override func next(_ value: T) {
        if hub.enter() {
            if hub.counts(index) { hub.emit(value) }
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, index] in if hub.counts(index) { hub.emit(value) } }
        }
    }

    override func end(_ end: End<E>) {
        hub.submit { [unowned(unsafe) hub, index] in if hub.counts(index) { hub.end(end) } }
    }
}
