/// A hub of a source and of a companion, whose values say what becomes of the source's.
///
/// The companion is started first, and disposed last. Its completion means nothing; the source's is the end, and so is
/// an error of either.
class CompanionHub<T, U, R, E>: JoinHub<R, E> {
    fileprivate static var sourceSlot: Int { 0 }
    fileprivate static var companionSlot: Int { 1 }

    init(_ sink: Sink<R, E>) { super.init(sink, 2) }

    // What an operator is made of, in the section.

    /// A value of the source.
    func next(_ value: T) { mustOverride() }
    /// A value of the companion.
    func tell(_ value: U) { mustOverride() }
    /// The source has completed.
    func sourceCompleted() { end(.completed) }

    /// The companion has nothing more to say.
    final func dismissCompanion() { disposeSlot(CompanionHub.companionSlot) }

    fileprivate final func ended(_ slot: Int, _ end: End<E>) {
        if slot == CompanionHub.companionSlot, case .completed = end { return dismissCompanion() }
        submit { [unowned(unsafe) self] in
            if case .completed = end { sourceCompleted() } else { self.end(end) }
        }
    }
}

/// A signal of such a hub, which `makeHub` makes for each start.
func beside<T, U, R, E>(
    _ companion: Signal<U, E>, _ signal: Signal<T, E>, _ makeHub: @escaping (Sink<R, E>) -> CompanionHub<T, U, R, E>
) -> Signal<R, E> {
    ComposedSignal(depth: max(signal.depth, companion.depth) + 1) { sink in
        let hub = makeHub(sink)
        hub.open {
            companion.attach(BesideInlet(hub, CompanionHub<T, U, R, E>.companionSlot) { $0.tell($1) })
            if !hub.isTerminated {
                signal.attach(BesideInlet(hub, CompanionHub<T, U, R, E>.sourceSlot) { $0.next($1) })
            }
        }
    }
}

/// The inlet of one of the two.
private final class BesideInlet<V, T, U, R, E>: Inlet<CompanionHub<T, U, R, E>, V, E> {
    private let place: Int
    private let handle: (CompanionHub<T, U, R, E>, V) -> Void

    init(_ hub: CompanionHub<T, U, R, E>, _ slot: Int, _ handle: @escaping (CompanionHub<T, U, R, E>, V) -> Void) {
        place = slot
        self.handle = handle
        super.init(hub)
    }

    override var slot: Int { place }

    override func next(_ value: V) {
        if hub.enter() {
            handle(hub, value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, handle] in handle(hub, value) }
        }
    }

    override func end(_ end: End<E>) { hub.ended(place, end) }
}
