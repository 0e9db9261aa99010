/// Calls a closure on a queue after some time, once or repeatedly.
///
/// A running timer does not keep itself alive: releasing it cancels it. Starting a running timer replaces its schedule.
/// A timer that has fired or was invalidated can be started again. A call of `invalidate` on the timer's queue prevents
/// every later firing. A call on another thread may overlap one firing. Times are seconds of the queue's clock, which
/// stops while the system sleeps.
public final class Timer: @unchecked Sendable {
    private let schedule: TimerSchedule

    /// - Parameters:
    ///   - timeout: seconds until the first firing, and between firings.
    ///   - repeat: whether it fires repeatedly until it is invalidated.
    ///   - completion: runs on `queue`. It is retained until the timer is released.
    ///   - queue: where `completion` is called, and whose clock measures `timeout`.
    @preconcurrency
    public init(timeout: Double, repeat: Bool, completion: @escaping @Sendable () -> Void, queue: Queue) {
        schedule = TimerSchedule(timeout, `repeat`, completion, queue.executor)
    }

    deinit { schedule.dispose() }

    /// Starts the timer, or restarts a running one.
    public func start() { schedule.start() }

    /// Stops the timer. Safe from any thread, any number of times.
    public func invalidate() { schedule.stop() }

    /// Fires and stops a running timer: inline if its queue is current, otherwise later on its queue. A timer that is
    /// not running does nothing. So it fires at most once for each start.
    public func fireAndInvalidate() { schedule.fireAndStop() }

    /// Changes the timeout and restarts the timer.
    public func resetTimeout(_ timeout: Double) { schedule.start(timeout: timeout) }

    var executor: Executor { schedule.executor }
    var repeats: Bool { schedule.repeats }

    /// True if a firing is pending.
    public var isScheduled: Bool { schedule.dueTime != nil }

    /// Seconds until the next firing, or 0 if it is late. Infinite if no firing is pending.
    public var remainingTime: Double { schedule.dueTime.map { max(0, $0 - executor.now) } ?? .infinity }

    /// The time of the next firing, in seconds since 1970 by the wall clock. It is infinite before the first start, and
    /// 0 if no firing is pending.
    public var timeoutDate: Double {
        if isScheduled { return executor.wallNow + remainingTime }
        return schedule.hasStarted ? 0 : .infinity
    }
}

/// The part of a timer that its firings share. It does not refer to the timer.
private final class TimerSchedule: ScheduledWork, @unchecked Sendable {
    let repeats: Bool
    // Under the timeline's lock.
    @exclusivity(unchecked) private var completion: (() -> Void)?
    @exclusivity(unchecked) private var timeout: Double
    /// Counts starts and stops. A firing of `fireAndStop` is valid until the next of them.
    @exclusivity(unchecked) private var changes: UInt = 0

    init(_ timeout: Double, _ repeats: Bool, _ completion: @escaping () -> Void, _ executor: Executor) {
        self.timeout = timeout
        self.repeats = repeats
        self.completion = completion
        super.init(executor)
    }

    override var interval: Double {
        if !repeats { return 0 }
        return timeout > ScheduledWork.shortestInterval ? timeout : ScheduledWork.shortestInterval
    }

    var dueTime: Double? { timeline.locked { deadline } }

    var hasStarted: Bool { timeline.locked { changes > 0 } }

    func start(timeout: Double? = nil) {
        set { now in
            if let timeout { self.timeout = timeout }
            changes += 1
            return now + self.timeout
        }
    }

    func stop() {
        timeline.locked {
            changes += 1
            callOff()
        }
    }

    /// The timer was released. A firing of `fireAndStop` that is in flight is not cancelled.
    override func dispose() {
        let dropped = timeline.locked { callOff() ? completion.take() : nil }
        withExtendedLifetime(dropped) {}
    }

    func fireAndStop() {
        let firing = timeline.locked { () -> (completion: () -> Void, number: UInt)? in
            guard let completion, deadline != nil else { return nil }
            changes += 1
            callOff()
            return (completion, changes)
        }
        guard let (completion, number) = firing else { return }
        let fire = { if self.timeline.locked({ self.changes == number }) { completion() } }
        if executor.isCurrent { fire() } else { executor.enqueue(fire) }
    }

    override func run() { timeline.locked { begins() ? completion : nil }?() }
}

#if !hasFeature(Embedded)
extension Timer {
    /// The completion receives the timer, which it may `invalidate` or `start` again.
    @preconcurrency
    public convenience init(
        timeout: Double, repeat: Bool, completion: @escaping @Sendable (Timer) -> Void, queue: Queue
    ) {
        final class Reference: @unchecked Sendable { weak var timer: Timer? }
        let reference = Reference()
        self.init(
            timeout: timeout, repeat: `repeat`, completion: { if let timer = reference.timer { completion(timer) } },
            queue: queue)
        reference.timer = self
    }
}
#endif
