extension Signal where T == Int {
    /// Emits 0, 1, 2 … on `queue`. The number n is emitted (n + 1) · `seconds` after the start. It never ends.
    ///
    /// The time of a delivery does not delay later numbers. Numbers whose time passes during a delivery or a pause are
    /// skipped.
    ///
    /// - Parameters:
    ///   - seconds: The period by the clock of `queue`, more than 0. Less than a microsecond counts as one microsecond.
    ///   - queue: Where the numbers are delivered.
    public static func interval(_ seconds: Double, queue: Queue) -> Signal<Int, E> {
        precondition(seconds > 0 && seconds < .infinity, "seconds must be finite and more than 0")
        let kind = Ticks<E>.self
        return source(.seconds(seconds)) { subscriber in
            let ticks = kind.init(IntervalMachine(seconds, at: queue.now), subscriber, queue.executor)
            ticks.next()
            return ticks
        }
    }

    /// Emits 0 on `queue`, `seconds` after the start, and completes.
    public static func timer(_ seconds: Double, queue: Queue) -> Signal<Int, E> {
        source(.seconds(seconds)) { subscriber in
            queue.after(seconds) {
                subscriber.putNext(0)
                subscriber.putCompletion()
            }
        }
    }
}

/// The number of the next tick, and its time.
struct IntervalMachine {
    private let start: Double
    private let period: Double
    private(set) var number = 0

    init(_ period: Double, at now: Double) {
        start = now
        self.period = max(period, ScheduledWork.shortestInterval)
    }

    /// Reckoned from the start each time, so that nothing adds up.
    var deadline: Double { start + Double(number + 1) * period }

    /// The tick was delivered. Skips the ticks whose time has passed.
    mutating func delivered(at now: Double) {
        number = max(number + 1, Int(min((now - start) / period, 0x1p62)))
    }
}

private final class Ticks<E>: ScheduledWork, @unchecked Sendable {
    // Guarded by the timeline's lock. Only one tick at a time accesses the machine.
    @exclusivity(unchecked) private var subscriber: Subscriber<Int, E>?
    @exclusivity(unchecked) private var machine: IntervalMachine

    init(_ machine: IntervalMachine, _ subscriber: Subscriber<Int, E>, _ executor: Executor) {
        self.machine = machine
        self.subscriber = subscriber
        super.init(executor)
    }

    func next() { set { _ in subscriber == nil ? nil : machine.deadline } }

    override func run() {
        guard let subscriber = timeline.locked({ begins() ? subscriber : nil }) else { return }
        if subscriber.gate.flags & Subscription.Flag.pauses == 0 { subscriber.putNext(machine.number) }
        if !subscriber.isActive { return }
        machine.delivered(at: executor.now)
        next()
    }

    override func dispose() {
        // The type of the subscriber itself would be looked up.
        let dropped: AnyObject? = timeline.locked {
            if !callOff() { return nil }
            defer { subscriber = nil }
            return subscriber
        }
        withExtendedLifetime(dropped) {}
    }
}
