extension Signal where T == Int {
    /// Emits 0, 1, 2 … on `queue`: the number n at (n + 1) · `seconds` after the start, whatever the time that the
    /// deliveries take. What falls due while a number is being delivered is skipped, as the next number tells. Never
    /// ends.
    ///
    /// Seconds are those of the queue's clock, more than 0; less than a microsecond is taken for one.
    public static func interval(_ seconds: Double, queue: Queue) -> Signal<Int, E> {
        precondition(seconds > 0 && seconds < .infinity, "no time that could go by again and again")
        return Signal { subscriber in
            let alarm = Alarm(queue)
            tick(IntervalMachine(seconds, at: queue.now), subscriber, queue, alarm)
            return alarm
        }
    }

    /// Emits 0 on `queue`, `seconds` after the start, and completes.
    public static func timer(_ seconds: Double, queue: Queue) -> Signal<Int, E> {
        Signal { subscriber in
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

    /// The tick has been delivered: what is due by now is skipped.
    mutating func delivered(at now: Double) {
        number = max(number + 1, Int(min((now - start) / period, 0x1p62)))
    }
}

private func tick<E>(_ machine: IntervalMachine, _ subscriber: Subscriber<Int, E>, _ queue: Queue, _ alarm: Alarm) {
    alarm.set(machine.deadline) {
        subscriber.putNext(machine.number)
        if !subscriber.isActive { return }
        var next = machine
        next.delivered(at: queue.now)
        tick(next, subscriber, queue, alarm)
    }
}
