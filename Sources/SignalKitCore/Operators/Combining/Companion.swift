/// A hub of a source and a companion signal. The companion's values control the values of the source.
///
/// The companion is started first and disposed last. Its completion is ignored. The completion of the source, and an
/// error of either, end the subscription.
class CompanionHub<T, U, R, E>: PairHub<T, U, R, E> {
    init(_ sink: Sink<R, E>) { super.init(sink, places: 2) }

    // An operator overrides `next`, `other` and this method, which are called in the section.

    /// The source has completed.
    func sourceCompleted() { end(.completed) }

    /// True if the companion only controls the source. Then it is never paused.
    var isControlled: Bool { true }

    override final func isControl(_ place: Int) -> Bool { place == companionPlace && isControlled }

    /// The companion is no longer needed.
    final func dismissCompanion() { disposeSource(at: companionPlace) }

    override final func ended(_ end: End<E>, at place: Int) {
        if case .failed = end { return self.end(end) }
        if place == sourcePlace { sourceCompleted() }
    }
}

private var sourcePlace: Int { 0 }
private var companionPlace: Int { 1 }

/// Returns a signal of such a hub. `makeHub` creates one for each start.
func beside<T, U, R, E>(
    _ companion: Signal<U, E>, _ signal: Signal<T, E>, _ parameter: Parameter = .none,
    as operation: CString = #function, _ makeHub: @escaping (Sink<R, E>) -> CompanionHub<T, U, R, E>
) -> Signal<R, E> {
    let kinds = (
        source: Source<T, R, E, CompanionHub<T, U, R, E>>.self,
        companion: OtherSource<T, U, R, E, CompanionHub<T, U, R, E>>.self
    )
    return ComposedSignal(of: [signal, companion], parameter, as: operation) { sink in
        let hub = makeHub(sink)
        hub.open {
            companion.attach(kinds.companion.init(hub, at: companionPlace))
            if !hub.isTerminated { signal.attach(kinds.source.init(hub, at: sourcePlace)) }
        }
    }
}
