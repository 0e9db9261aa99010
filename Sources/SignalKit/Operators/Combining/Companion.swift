/// A hub of a source and of a companion, whose values say what becomes of the source's.
///
/// The companion is started first, and disposed last. Its completion means nothing, its error is the end; the source's
/// end is the end.
class CompanionHub<T, U, R, E>: JoinHub<R, E> {
    fileprivate static var sourceSlot: Int { 0 }
    fileprivate static var companionSlot: Int { 1 }

    init(_ sink: Sink<R, E>) { super.init(sink, 2) }

    // What an operator is made of, in the section.

    /// A value of the source.
    func next(_ value: T) { mustOverride() }
    /// A value of the companion.
    func tell(_ value: U) { mustOverride() }

    /// The companion has nothing more to say.
    final func dismissCompanion() { disposeSlot(CompanionHub.companionSlot) }
}

/// A signal of such a hub, which `makeHub` makes for each start.
func beside<T, U, R, E>(
    _ companion: Signal<U, E>, _ signal: Signal<T, E>, _ makeHub: @escaping (Sink<R, E>) -> CompanionHub<T, U, R, E>
) -> Signal<R, E> {
    ComposedSignal(depth: max(signal.depth, companion.depth) + 1) { sink in
        let hub = makeHub(sink)
        hub.open {
            companion.attach(CompanionInlet(hub))
            if !hub.isTerminated { signal.attach(AccompaniedInlet(hub)) }
        }
    }
}

private final class AccompaniedInlet<T, U, R, E>: Inlet<CompanionHub<T, U, R, E>, T, E> {
    override var slot: Int { CompanionHub<T, U, R, E>.sourceSlot }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub] in hub.next(value) }
        }
    }

    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.end(end) } }
}

private final class CompanionInlet<T, U, R, E>: Inlet<CompanionHub<T, U, R, E>, U, E> {
    override var slot: Int { CompanionHub<T, U, R, E>.companionSlot }

    override func next(_ value: U) {
        if hub.enter() {
            hub.tell(value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub] in hub.tell(value) }
        }
    }

    override func end(_ end: End<E>) {
        if case .completed = end { return hub.dismissCompanion() }
        hub.submit { [unowned(unsafe) hub] in hub.end(end) }
    }
}
