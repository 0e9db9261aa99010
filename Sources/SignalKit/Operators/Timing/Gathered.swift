import Synchronization

/// What the machine, which is made for each run, gathers of the values: emitted when it says so, at each value of
/// `trigger`, and at completion. The trigger is started first; its completion means nothing.
///
/// - Parameter isOwn: whether the trigger is nobody else's: then it is of no use when the source has gone without an
///   end.
func gathered<T, E, B, Machine: RateMachine>(
    by trigger: Signal<B, E>, isOwn: Bool = false, _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<Machine.Output, E> where Machine.Value == T {
    { signal in
        ComposedSignal(depth: max(signal.depth, trigger.depth) + 1) { sink in
            let hub = TriggerHub<T, E, Machine>(sink, machine(), isOwn)
            hub.open {
                trigger.attach(TriggerInlet(hub))
                if !hub.isTerminated { signal.attach(GatherInlet(hub)) }
            }
        }
    }
}

/// The trigger is in the other slot.
private final class TriggerHub<T, E, Machine: RateMachine>: SuccessionHub<Machine.Output, E> where Machine.Value == T {
    @exclusivity(unchecked) private var machine: Machine
    private let triggerIsOwn: Bool
    private let hasSource = Synchronization.Atomic<Bool>(true)

    init(_ sink: Sink<Machine.Output, E>, _ machine: Machine, _ triggerIsOwn: Bool) {
        self.machine = machine
        self.triggerIsOwn = triggerIsOwn
        super.init(sink)
    }

    func next(_ value: T) {
        if let full = machine.next(value, at: 0).emit { emit(full) }
    }

    func emitPending() {
        if let pending = machine.takePending() { emit(pending) }
    }

    func triggered() {
        emitPending()
        if triggerIsOwn && !hasSource.load(ordering: .acquiring) { take(from: TriggerHub.otherSlot)?.dispose() }
    }

    func sourceGone() { hasSource.store(false, ordering: .releasing) }

    func sourceEnded(_ end: End<E>) {
        if case .completed = end { emitPending() }
        self.end(end)
    }

    override func clear() { _ = machine.takePending() }
}

private final class GatherInlet<T, E, Machine: RateMachine>: Inlet<TriggerHub<T, E, Machine>, T, E>
where Machine.Value == T {
    deinit { hub.sourceGone() }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub] in hub.next(value) }
        }
    }

    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.sourceEnded(end) } }
}

private final class TriggerInlet<T, B, E, Machine: RateMachine>: Inlet<TriggerHub<T, E, Machine>, B, E>
where Machine.Value == T {
    override var slot: Int { TriggerHub<T, E, Machine>.otherSlot }
    override func next(_ value: B) { hub.submit { [unowned(unsafe) hub] in hub.triggered() } }

    override func end(_ end: End<E>) {
        if case .completed = end { hub.take(from: slot) } else { hub.submit { [unowned(unsafe) hub] in hub.end(end) } }
    }
}
