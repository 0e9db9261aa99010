/// The meeting point of several sources, or of one source and timers: it combines, switches, repeats and delays.
///
///     source ─► Gate ─► inlet ─┐            ┌─► the downstream stages
///     source ─► Gate ─► inlet ─┼──► Hub ────┤
///     timer ───────────────────┘     │      └── their disposals (and of `start`'s caller)
///                                    └──► the upstream subscriptions, in slots
///
/// One serial section handles every event from upstream. There the event changes the operator's state and is delivered
/// downstream, one event at a time, in order, without a lock. An event is a method of the operator. It becomes a
/// closure only if it must wait. Work outside of the section, usually subscribing, is left as an effect.
///
/// An inlet owns the hub. The hub owns the subscriptions, which own the inlets. The end, disposal, or the release of
/// the last inlet breaks this cycle.
class Hub<T, E>: HubCore {
    private let sink: Unmanaged<Sink<T, E>>

    init(_ sink: Sink<T, E>) {
        self.sink = Unmanaged.passRetained(sink)
        super.init()
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

    // MARK: What an operator calls in the section

    /// True if the downstream stages may receive a value.
    @inline(__always)
    final var isWanted: Bool { flags & (Flag.disposed | Flag.released) == 0 }

    @inline(__always)
    final func emit(_ value: T) {
        if isWanted { sink._withUnsafeGuaranteedRef { $0.next(value) } }
    }

    /// Leaves the remaining work to the downstream stage, if `takesOver` returns true. Then the hub is done, without an
    /// event. Call it as the last action in the section.
    final func yield(_ takesOver: (Sink<T, E>) -> Bool) -> Bool {
        guard !isDisposed, sink._withUnsafeGuaranteedRef(takesOver) else { return false }
        if raiseDone(Flag.terminated) & Flag.terminated == 0 { disposeSlots() }
        tearDown()
        return true
    }

    /// The last thing to do in the section.
    final func end(_ end: End<E>) {
        guard raiseDone(Flag.terminated) & Flag.terminated == 0 else { return }
        sink._withUnsafeGuaranteedRef { $0.end(end) }
        disposeSlots()
        tearDown()
    }

    /// Emits a value in the section, now or at its turn.
    @inline(__always)
    final func forward(_ value: T) {
        if enter() {
            emit(value)
            leave()
        } else {
            enqueue { [unowned(unsafe) self] in emit(value) }
        }
    }
}
