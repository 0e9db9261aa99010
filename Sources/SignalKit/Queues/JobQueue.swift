/// The jobs of a serial queue, run one after another in the order in which they were put.
///
/// The thread that puts a job where no job waits or runs wakes a runner; subclasses say what that is. For a pool the
/// queue is a job itself: to run it is to run some of its jobs.
class JobQueue: Job, StartsAgain, @unchecked Sendable {
    private let inbox = Inbox()
    let process = ProcessMark()
    let tickets = Tickets()
    private let gap = Gap()
    /// Whether a thread that waits for a job may run it itself.
    let runsOnWaiter: Bool
    /// The jobs that the runner has taken out of the inbox. Only the runner touches them.
    @exclusivity(unchecked) private var waiting = JobList()

    init(runsOnWaiter: Bool = false) { self.runsOnWaiter = runsOnWaiter }

    /// What the program calls it.
    var name: UnsafePointer<CChar>? { nil }

    /// Has a runner come: there are jobs.
    func wake() { mustOverride() }

    /// Whether the caller is in a job of the queue.
    var isCurrent: Bool { CurrentWork.isOf(self) }

    /// Whether there is a thread that runs the jobs, or the system grants one.
    var isServed: Bool { true }

    /// Whether its thread would only go to sleep if it had nothing to do.
    var canStay: Bool { false }

    /// Whether the threads that ran the jobs have ended: a job that is put now is let go.
    var isClosed: Bool { false }

    /// False when the job was let go.
    @discardableResult @inline(__always)
    final func put(_ job: consuming Job) -> Bool {
        if isClosed { return false }
        checkProcess()
        WorkInFlight.begin()
        if inbox.put(job) { wake() }
        return true
    }

    /// Runs `work` on the calling thread, as a job of the queue, if no job waits or runs. It is not counted: while it
    /// runs nothing stands before it, and when what is put behind it is counted it has run.
    final func runIfIdle(_ work: () -> Void) -> Bool {
        checkProcess()
        guard inbox.enter() else { return false }
        CurrentWork.run(of: self, work)
        if !inbox.leave() { wake() }
        return true
    }

    /// Runs the jobs that wait, and those that come meanwhile, at most so many.
    final func takeTurn(of count: Int) {
        CurrentWork.run(of: self) {
            var left = count
            repeat {
                inbox.collect(into: &waiting)
                while left > 0 && !waiting.isEmpty {
                    runFirst()
                    left -= 1
                }
                if left == 0 { return leave() }
            } while !inbox.leave()
        }
    }

    /// Runs the jobs that wait, and none that comes meanwhile; unless the runner then is to stay and look for more.
    final func runWaiting(andStays stays: () -> Bool = { false }) {
        checkProcess()
        if inbox.isIdle { return }
        CurrentWork.run(of: self) {
            repeat {
                inbox.collect(into: &waiting)
                while !waiting.isEmpty { runFirst() }
                if stays() { Look.briefly { inbox.hasJobs || !stays() } }
            } while stays() && inbox.hasJobs
            leave()
        }
    }

    private func leave() {
        if !waiting.isEmpty || !inbox.leave() { wake() }
    }

    @inline(__always)
    private func runFirst() {
        waiting.takeFirst()?.runAndLetGo()
        WorkInFlight.end()
    }

    final override func refuse() {
        repeat {
            inbox.collect(into: &waiting)
            while waiting.popFirst() != nil { WorkInFlight.end() }
        } while !inbox.leave()
    }

    /// Whether jobs wait or run.
    final var hasWork: Bool {
        checkProcess()
        return !inbox.isIdle
    }

    @inline(__always)
    private func checkProcess() { process.check(self) }

    /// In the child of a fork: the jobs are the parent's.
    func startAgain() {
        inbox.forget()
        waiting.forget()
    }
}
