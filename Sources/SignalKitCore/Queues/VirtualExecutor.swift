/// Runs the work of one queue of a virtual clock.
final class VirtualExecutor: Executor {
    private let clock: VirtualClock

    init(_ clock: VirtualClock) {
        self.clock = clock
        super.init(Tickets(), clock.timeline)
    }

    override var isCurrent: Bool { clock.isCurrent(self) }
    override var isTimed: Bool { true }
    override var now: Double { clock.now }
    override var wallNow: Double { clock.wallNow }

    override func put(_ work: @escaping () -> Void) -> Bool {
        _ = timeline.set(Alarm(self, work), at: now) { now in now }
        return true
    }

    /// Expired work runs before it. But inside the work of a queue, expired work would interrupt that work, so it does
    /// not run.
    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work) != nil
        precondition(hasRun, "sync on a queue that waits for the caller")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        if !clock.isMoving { return waitForJob(work) }
        clock.run(self, work)
        return true
    }

    override func comeToJobs(_ wait: Wait) {
        while !clock.advance(to: clock.now, wait) { Latch().wait(0.0001) }
    }

    override var workOwner: CurrentWork.Owner { CurrentWork.owner(clock) }

    override func begin(_ wait: Wait) -> Bool { clock.isMoving || wait.begin() }

    /// The thread that advances the time checks each deadline.
    override func schedule(_ work: ScheduledWork, _ outcome: Timeline.Outcome) { tickets.count() }

    /// The calling thread advances the time while it waits, because it cannot do so otherwise.
    override func wait(for latch: Latch, _ seconds: Double, _ wait: Wait? = nil) {
        let end = now + seconds
        while !latch.isOpen, now < end, !clock.run(until: latch, orAt: end, wait) { latch.wait(0.0001) }
    }
}
