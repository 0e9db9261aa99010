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
        schedule = TimerSchedule(timeout, `repeat`, completion, queue)
    }

    deinit {
        // A firing that `fireAndInvalidate` has sent on its way is not called back.
        schedule.stop(includingFiring: false)
    }

    /// Starts the time, anew if it is running.
    public func start() { schedule.start() }

    /// Stops the timer. Safe from any thread, any number of times.
    public func invalidate() { schedule.stop(includingFiring: true) }

    /// Ends a running timer by firing it: inline when its queue is current, otherwise later on its queue. A timer that
    /// does not run, be it that it has fired or was never started, does nothing: it fires at most once for each start.
    public func fireAndInvalidate() { schedule.fireAndStop() }

    /// Changes the time and starts anew.
    public func resetTimeout(_ timeout: Double) { schedule.start(timeout: timeout) }

    var queue: Queue { schedule.queue }
    var repeats: Bool { schedule.repeats }

    /// Whether a firing is due.
    public var isScheduled: Bool { schedule.deadline != nil }

    /// Seconds until the next firing, 0 if it is overdue; infinite when none is due.
    public var remainingTime: Double { schedule.deadline.map { max(0, $0 - schedule.queue.now) } ?? .infinity }

    /// When the timer fires next, in seconds since 1970 by the clock on the wall; infinite before the first start, 0
    /// when no firing is due.
    public var timeoutDate: Double {
        if isScheduled { return schedule.queue.executor.wallNow + remainingTime }
        return schedule.hasStarted ? 0 : .infinity
    }
}

/// What a timer shares with what waits on its queue; it does not know the timer.
private final class TimerSchedule: @unchecked Sendable {
    let queue: Queue
    let repeats: Bool
    private let completion: () -> Void
    private let lock = SmallLock()
    @exclusivity(unchecked) private var timeout: Double
    @exclusivity(unchecked) private var waiting: (any Disposable)?
    @exclusivity(unchecked) private var due: Double?
    /// Counts starts and stops: what was scheduled before the latest of them does not fire.
    @exclusivity(unchecked) private var run: UInt = 0

    init(_ timeout: Double, _ repeats: Bool, _ completion: @escaping () -> Void, _ queue: Queue) {
        self.timeout = timeout
        self.repeats = repeats
        self.completion = completion
        self.queue = queue
    }

    var deadline: Double? {
        lock.lock()
        defer { lock.unlock() }
        return due
    }

    var hasStarted: Bool {
        lock.lock()
        defer { lock.unlock() }
        return run > 0
    }

    func start(timeout: Double? = nil) {
        let now = queue.now
        lock.lock()
        if let timeout { self.timeout = timeout }
        let time = self.timeout
        run += 1
        let mine = run
        due = now + max(0, time)
        let replaced = waiting
        waiting = nil
        lock.unlock()
        replaced?.dispose()
        let scheduled = queue.executor.schedule(after: time, every: repeats ? time : nil) { self.fire(mine) }
        lock.lock()
        var obsolete: (any Disposable)? = scheduled
        // It may have fired, or been stopped or started again, before we got here.
        if run == mine && due != nil { swap(&waiting, &obsolete) }
        lock.unlock()
        obsolete?.dispose()
    }

    func stop(includingFiring: Bool) {
        lock.lock()
        if includingFiring || due != nil { run += 1 }
        due = nil
        let stopped = waiting
        waiting = nil
        lock.unlock()
        stopped?.dispose()
    }

    func fireAndStop() {
        lock.lock()
        let isRunning = due != nil
        if isRunning { run += 1 }
        let mine = run
        due = nil
        let stopped = waiting
        waiting = nil
        lock.unlock()
        stopped?.dispose()
        if !isRunning { return }
        queue.async {
            self.lock.lock()
            let counts = self.run == mine
            self.lock.unlock()
            if counts { self.completion() }
        }
    }

    private func fire(_ mine: UInt) {
        let now = queue.now
        lock.lock()
        let counts = run == mine && due != nil
        var fired: (any Disposable)?
        if counts {
            due = repeats ? now + max(0, timeout) : nil
            if !repeats { swap(&waiting, &fired) }
        }
        lock.unlock()
        withExtendedLifetime(fired) {}
        if counts { completion() }
    }
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
