/// The jobs of a serial queue, run one after another in the order in which they were put.
///
/// If no job is pending or running, the thread that puts one wakes a runner, which a subclass defines. For a pool the
/// queue is a job itself: running it runs some of its jobs.
class JobQueue: Job, StartsAgain, @unchecked Sendable {
    private let inbox = Inbox()
    let process = ProcessMark()
    let tickets: Tickets
    private let tally: QueueTally
    private let gap = CacheLinePadding()
    /// True if a thread that waits for a job may run it.
    let runsOnWaiter: Bool
    /// The jobs that the runner has taken out of the inbox. Only the runner accesses them.
    @exclusivity(unchecked) final private var waiting = JobList()

    /// - Parameter name: copied.
    init(_ name: UnsafePointer<CChar>? = nil, runsOnWaiter: Bool = false) {
        self.runsOnWaiter = runsOnWaiter
        tickets = Tickets()
        tally = QueueTally(name, tickets)
        super.init()
        QueueTally.all.add(tally)
    }

    deinit { QueueTally.all.remove(tally) }

    /// The name from the program.
    final var name: UnsafePointer<CChar>? { tally.name }

    /// Calls a runner, because there are jobs.
    func wake() { mustOverride() }

    /// True if the caller is in a job of the queue.
    var isCurrent: Bool { CurrentWork.isOf(self) }

    /// The only threads that run the jobs, or nil if there is always one more.
    var pool: WorkerPool? { nil }

    /// True if there is a thread that runs the jobs, or the system can create one.
    var isServed: Bool { true }

    /// True if its thread would sleep if it had no work.
    var canStay: Bool { false }

    /// True if the threads of the queue have ended. Then a new job is released.
    var isClosed: Bool { false }

    /// Returns false if the job was released.
    @discardableResult @inline(__always)
    final func put(_ job: consuming Job) -> Bool {
        if isClosed { return false }
        checkProcess()
        WorkInFlight.begin()
        if inbox.put(job) { wake() }
        return true
    }

    /// Runs `work` on the calling thread, as a job of the queue, if no job is pending or running. The work gets no
    /// ticket. No other work precedes it while it runs, and it has run before later work is counted.
    final func runIfIdle(_ work: () -> Void) -> Bool {
        checkProcess()
        guard inbox.enter() else { return false }
        CurrentWork.run(of: self, work)
        if !inbox.leave() { wake() }
        return true
    }

    /// Runs at most `count` jobs, also jobs that arrive in the meantime.
    final func takeTurn(of count: Int) {
        atWork {
            var left = count
            repeat {
                inbox.collect(into: &waiting)
                while left > 0 && !waiting.isEmpty {
                    runFirst()
                    left -= 1
                }
                if left == 0 { return leave() }
            } while !leavesInbox()
        }
    }

    /// Runs the pending jobs, but none that arrives in the meantime. If `stays` returns true, the runner waits briefly
    /// for more jobs.
    final func runWaiting(andStays stays: () -> Bool = { false }) {
        checkProcess()
        if inbox.isIdle { return }
        atWork {
            repeat {
                inbox.collect(into: &waiting)
                while !waiting.isEmpty { runFirst() }
                if stays() { IdleSpin.briefly { inbox.hasJobs || !stays() } }
            } while stays() && inbox.hasJobs
            leave()
        }
    }

    @inline(__always)
    final private func atWork(_ turn: () -> Void) {
        tally.isRunning = true
        CurrentWork.run(of: self, turn)
    }

    final private func leave() {
        tally.isRunning = false
        if !waiting.isEmpty || !inbox.leave() { wake() }
    }

    /// (The next runner may begin immediately after the exit from the inbox.)
    @inline(__always)
    final private func leavesInbox() -> Bool {
        tally.isRunning = false
        if inbox.leave() { return true }
        tally.isRunning = true
        return false
    }

    @inline(__always)
    final private func runFirst() {
        waiting.takeFirst()?.runAndLetGo()
        tally.count()
        WorkInFlight.end()
    }

    final override func refuse() {
        repeat {
            inbox.collect(into: &waiting)
            while waiting.popFirst() != nil {
                tally.count()
                WorkInFlight.end()
            }
        } while !inbox.leave()
    }

    /// True if jobs are pending or running.
    final var hasWork: Bool {
        checkProcess()
        return !inbox.isIdle
    }

    @inline(__always)
    final private func checkProcess() { process.check(self) }

    /// Called in the child of a fork. The jobs belong to the parent.
    func startAgain() {
        inbox.forget()
        waiting.forget()
        tally.startAgain()
    }
}
