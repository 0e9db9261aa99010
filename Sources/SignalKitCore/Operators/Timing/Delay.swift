/// Starts the signal on `queue` after `timeout` seconds. The events are not delayed.
///
/// Time during which the system sleeps does not count. Disposal before the start prevents it.
public func delay<T, E>(_ timeout: Double, queue: Queue) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .seconds(timeout)) { sink in
            LateStart.run(signal, sink) { late in late.store(timer: queue.after(timeout) { late.start() }) }
        }
    }
}

/// Like `delay`, but time during which the system sleeps counts.
///
/// After a wake-up the start is late by at most about `granularity` seconds. The delay follows the wall clock: setting
/// that clock changes the delay.
public func suspendAwareDelay<T, E>(
    _ timeout: Double, granularity: Double = 4.0, queue: Queue
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .several([.seconds(timeout), .seconds(granularity)])) { sink in
            LateStart.run(signal, sink) { late in
                // One alarm is used repeatedly. It is stored before its first time.
                let alarm = Alarm(queue.executor)
                late.store(timer: alarm)
                tick(SuspendAwareMachine(timeout, granularity, at: queue.executor.wallNow), alarm, late)
            }
        }
    }
}

/// Decides when to read the wall clock next, without threads or timers.
struct SuspendAwareMachine {
    private let deadline: Double
    private let granularity: Double
    /// The remaining wait was requested. The delay ends with it.
    private var isLast = false

    init(_ timeout: Double, _ granularity: Double, at now: Double) {
        deadline = now + timeout
        self.granularity = granularity
    }

    /// Returns the seconds to wait before the next call, or nil if the deadline has passed.
    mutating func delay(at now: Double) -> Double? {
        if isLast { return nil }
        let remaining = deadline - now
        // The conditions are false if a number is NaN.
        guard remaining > granularity * 1.1 && granularity > 0 else {
            isLast = true
            return max(remaining, 0)
        }
        return granularity
    }
}

private func tick<T, E>(_ machine: SuspendAwareMachine, _ alarm: Alarm, _ late: LateStart<T, E>) {
    var machine = machine
    guard let seconds = machine.delay(at: alarm.executor.wallNow) else { return late.start() }
    let next = machine
    alarm.set(alarm.executor.now + seconds) { tick(next, alarm, late) }
}
