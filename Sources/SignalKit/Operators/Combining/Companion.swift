/// A hub of a source and a companion signal. The companion's values control the values of the source.
///
/// The companion is started first and disposed last. Its completion is ignored. The completion of the source, and an
/// error of either, end the subscription.
class CompanionHub<T, U, R, E>: JoinHub<R, E> {
    init(_ sink: Sink<R, E>) { super.init(sink, 2) }

    // The following methods define an operator. They are called in the section.

    /// A value of the source.
    func next(_ value: T) { mustOverride() }
    /// A value of the companion.
    func tell(_ value: U) { mustOverride() }
    /// The source has completed.
    func sourceCompleted() { end(.completed) }

    /// The companion is no longer needed.
    final func dismissCompanion() { disposeSlot(CompanionSlot.companion) }

    fileprivate final func ended(_ slot: Int, _ end: End<E>) {
        if slot == CompanionSlot.companion, case .completed = end { return dismissCompanion() }
        submit { [unowned(unsafe) self] in
            if case .completed = end { sourceCompleted() } else { self.end(end) }
        }
    }
}

/// (It is not nested in the hub, because the hub's type would then be looked up.)
private enum CompanionSlot {
    static var source: Int { 0 }
    static var companion: Int { 1 }
}

/// Returns a signal of such a hub. `makeHub` creates one for each start.
func beside<T, U, R, E>(
    _ companion: Signal<U, E>, _ signal: Signal<T, E>, _ parameter: Parameter = .none,
    as operation: CString = #function, _ makeHub: @escaping (Sink<R, E>) -> CompanionHub<T, U, R, E>
) -> Signal<R, E> {
    let kinds = (source: AccompaniedInlet<T, U, R, E>.self, companion: CompanionInlet<T, U, R, E>.self)
    return ComposedSignal(of: [signal, companion], parameter, as: operation) { sink in
        let hub = makeHub(sink)
        hub.open {
            companion.attach(kinds.companion.init(hub))
            if !hub.isTerminated { signal.attach(kinds.source.init(hub)) }
        }
    }
}

// The two inlets are one thing but for the call in the middle. A closure for that would cost each event two calls more.

private final class AccompaniedInlet<T, U, R, E>: Inlet<CompanionHub<T, U, R, E>, T, E> {
    override var slot: Int { CompanionSlot.source }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub] in hub.next(value) }
        }
    }

    override func end(_ end: End<E>) { hub.ended(slot, end) }
}

private final class CompanionInlet<T, U, R, E>: Inlet<CompanionHub<T, U, R, E>, U, E> {
    override var slot: Int { CompanionSlot.companion }

    override func next(_ value: U) {
        if hub.enter() {
            hub.tell(value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub] in hub.tell(value) }
        }
    }

    override func end(_ end: End<E>) { hub.ended(slot, end) }
}
