import SignalKitShims

/// What runs the work of a `Queue`: a dispatch queue, an event loop, a clock that only tests move.
///
/// Subclasses promise that work runs in the order in which it was put (unless the executor is concurrent) and never
/// inside `put`.
class Executor {
    /// Counts what is put; shared by all executors of one queue.
    final let tickets: Tickets
    /// The deadlines of its clock.
    final let timeline: Timeline

    init(_ tickets: Tickets = Tickets(), _ timeline: Timeline = DeadlineClock.shared.timeline) {
        self.tickets = tickets
        self.timeline = timeline
    }

    /// The name that the program has given it.
    var name: UnsafePointer<CChar>? { nil }

    /// Whether the caller runs on this executor, so that it may work inline.
    var isCurrent: Bool { false }

    /// Whether work is known to run at once on several threads.
    var isConcurrent: Bool { false }

    /// Whether work may stay for a moment although it has nothing to do: its thread would only go to sleep.
    var canStay: Bool { false }

    /// The time by which `schedule` measures, in seconds from any fixed point; never jumps.
    var now: Double { DeadlineClock.now }

    /// Seconds since 1970. Counts on while the system sleeps, and jumps when the clock is set.
    var wallNow: Double { sgk_shim_wall_seconds() }

    /// How many closures were let go because the loop that would have run them had ended.
    var droppedCount: Int { 0 }

    /// Whether there is a thread that runs the work. If not, the work waits until the system grants one.
    var isServed: Bool { true }

    /// The same for work that is scheduled.
    var isTimed: Bool { DeadlineClock.shared.isServed }

    /// What watches the descriptors of runs whose work this is.
    var watcher: any DescriptorWatcher { DescriptorWatch.shared }

    /// By what those who wait know it.
    var workOwner: CurrentWork.Owner { CurrentWork.owner(self) }

    /// The only threads that run the work; nil if there is always one more.
    var pool: WorkerPool? { nil }

    /// Where the thread is known on which this executor is current, also outside of its work.
    var home: UnsafePointer<ThreadMark>? { nil }

    /// Runs `work` later. False when the executor has ended, and `work` was let go.
    @discardableResult
    final func enqueue(_ work: @escaping () -> Void) -> Bool {
        defer { tickets.count() }
        return put(work)
    }

    /// The same, for work that is an object already.
    @discardableResult
    final func enqueue(_ job: consuming Job) -> Bool {
        defer { tickets.count() }
        return put(job)
    }

    /// Runs `work` later. Returns the ticket that is current as long as nothing has been put behind it; nil when
    /// something may have been put behind it already.
    final func enqueueWithTicket(_ work: @escaping () -> Void) -> UInt? {
        let before = tickets.current
        put(work)
        let after = tickets.count()
        return after == before + tickets.step ? after : nil
    }

    /// Puts `work` behind all that has been put before. The caller counts the ticket.
    /// False when the executor has ended, and `work` was let go.
    @discardableResult
    func put(_ work: @escaping () -> Void) -> Bool { mustOverride() }
    @discardableResult
    func put(_ job: consuming Job) -> Bool {
        let job = job
        return put { job.run() }
    }

    /// Runs `work` at once, on the calling thread, if nothing waits or runs and any thread may run it; otherwise false.
    func runIfIdle(_ work: () -> Void) -> Bool { false }

    /// Runs `work` inline when current, otherwise on the executor, and returns after it. False when that has ended, and
    /// `work` was let go; nil where the caller would wait for itself.
    final func runAndWait(_ work: () -> Void) -> Bool? {
        if !isCurrent { return tryEnqueueAndWait(work) }
        work()
        return true
    }

    /// Runs `work` and returns after it. Only called when not current.
    func enqueueAndWait(_ work: () -> Void) { mustOverride() }

    /// The same, and what has become of it: see `runAndWait`.
    func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        enqueueAndWait(work)
        return true
    }

    /// Runs `work` in `delay` seconds, unless the result is disposed before, which lets go of `work` at once. Letting
    /// the result go cancels nothing.
    final func after(_ delay: Double, _ work: @escaping () -> Void) -> any Disposable {
        let alarm = Alarm(self, work)
        alarm.set { now in now + delay }
        return alarm
    }

    /// Does what follows from having set `work`.
    func schedule(_ work: ScheduledWork, _ outcome: Timeline.Outcome) {
        switch outcome {
        case .waits: if !DeadlineClock.shared.isServed { DeadlineClock.shared.wake() }
        case .comesFirst: DeadlineClock.shared.wake()
        case .isDue: enqueue(work)
        case .refused: break
        }
    }

    /// Begins to wait for what this executor's work does. Nil where that would wait for itself.
    final func beginWait(inside: UnsafePointer<ThreadMark>? = nil) -> Wait? {
        let wait = Wait(for: workOwner, pool: pool, inside: inside ?? home)
        return begin(wait) ? wait : nil
    }

    /// The same, of one that is made already.
    func begin(_ wait: Wait) -> Bool { wait.begin() }

    /// Has the jobs run that are there, if nobody else does. The wait ends before.
    func comeToJobs(_ wait: Wait) {}

    /// Blocks the calling thread until the latch opens, or for so many seconds of this executor's time. The wait ends
    /// before the thread runs any work in the meantime.
    func wait(for latch: Latch, _ seconds: Double, _ wait: Wait? = nil) { latch.wait(seconds) }
}

/// Seconds as nanoseconds, for APIs that count in integers: what is no time at all (negative, not a number) is 0, what
/// is too long is the longest time.
func nanoseconds(_ seconds: Double) -> Int64 {
    if !(seconds > 0) { return 0 }
    let value = seconds * 1e9
    return value < 9.0e18 ? Int64(value) : Int64.max / 2
}
