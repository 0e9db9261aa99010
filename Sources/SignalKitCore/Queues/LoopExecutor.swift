import Synchronization

/// Runs the work of a `Queue` on a custom event loop.
///
/// Jobs and timers are stored here. The loop is asked for a turn, which runs the pending jobs, not for each job. If the
/// loop has a clock, it is only asked for the earliest deadline. Work that the loop drops is counted.
class LoopExecutor: Executor, @unchecked Sendable {
    /// After this number of jobs the loop runs its other work.
    private static var jobsPerTurn: Int { 1_000 }

    private let loop: any EventLoop
    private let clock: (any EventLoopClock)?
    private let watch: (any EventLoopWatch)?
    private let mark = ThreadMark()
    /// The thread that has last been the loop's.
    private let loopThread = ThreadMark()
    private let dropped = Synchronization.Atomic<Int>(0)
    /// A turn is its consumer from the request until it begins, so that at most one turn is pending.
    private let inbox = Inbox()
    /// Guards `turns`, and `waiting` while there are none.
    private let lock = SmallLock()
    /// The number of turns in progress. There are several if a job runs the loop again.
    final private var turns = 0
    /// The thread that is asking for a turn. A thread that puts a job, and finds itself here, has left that request by
    /// `longjmp`, or is inside it. It asks again, because a turn too many has no jobs.
    private let asking = ThreadMark()
    /// The jobs that a turn has taken out of the inbox. Only the turns in progress access them.
    @exclusivity(unchecked) final private var waiting = JobList()

    init(_ loop: any EventLoop, _ clock: (any EventLoopClock)?, _ watch: (any EventLoopWatch)?) {
        self.loop = loop
        self.clock = clock
        self.watch = watch
        if clock == nil { super.init() } else { super.init(Tickets(), Timeline()) }
    }

    override var isCurrent: Bool {
        if mark.isMine { return true }
        let isCurrent = loop.isCurrent
        if isCurrent { loopThread.set() }
        return isCurrent
    }

    override var home: UnsafePointer<ThreadMark>? { withUnsafePointer(to: loopThread) { $0 } }
    override var isTimed: Bool { clock != nil || super.isTimed }
    override var now: Double { clock.map { $0.now } ?? DeadlineClock.now }
    override var watcher: any DescriptorWatcher { watch == nil ? super.watcher : self }
    override var droppedCount: Int { dropped.load(ordering: .acquiring) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work) == true
        precondition(hasRun, "sync on a queue whose loop has ended, or that waits for the caller")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        prepareToWait()
        return waitForJob(work)
    }

    /// A separate function, so that only the loop retains the work.
    final private func handed(_ work: @escaping () -> Void, _ isLost: @escaping (LoopExecutor) -> Void) -> () -> Void {
        let work = LoopWork(self, work, isLost)
        return { work.run() }
    }

    final func run(_ work: () -> Void) { mark.run { CurrentWork.runSerial(of: workOwner, work) } }

    final func drop(_ count: Int) { dropped.add(count, ordering: .acquiringAndReleasing) }

    // MARK: Jobs

    override func put(_ work: @escaping () -> Void) -> Bool { put(ClosureJob(work)) }
    override func put(_ job: consuming Job) -> Bool {
        let isFirst = inbox.put(job)
        return !(isFirst || asking.isMine) || askForTurn()
    }

    /// Requests a turn before a thread puts a job and waits for it. If the request is left by `longjmp`, no job remains
    /// that would use the stack of the thread.
    final private func prepareToWait() {
        if inbox.enter() || asking.isMine { _ = askForTurn() }
    }

    final private func askForTurn() -> Bool {
        asking.set()
        defer { asking.clear() }
        return requestTurn()
    }

    /// Passes a turn to the loop, which runs it by `takeTurn` or releases it by `refuseTurn`. Returns false if the loop
    /// rejected it.
    func requestTurn() -> Bool { loop.tryAsync(handed({ self.takeTurn { false } }) { $0.refuseTurn() }) }

    /// Runs the pending jobs, but none that arrives in the meantime. Releases the others if the loop ends inside one.
    final func takeTurn(untilIsOver isOver: () -> Bool) {
        lock.withLock { turns += 1 }
        inbox.collect(into: &waiting, andLeaves: true)
        var left = LoopExecutor.jobsPerTurn
        while left > 0, !isOver(), let job = waiting.takeFirst() {
            job.runAndLetGo()
            left -= 1
        }
        let isEmpty = waiting.isEmpty
        lock.withLock { turns -= 1 }
        if isOver() { return refuseTurn() }
        if !isEmpty && inbox.enter() { _ = askForTurn() }
    }

    /// Releases the pending jobs, because the loop has dropped their turn. A turn in progress continues.
    final func refuseTurn() {
        var lost = JobList(), later = JobList()
        // First, because a turn that ends then requests another one for its other jobs.
        inbox.collect(into: &later, andLeaves: true)
        lock.withLock { if turns == 0 { swap(&lost, &waiting) } }
        while let job = lost.popFirst() ?? later.popFirst() {
            drop(1)
            withExtendedLifetime(job) {}
        }
    }

    // MARK: Time

    override func schedule(_ work: ScheduledWork, _ outcome: Timeline.Outcome) {
        if clock == nil { return super.schedule(work, outcome) }
        switch outcome {
        case let .comesFirst(time): ask(time)
        case .refused: drop(1)
        case .waits, .isDue: break
        }
        tickets.count()
    }

    /// A timer that is due already has its turn among the jobs, in the order of the calls.
    final private func ask(_ time: Double) {
        let delay = time - now
        if delay > 0 { return clock!.after(delay, handed({ self.ring(time) }) { $0.drop($0.timeline.close()) }) }
        _ = put(handed({ self.ring(time) }) { $0.drop($0.timeline.close() - 1) }) // `refuseTurn` counts one for the job
    }

    /// The clock may be early because of rounding. Then it is asked again.
    final private func ring(_ time: Double) {
        let now = now
        while let due = timeline.takeDue(at: now) { due.run() }
        if let next = timeline.rests(after: time), next < .infinity { ask(next) }
    }
}

// MARK: Descriptors

/// Descriptors that the loop watches. It is called on its thread.
extension LoopExecutor: DescriptorWatcher {
    func watch(_ run: DescriptorRun, _ descriptor: Descriptor) -> Int32 {
        let turn = Turn(run)
        onLoop { [self] in
            let isWatched =
                run.isOver
                || watch!.watch(descriptor.number, for: run.interest) { readiness in
                    self.run { turn.run(readiness) }
                }
            if isWatched { return }
            turn.callOff()
            run.heed(DescriptorWatch.shared.watch(run, descriptor), descriptor)
        }
        return 0
    }

    func forget(_ run: DescriptorRun, _ descriptor: Descriptor) {
        DescriptorWatch.shared.forget(run, descriptor)
        onLoop { [watch] in watch!.unwatch(descriptor.number) }
    }

    private func onLoop(_ work: @escaping () -> Void) {
        if isCurrent { work() } else { enqueue(work) }
    }
}

/// Work that was passed to a loop. The loop runs or releases it.
private final class LoopWork: @unchecked Sendable {
    private let executor: LoopExecutor
    private let isLost: (LoopExecutor) -> Void
    private var work: (() -> Void)?

    init(_ executor: LoopExecutor, _ work: @escaping () -> Void, _ isLost: @escaping (LoopExecutor) -> Void) {
        self.executor = executor
        self.work = work
        self.isLost = isLost
    }

    deinit {
        if work != nil { isLost(executor) }
    }

    func run() {
        guard let work else { return }
        self.work = nil
        executor.run(work)
    }
}
