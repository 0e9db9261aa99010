/// Decides what may pass when, without threads or timers: it is told the time, and keeps what waits.
///
/// (Nothing here is an optional of a value: in code that is not specialised its type would be looked up at each event.)
protocol RateMachine: ~Copyable {
    associatedtype Value
    associatedtype Output = Value

    /// A value has come.
    mutating func next(_ value: Value, at now: Double) -> RateDecision
    /// The time asked for has come.
    mutating func wake(at now: Double) -> RateDecision
    var hasPending: Bool { get }
    /// What waits, as a value. There must be something.
    mutating func takePending() -> Output
}

struct RateDecision {
    /// Whether what waits is to be emitted.
    var emits = false
    /// When to be asked again, if not asked for already.
    var wake: Double?
}

/// Everything happens on the queue, as the machine, which is made for each run, says.
func rated<T, R, E, Machine: RateMachine & ~Copyable>(
    _ queue: Queue, _ parameter: Parameter = .none, as operation: CString = #function,
    _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<R, E>
where Machine.Value == T, Machine.Output == R {
    { signal in
        ComposedSignal(of: signal, parameter, as: operation) { sink in
            let hub = RateHub<T, R, E, Machine>(sink, machine(), queue)
            hub.open { RateDelivery(RateInlet(hub), queue).start(signal) }
        }
    }
}

/// Its events come on the queue.
private final class RateHub<T, R, E, Machine: RateMachine & ~Copyable>: TimedHub<R, E>
where Machine.Value == T, Machine.Output == R {
    @exclusivity(unchecked) private var machine: Machine

    init(_ sink: Sink<R, E>, _ machine: consuming Machine, _ queue: Queue) {
        self.machine = machine
        super.init(sink, queue)
    }

    @inline(__always)
    func next(_ value: T, at now: Double) { act(machine.next(value, at: now)) }

    func sourceEnded(_ end: End<E>) {
        if case .completed = end, machine.hasPending { emit(machine.takePending()) }
        self.end(end)
    }

    @inline(__always)
    private func act(_ decision: RateDecision) {
        if let time = decision.wake { wake(at: time) }
        if decision.emits { emit(machine.takePending()) }
    }

    override func timeHasCome() { act(machine.wake(at: queue.now)) }

    override func clear() {
        if machine.hasPending { _ = machine.takePending() }
    }
}

private final class RateInlet<T, R, E, Machine: RateMachine & ~Copyable>: Inlet<RateHub<T, R, E, Machine>, T, E>
where Machine.Value == T, Machine.Output == R {
    /// Touched by the turn that delivers: the values of a batch have come at one time.
    @exclusivity(unchecked) var now = 0.0

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: now)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, now] in hub.next(value, at: now) }
        }
    }

    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.sourceEnded(end) } }
}

/// Looks at the clock once for what it delivers at once.
private final class RateDelivery<T, R, E, Machine: RateMachine & ~Copyable>: Delivery<T, E>, @unchecked Sendable
where Machine.Value == T, Machine.Output == R {
    /// Held by the turn that delivers to it.
    private unowned(unsafe) let inlet: RateInlet<T, R, E, Machine>

    init(_ inlet: RateInlet<T, R, E, Machine>, _ queue: Queue) {
        self.inlet = inlet
        super.init(inlet, queue)
    }

    override func hasTaken() { inlet.now = queue.now }
}
