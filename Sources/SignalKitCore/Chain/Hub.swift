/// The meeting point of several sources, or of one source and timers: it combines, switches, repeats and delays.
///
///     source ─► Gate ─► inlet ─┐            ┌─► the downstream stages
///     source ─► Gate ─► inlet ─┼──► Hub ────┤
///     timer ───────────────────┘     │      └── their disposals (and of `start`'s caller)
///                                    └──► the upstream subscriptions
///
/// One serial section handles every event from upstream. There the event changes the operator's state and is delivered
/// downstream, one event at a time, in order, without a lock. An event is a method of the operator. It becomes a
/// closure only if it must wait. Work outside of the section, usually subscribing, is left as an effect.
///
/// An inlet owns the hub. The hub owns the subscriptions, which own the inlets. The end, disposal, or the release of
/// the last inlet breaks this cycle.
class Hub<T, E>: HubCore {
    private let sink: Unmanaged<Sink<T, E>>

    init(_ sink: Sink<T, E>, places: Int, room: Int = 0, alignment: Int = 1) {
        self.sink = Unmanaged.passRetained(sink)
        super.init(places: places, room: room, alignment: alignment)
    }

    override final func releaseSink() { Turns.release(sink.toOpaque()) }

    /// Passes this hub downstream as the subscription. Then `start` attaches the sources, unless the hub was disposed.
    final func open(_ start: () -> Void) {
        sink._withUnsafeGuaranteedRef { $0.attached(self) }
        // Keeps the hub open if an inlet is released before the next one is created.
        addInlet()
        if !isTerminated { start() }
        removeInlet()
    }

    /// Attaches to the sources in order. If one fails during its start, the result ends and the others are not started.
    final func attach<Sources: Collection>(_ sources: Sources, _ attach: (Int, Sources.Element) -> Void) {
        for (index, source) in sources.enumerated() {
            if isTerminated { return }
            attach(index, source)
        }
    }

    /// Passes the end of a source with a place to the operator. Releases the handle of the source, unless the hub ends.
    final func sourceEnded(_ end: End<E>, at place: Int) {
        submit { [unowned(unsafe) self] in
            ended(end, at: place)
            if !isTerminated { vacate(place) }
        }
    }

    /// Called in the section, when a source with a place has ended. By default the hub completes when all of them have
    /// completed, and the first error ends it.
    func ended(_ end: End<E>, at place: Int) {
        if case .completed = end {
            running -= 1
            if running > 0 { return }
        }
        self.end(end)
    }

    // MARK: What an operator calls in the section

    /// True if the downstream stages may receive a value.
    @inline(__always)
    final var isWanted: Bool { flags & (Flag.disposed | Flag.released) == 0 }

    @inline(__always)
    final func emit(_ value: T) {
        if isWanted { sink._withUnsafeGuaranteedRef { $0.next(value) } }
    }

    /// Emits a value that does not end the subscription.
    @inline(__always)
    final func emitted(_ value: T) -> End<E>? {
        emit(value)
        return nil
    }

    /// Leaves the remaining work to the downstream stage, if `takesOver` returns true. Then the hub is done, without an
    /// event. Call it as the last action in the section.
    final func yield(_ takesOver: (Sink<T, E>) -> Bool) -> Bool {
        guard !isDisposed, sink._withUnsafeGuaranteedRef(takesOver) else { return false }
        if raiseDone(Flag.terminated) & Flag.terminated == 0 { disposeSources() }
        tearDown()
        return true
    }

    /// The last thing to do in the section.
    final func end(_ end: End<E>) {
        guard raiseDone(Flag.terminated) & Flag.terminated == 0 else { return }
        sink._withUnsafeGuaranteedRef { $0.end(end) }
        disposeSources()
        tearDown()
    }
}
