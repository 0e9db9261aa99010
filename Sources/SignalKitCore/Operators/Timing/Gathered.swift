/// Gathers values with a machine, which is created for each subscription. The result is emitted when the machine
/// decides, at each value of `trigger`, and at completion.
///
/// The trigger is started first. Its completion is ignored.
///
/// - Parameter isOwn: whether only this operator uses the trigger. If the source was released without an end, the next
///   value then disposes the trigger.
func gathered<T, R, E, B, Machine: RateMachine & ~Copyable>(
    by trigger: Signal<B, E>, _ parameter: Parameter = .none, isOwn: Bool = false, as operation: CString = #function,
    _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<R, E> where Machine.Value == T, Machine.Output == R {
    { signal in beside(trigger, signal, parameter, as: operation) { GatheringHub($0, machine(), isOwn) } }
}

private final class GatheringHub<T, R, E, B, Machine: RateMachine & ~Copyable>: CompanionHub<T, B, R, E>
where Machine.Value == T, Machine.Output == R {
    @exclusivity(unchecked) private var machine: Machine
    private let triggerIsOwn: Bool

    init(_ sink: Sink<R, E>, _ machine: consuming Machine, _ triggerIsOwn: Bool) {
        self.machine = machine
        self.triggerIsOwn = triggerIsOwn
        super.init(sink)
    }

    override func next(_ value: T, at place: Int) {
        if machine.next(value, at: 0).emits { emit(machine.takePending()) }
    }

    override func other(_ value: B) {
        emitPending()
        if triggerIsOwn && hasOneInlet { dismissCompanion() }
    }

    override func sourceCompleted() {
        emitPending()
        end(.completed)
    }

    private func emitPending() {
        if machine.hasPending { emit(machine.takePending()) }
    }

    override func clear() {
        if machine.hasPending { _ = machine.takePending() }
    }
}
