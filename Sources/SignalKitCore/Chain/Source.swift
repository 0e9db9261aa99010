/// The inlet of a source that a hub has from its start, by its place: 0, 1, 2 …
class PlacedInlet<T, R, E, Owner: Hub<R, E>>: Inlet<Owner, T, E> {
    private let index: UInt32

    init(_ hub: Owner, at place: Int) {
        index = UInt32(truncatingIfNeeded: place)
        super.init(hub)
    }

    @inline(__always)
    final var place: Int { Int(index) }
    override final var source: Subscription? { hub.source(at: place) }

    override final func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(upstream, at: place)
    }

    override func end(_ end: End<E>) { hub.sourceEnded(end, at: place) }
}

final class Source<T, R, E, Owner: JoinHub<T, R, E>>: PlacedInlet<T, R, E, Owner> {
    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: place)
            hub.leave()
        } else {
            enqueue { [unowned(unsafe) hub, place] in hub.next(value, at: place) }
        }
    }
}

/// The second source of a `PairHub`.
final class OtherSource<A, T, R, E, Owner: PairHub<A, T, R, E>>: PlacedInlet<T, R, E, Owner> {
    override func next(_ value: T) {
        if hub.enter() {
            hub.other(value)
            hub.leave()
        } else {
            enqueue { [unowned(unsafe) hub] in hub.other(value) }
        }
    }
}

/// The outer source. It calls `f`, which makes a signal of a value, before it enters the section.
final class OuterSource<T, R, E, Owner: StartingHub<R, E>>: PlacedInlet<T, R, E, Owner> {
    private let f: (T) -> Signal<R, E>

    init(_ hub: Owner, _ f: @escaping (T) -> Signal<R, E>) {
        self.f = f
        super.init(hub, at: 0)
    }

    override func next(_ value: T) {
        let signal = f(value)
        if hub.enter() {
            hub.arrived(signal)
            hub.leaveWithEffect()
        } else {
            enqueue { [unowned(unsafe) hub] in hub.arrived(signal) }
        }
    }
}
