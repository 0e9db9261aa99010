import Synchronization

/// Runs the work of a `Queue` on a custom event loop.
///
/// Timers are stored here. If the loop has a clock, it is only asked for the earliest deadline. Work that the loop
/// drops is counted.
class LoopExecutor: Executor, @unchecked Sendable {
    private let loop: any EventLoop
    private let clock: (any EventLoopClock)?
    private let watch: (any EventLoopWatch)?
    private let mark = ThreadMark()
    /// The thread that has last been the loop's.
    private let loopThread = ThreadMark()
    private let dropped = Synchronization.Atomic<Int>(0)

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

    override func put(_ work: @escaping () -> Void) -> Bool { loop.tryAsync(handed(work) { $0.drop(1) }) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work) == true
        precondition(hasRun, "sync on a queue whose loop has ended, or that waits for the caller")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool? { waitForJob(work) }

    /// A separate function, so that only the loop retains the work.
    private func handed(_ work: @escaping () -> Void, _ isLost: @escaping (LoopExecutor) -> Void) -> () -> Void {
        let work = LoopWork(self, work, isLost)
        return { work.run() }
    }

    final func run(_ work: () -> Void) { mark.run { CurrentWork.runSerial(of: workOwner, work) } }

    final func drop(_ count: Int) { dropped.add(count, ordering: .acquiringAndReleasing) }

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

    private func ask(_ time: Double) {
        clock!.after(max(time - now, 0), handed({ self.ring(time) }) { $0.drop($0.timeline.close()) })
    }

    /// The clock may be early because of rounding. Then it is asked again.
    private func ring(_ time: Double) {
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
