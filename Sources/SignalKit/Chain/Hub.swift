/// The meeting point of several sources, or of one source and time: what joins, switches, repeats, delays.
///
///     source ─► Gate ─► inlet ─┐            ┌─► the stages below
///     source ─► Gate ─► inlet ─┼──► Hub ────┤
///     timer ───────────────────┘     │      └── what they (and `start`'s caller) dispose
///                                    └──► the subscriptions above, in slots
///
/// Every event from above is handled in one serial section: there it touches the operator's state and tells the stages
/// below, one event at a time, in order, without a lock. An event is a method of the operator's; it becomes a closure
/// only when it has to wait. What has to happen outside of the section, above all subscribing, is left as an effect.
///
/// An inlet owns the hub; the hub owns the subscriptions, which own the inlets. The end, disposal, or the going of the
/// last inlet cuts all of it.
class Hub<T, E>: HubCore {
    private let sink: Unmanaged<Sink<T, E>>

    init(_ sink: Sink<T, E>) {
        self.sink = Unmanaged.passRetained(sink)
        super.init()
    }

    override final func releaseSink() { Turns.release(sink.toOpaque()) }

    /// Hands this hub down as the subscription, then lets `start` attach to what is above, if anybody still wants it.
    final func open(_ start: () -> Void) {
        sink._withUnsafeGuaranteedRef { $0.attached(self) }
        // Holds the hub open even if an inlet comes and goes before the next one comes.
        addInlet()
        if !isTerminated { start() }
        removeInlet()
    }

    // MARK: What an operator calls in the section

    /// Whether the stages below may still be told a value.
    @inline(__always)
    final var isWanted: Bool { flags & (Flag.disposed | Flag.released) == 0 }

    @inline(__always)
    final func emit(_ value: T) {
        if isWanted { sink._withUnsafeGuaranteedRef { $0.next(value) } }
    }

    /// Leaves the rest to the stage below, if `takesOver` finds that this takes it. Then the hub is done, without an
    /// event. The last thing to do in the section.
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

    /// Emits a value in the section, now or when its turn has come.
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
