/// Decides what may pass when, without threads or timers: it is told the time.
protocol RateMachine {
    associatedtype Value
    associatedtype Output = Value

    /// A value has come. Returns what is to be emitted now, and when to be asked again (if not asked for already).
    mutating func next(_ value: Value, at now: Double) -> (emit: Output?, wake: Double?)
    /// The time asked for has come.
    mutating func wake(at now: Double) -> (emit: Output?, wake: Double?)
    /// What waits, as a value: at the end, or when it is asked for.
    mutating func takePending() -> Output?
}

/// Everything happens on the queue, as the machine, which is made for each run, says.
func rated<T, E, Machine: RateMachine>(
    _ queue: Queue, _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<Machine.Output, E>
where Machine.Value == T {
    { signal in
        ComposedSignal(of: signal) { sink in
            let hub = RateHub<T, E, Machine>(sink, machine(), queue)
            hub.open { Delivery(RateInlet(hub), queue).start(signal) }
        }
    }
}

/// Its events come on the queue.
private final class RateHub<T, E, Machine: RateMachine>: TimedHub<Machine.Output, E> where Machine.Value == T {
    @exclusivity(unchecked) private var machine: Machine

    init(_ sink: Sink<Machine.Output, E>, _ machine: Machine, _ queue: Queue) {
        self.machine = machine
        super.init(sink, queue)
    }

    func next(_ value: T) { act(machine.next(value, at: queue.now)) }

    func sourceEnded(_ end: End<E>) {
        if case .completed = end, let value = machine.takePending() { emit(value) }
        self.end(end)
    }

    private func act(_ decision: (emit: Machine.Output?, wake: Double?)) {
        if let time = decision.wake { wake(at: time) }
        if let value = decision.emit { emit(value) }
    }

    override func timeHasCome() { act(machine.wake(at: queue.now)) }
    override func clear() { _ = machine.takePending() }
}

private final class RateInlet<T, E, Machine: RateMachine>: Inlet<RateHub<T, E, Machine>, T, E>
where Machine.Value == T {
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
