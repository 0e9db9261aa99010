/// What the machine, which is made for each run, gathers of the values: emitted when it says so, at each value of
/// `trigger`, and at completion. The trigger is started first; its completion means nothing.
///
/// - Parameter isOwn: whether the trigger is nobody else's: then it is of no use when the source has gone without an
///   end.
func gathered<T, E, B, Machine: RateMachine>(
    by trigger: Signal<B, E>, isOwn: Bool = false, _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<Machine.Output, E> where Machine.Value == T {
    { signal in beside(trigger, signal) { GatheringHub($0, machine(), isOwn) } }
}

private final class GatheringHub<T, E, B, Machine: RateMachine>: CompanionHub<T, B, Machine.Output, E>
where Machine.Value == T {
    @exclusivity(unchecked) private var machine: Machine
    private let triggerIsOwn: Bool

    init(_ sink: Sink<Machine.Output, E>, _ machine: Machine, _ triggerIsOwn: Bool) {
        self.machine = machine
        self.triggerIsOwn = triggerIsOwn
        super.init(sink)
    }

    override func next(_ value: T) {
        if let full = machine.next(value, at: 0).emit { emit(full) }
    }

    override func tell(_ value: B) {
        emitPending()
        if triggerIsOwn && hasOneInlet { dismissCompanion() }
    }

    override func sourceCompleted() {
        emitPending()
        end(.completed)
    }

    private func emitPending() {
        if let pending = machine.takePending() { emit(pending) }
    }

    override func clear() { _ = machine.takePending() }
}
