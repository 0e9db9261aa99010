/// Emits a value when no other has followed it for `delay` seconds. Completion first emits the value that waits, if
/// any; an error drops it. Everything happens on `queue`.
public func debounce<T, E>(_ delay: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(queue) { DebounceMachine(delay) }
}

/// SSignalKit's name for `debounce`.
public func throttleOn<T, E>(_ queue: Queue, delay: Double) -> (Signal<T, E>) -> Signal<T, E> {
    debounce(delay, queue: queue)
}

/// Emits a value at once and then at most one every `interval` seconds: the latest of those that came meanwhile, when
/// the interval is over. Completion first emits the value that waits, if any; an error drops it. Everything happens on
/// `queue`.
public func throttle<T, E>(_ interval: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(queue) { ThrottleMachine(interval) }
}

private func throttle<T, E, Machine: RateMachine>(
    _ queue: Queue, _ machine: @escaping () -> Machine
) -> (Signal<T, E>) -> Signal<T, E>
where Machine.Value == T {
    { signal in
        ComposedSignal(of: signal) { sink in
            let hub = RateHub(sink, machine(), queue)
            hub.open { Delivery(RateInlet(hub), queue).start(signal) }
        }
    }
}

/// Decides when a value may pass, without threads or timers: it is told the time.
protocol RateMachine {
    associatedtype Value

    /// A value has come. Returns what is to be emitted now, and when to be asked again (if not asked for already).
    mutating func next(_ value: Value, at now: Double) -> (emit: Value?, wake: Double?)
    /// The time asked for has come.
    mutating func wake(at now: Double) -> (emit: Value?, wake: Double?)
    /// The end: the value that waits.
    mutating func takePending() -> Value?
}

struct DebounceMachine<Value>: RateMachine {
    private let delay: Double
    private var pending: Value?
    private var deadline = 0.0
    private var isWaiting = false

    init(_ delay: Double) { self.delay = delay }

    mutating func next(_ value: Value, at now: Double) -> (emit: Value?, wake: Double?) {
        pending = value
        deadline = now + delay
        if isWaiting { return (nil, nil) }
        isWaiting = true
        return (nil, deadline)
    }

    mutating func wake(at now: Double) -> (emit: Value?, wake: Double?) {
        // Values that came meanwhile have moved the deadline; the timer was left alone.
        if now < deadline { return (nil, deadline) }
        isWaiting = false
        return (takePending(), nil)
    }

    mutating func takePending() -> Value? {
        defer { pending = nil }
        return pending
    }
}

struct ThrottleMachine<Value>: RateMachine {
    private let interval: Double
    private var pending: Value?
    private var isClosed = false

    init(_ interval: Double) { self.interval = interval }

    mutating func next(_ value: Value, at now: Double) -> (emit: Value?, wake: Double?) {
        if isClosed {
            pending = value
            return (nil, nil)
        }
        isClosed = true
        return (value, now + interval)
    }

    mutating func wake(at now: Double) -> (emit: Value?, wake: Double?) {
        if let value = takePending() { return (value, now + interval) }
        isClosed = false
        return (nil, nil)
    }

    mutating func takePending() -> Value? {
        defer { pending = nil }
        return pending
    }
}

/// Its events come on the queue; the timer is in the other slot.
private final class RateHub<T, E, Machine: RateMachine>: SuccessionHub<T, E> where Machine.Value == T {
    private let queue: Queue
    @exclusivity(unchecked) private var machine: Machine

    init(_ sink: Sink<T, E>, _ machine: Machine, _ queue: Queue) {
        self.machine = machine
        self.queue = queue
        super.init(sink)
    }

    func next(_ value: T) { act(machine.next(value, at: queue.now)) }

    func sourceEnded(_ end: End<E>) {
        if case .completed = end, let value = machine.takePending() { emit(value) }
        self.end(end)
    }

    private func act(_ decision: (emit: T?, wake: Double?)) {
        if let time = decision.wake {
            addInlet()
            let timer = queue.after(time - queue.now) {
                self.submit { [unowned(unsafe) self] in act(machine.wake(at: queue.now)) }
                self.removeInlet()
            }
            store(timer, in: RateHub.otherSlot)
        }
        if let value = decision.emit { emit(value) }
    }

    override func clear() { _ = machine.takePending() }
}

private final class RateInlet<T, E, Machine: RateMachine>: Inlet<RateHub<T, E, Machine>, T, E>
where Machine.Value == T {
    override func next(_ value: T) { hub.submit { [unowned(unsafe) hub] in hub.next(value) } }
    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.sourceEnded(end) } }
}
