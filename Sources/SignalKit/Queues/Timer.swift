/// Calls a closure on a queue after some time, once or again and again.
///
/// A running timer does not keep itself: letting go of it cancels it. Starting a running timer replaces its schedule;
/// one that has fired or was invalidated can be started again. After `invalidate` on the timer's queue it does not fire
/// again; from elsewhere one firing may be in progress. Times are seconds of the queue's clock, which stands still
/// while the system sleeps.
public final class Timer: @unchecked Sendable {
    private let schedule: TimerSchedule

    /// - Parameters:
    ///   - timeout: seconds until the first firing, and between firings.
    ///   - repeat: whether it fires again and again, until it is invalidated.
    ///   - completion: runs on `queue`; it is kept until the timer goes.
    ///   - queue: where `completion` is called, and whose clock counts.
    public init(timeout: Double, repeat: Bool, completion: @escaping () -> Void, queue: Queue) {
        schedule = TimerSchedule(timeout, `repeat`, completion, queue.executor)
    }

    deinit { schedule.dispose() }

    /// Starts the time, anew if it is running.
    public func start() { schedule.start() }

    /// Stops the timer. Safe from any thread, any number of times.
    public func invalidate() { schedule.stop() }

    /// Ends a running timer by firing it: inline when its queue is current, otherwise later on its queue. A timer that
    /// does not run, be it that it has fired or was never started, does nothing: it fires at most once for each start.
    public func fireAndInvalidate() { schedule.fireAndStop() }

    /// Changes the time and starts anew.
    public func resetTimeout(_ timeout: Double) { schedule.start(timeout: timeout) }

    var executor: Executor { schedule.executor }
    var repeats: Bool { schedule.repeats }

    /// Whether a firing is due.
    public var isScheduled: Bool { schedule.dueTime != nil }

    /// Seconds until the next firing, 0 if it is overdue; infinite when none is due.
    public var remainingTime: Double { schedule.dueTime.map { max(0, $0 - executor.now) } ?? .infinity }

    /// When the timer fires next, in seconds since 1970 by the clock on the wall; infinite before the first start, 0
    /// when no firing is due.
    public var timeoutDate: Double {
        if isScheduled { return executor.wallNow + remainingTime }
        return schedule.hasStarted ? 0 : .infinity
    }
}

/// What a timer shares with its firings; it does not know the timer.
private final class TimerSchedule: ScheduledWork, @unchecked Sendable {
    let repeats: Bool
    // Under the timeline's lock.
    @exclusivity(unchecked) private var completion: (() -> Void)?
    @exclusivity(unchecked) private var timeout: Double
    /// Counts starts and stops: a firing that was sent on its way by itself counts until the next.
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

    /// The timer has gone. A firing that was sent on its way is not called back.
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
    public convenience init(timeout: Double, repeat: Bool, completion: @escaping (Timer) -> Void, queue: Queue) {
        final class Reference: @unchecked Sendable { weak var timer: Timer? }
        let reference = Reference()
        self.init(
            timeout: timeout, repeat: `repeat`, completion: { if let timer = reference.timer { completion(timer) } },
            queue: queue)
        reference.timer = self
    }
}
#endif
