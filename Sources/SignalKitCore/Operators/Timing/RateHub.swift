/// Decides which values are emitted, and when, without threads or timers. The caller passes the time. The machine
/// stores the pending values.
///
/// (There is no optional value here. In code that is not specialized its type would be looked up at each event.)
protocol RateMachine: ~Copyable {
    associatedtype Value
    associatedtype Output = Value

    /// A value arrived.
    mutating func next(_ value: Value, at now: Double) -> RateDecision
    /// The requested time was reached.
    mutating func wake(at now: Double) -> RateDecision
    var hasPending: Bool { get }
    /// Takes the pending values as one value. There must be at least one.
    mutating func takePending() -> Output
}

struct RateDecision {
    /// True to emit the pending value.
    var emits = false
    /// The time of the requested call of `wake`, if none is requested yet.
    var wake: Double?
}

/// Runs a machine on the queue. The machine is created for each subscription.
func rated<T, R, E, Machine: RateMachine & ~Copyable>(
    _ queue: Queue, _ parameter: Parameter = .none, as operation: CString = #function,
    _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<R, E>
where Machine.Value == T, Machine.Output == R {
    let kinds = (
        hub: RateHub<T, R, E, Machine>.self, inlet: RateInlet<T, R, E, Machine>.self,
        delivery: RateDelivery<T, R, E, Machine>.self, source: DeliveryInlet<T, E>.self
    )
    return { signal in
        ComposedSignal(of: signal, parameter, as: operation) { sink in
            let hub = kinds.hub.init(sink, machine(), queue)
            hub.open { kinds.delivery.init(kinds.inlet.init(hub, at: 0), queue).start(signal, by: kinds.source) }
        }
    }
}

/// Its events arrive on the queue.
private final class RateHub<T, R, E, Machine: RateMachine & ~Copyable>: TimedHub<T, R, E>
where Machine.Value == T, Machine.Output == R {
    @exclusivity(unchecked) private var machine: Machine

    init(_ sink: Sink<R, E>, _ machine: consuming Machine, _ queue: Queue) {
        self.machine = machine
        super.init(sink, queue)
    }

    @inline(__always)
    func next(_ value: T, at now: Double) { act(machine.next(value, at: now)) }

    override func ended(_ end: End<E>, at place: Int) {
        if case .completed = end, machine.hasPending { emit(machine.takePending()) }
        self.end(end)
    }

    @inline(__always)
    private func act(_ decision: RateDecision) {
        if let time = decision.wake { wake(at: time) }
        if decision.emits { emit(machine.takePending()) }
    }

    override func timeHasCome() {
        if !waitsForResumption() { act(machine.wake(at: queue.now)) }
    }

    override func clear() {
        if machine.hasPending { _ = machine.takePending() }
    }
}

private final class RateInlet<T, R, E, Machine: RateMachine & ~Copyable>:
    PlacedInlet<T, R, E, RateHub<T, R, E, Machine>>
where Machine.Value == T, Machine.Output == R {
    /// The time of the batch. Only the delivering turn accesses it. All values of a batch have the same time.
    @exclusivity(unchecked) var now = 0.0

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: now)
            hub.leave()
        } else {
            enqueue { [unowned(unsafe) hub, now] in hub.next(value, at: now) }
        }
    }
}

/// Reads the clock once for each batch.
private final class RateDelivery<T, R, E, Machine: RateMachine & ~Copyable>: Delivery<T, E>, @unchecked Sendable
where Machine.Value == T, Machine.Output == R {
    /// Retained by the turn that delivers to it.
    private unowned(unsafe) let inlet: RateInlet<T, R, E, Machine>

    init(_ inlet: RateInlet<T, R, E, Machine>, _ queue: Queue) {
        self.inlet = inlet
        super.init(inlet, queue)
    }

    override func hasTaken() { inlet.now = queue.now }
}
