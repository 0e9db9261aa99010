import SignalKitShims
import Synchronization

/// Runs the work of a `Queue`: a dispatch queue, an event loop, or a virtual clock.
///
/// Subclasses guarantee that work runs in the order in which it was put (unless the executor is concurrent) and never
/// inside `put`.
class Executor {
    /// Counts the enqueued work. All executors of one queue share it.
    final let tickets: Tickets
    /// The deadlines of its clock.
    final let timeline: Timeline

    init(_ tickets: Tickets = Tickets(), _ timeline: Timeline = DeadlineClock.shared.timeline) {
        self.tickets = tickets
        self.timeline = timeline
    }

    /// The name from the program.
    var name: UnsafePointer<CChar>? { nil }

    /// True if the caller runs on this executor, so that work may run inline.
    var isCurrent: Bool { false }

    /// True if work can run on several threads at the same time.
    var isConcurrent: Bool { false }

    /// True if idle work may stay on its thread for a moment, because that thread would otherwise sleep.
    var canStay: Bool { false }

    /// The time for `schedule`, in seconds from a fixed point. It is monotonic.
    var now: Double { DeadlineClock.now }

    /// Seconds since 1970. Counts on while the system sleeps, and jumps when the clock is set.
    var wallNow: Double { sgk_shim_wall_seconds() }

    /// The number of closures that were released because their loop had ended.
    var droppedCount: Int { 0 }

    /// True if there is a thread that runs the work. If not, the work is pending until the system creates one.
    var isServed: Bool { true }

    /// Like `isServed`, for scheduled work.
    var isTimed: Bool { DeadlineClock.shared.isServed }

    /// Watches the descriptors of subscriptions whose work this is.
    var watcher: any DescriptorWatcher { DescriptorWatch.shared }

    /// The identity of the executor for waiting threads.
    var workOwner: CurrentWork.Owner { CurrentWork.owner(self) }

    /// The only threads that run the work, or nil if there is always one more.
    var pool: WorkerPool? { nil }

    /// The mark of the thread on which this executor is current, also outside of its work.
    var home: UnsafePointer<ThreadMark>? { nil }

    /// Runs `work` later. Returns false if the executor has ended and `work` was released.
    @discardableResult
    final func enqueue(_ work: @escaping () -> Void) -> Bool {
        defer { tickets.count() }
        return put(work)
    }

    /// Like `enqueue` of a closure, for work that is already an object.
    @discardableResult
    final func enqueue(_ job: consuming Job) -> Bool {
        defer { tickets.count() }
        return put(job)
    }

    /// Runs `work` later. Returns the ticket that is current until other work follows. Returns nil if other work may
    /// follow already.
    final func enqueueWithTicket(_ work: @escaping () -> Void) -> UInt? {
        let before = tickets.current
        put(work)
        let after = tickets.count()
        return after == before + tickets.step ? after : nil
    }

    /// Puts `work` after all earlier work. The caller counts the ticket. Returns false if the executor has ended and
    /// `work` was released.
    @discardableResult
    func put(_ work: @escaping () -> Void) -> Bool { mustOverride() }
    @discardableResult
    func put(_ job: consuming Job) -> Bool {
        let job = job
        return put { job.run() }
    }

    /// Runs `work` immediately on the calling thread, if no work is pending or running and any thread may run it.
    /// Otherwise returns false.
    func runIfIdle(_ work: () -> Void) -> Bool { false }

    /// Runs `work` inline if the executor is current. Otherwise runs it on the executor and returns after it. Returns
    /// false if the executor has ended and `work` was released, and nil if the caller would deadlock.
    final func runAndWait(_ work: () -> Void) -> Bool? {
        if !isCurrent { return tryEnqueueAndWait(work) }
        work()
        return true
    }

    /// Runs `work` and returns after it. Only called when not current.
    func enqueueAndWait(_ work: () -> Void) { mustOverride() }

    /// Like `enqueueAndWait`, and returns the result that `runAndWait` describes.
    func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        enqueueAndWait(work)
        return true
    }

    /// Runs `work` in `delay` seconds. Disposing the result cancels the work and releases it immediately. Releasing the
    /// result has no effect.
    final func after(_ delay: Double, _ work: @escaping () -> Void) -> any Disposable {
        let alarm = Alarm(self, work)
        alarm.set { now in now + delay }
        return alarm
    }

    /// Handles the outcome of setting `work`.
    func schedule(_ work: ScheduledWork, _ outcome: Timeline.Outcome) {
        switch outcome {
        case .waits: if !DeadlineClock.shared.isServed { DeadlineClock.shared.wake() }
        case .comesFirst: DeadlineClock.shared.wake()
        case .isDue: enqueue(work)
        case .refused: break
        }
    }

    /// Begins a wait until this executor's work opens the latch. Returns nil if that would deadlock.
    final func beginWait(for latch: Latch, inside: UnsafePointer<ThreadMark>? = nil) -> Wait? {
        let word = withUnsafePointer(to: latch.word) { $0 }
        let wait = Wait(for: workOwner, pool: pool, inside: inside ?? home, while: word)
        return begin(wait) ? wait : nil
    }

    /// Like `beginWait`, for an existing wait.
    func begin(_ wait: Wait) -> Bool { wait.begin() }

    /// Runs the pending jobs, if no other thread does. The wait ends before that.
    func comeToJobs(_ wait: Wait) {}

    /// Blocks the calling thread until the latch opens, or for a number of seconds of this executor's time. The wait
    /// ends before the thread runs work in the meantime.
    func wait(for latch: Latch, _ seconds: Double, _ wait: Wait? = nil) { latch.wait(seconds) }
}

/// Converts seconds to nanoseconds, for APIs with integers. A negative number and NaN give 0, and a number that is too
/// large gives the longest time.
func nanoseconds(_ seconds: Double) -> Int64 {
    if !(seconds > 0) { return 0 }
    let value = seconds * 1e9
    return value < 9.0e18 ? Int64(value) : Int64.max / 2
}
