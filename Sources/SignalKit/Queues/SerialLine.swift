/// The work of a serial queue: one job after another, in the order in which they were put.
///
/// Whoever puts a job where nobody is at work has the line come up, wherever its work is done. It is a job itself, for a pool: a turn of it.
class SerialLine: Job, StartsAgain, @unchecked Sendable {
    private let inbox = Inbox()
    let process = ProcessMark()
    let tickets = Tickets()
    /// What those who put write stays out of the cache line of who takes.
    private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
    /// What has been taken out of the inbox. It belongs to whoever is at it.
    @exclusivity(unchecked) private var waiting = JobList()

    /// There is work, and somebody is to be at it from now on.
    func comeUp() {}

    /// Whether the caller is in its work.
    var isCurrent: Bool { CurrentWork.isOf(self) }

    /// Whether there is, or can be had, who does the work.
    var isServed: Bool { true }

    /// Whether its thread would only go to sleep if it had nothing to do.
    var canStay: Bool { false }

    /// Whether its work may be done by a thread that waits for it.
    var lends: Bool { false }

    /// Whether what does its work has ended: what is put now is let go.
    var isClosed: Bool { false }

    /// False when the job was let go.
    @discardableResult @inline(__always)
    final func put(_ job: consuming Job) -> Bool {
        if isClosed { return false }
        checkProcess()
        WorkInFlight.begin()
        if inbox.put(job) { comeUp() }
        return true
    }

    /// Runs `work` on the calling thread, in the line's name, if nothing waits or runs.
    final func runIfIdle(_ work: () -> Void) -> Bool {
        checkProcess()
        guard inbox.enter() else { return false }
        CurrentWork.run(of: self, work)
        leave()
        return true
    }

    /// Does what waits, at most so many jobs.
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

    /// Does what waits by now, and nothing that comes meanwhile.
    final func runWaiting() {
        checkProcess()
        if inbox.isIdle { return }
        CurrentWork.run(of: self) {
            inbox.collect(into: &waiting)
            while !waiting.isEmpty { runFirst() }
            leave()
        }
    }

    private func leave() {
        if !waiting.isEmpty || !inbox.leave() { comeUp() }
    }

    @inline(__always)
    private func runFirst() {
        waiting.popFirstAndRun()
        WorkInFlight.end()
    }

    final override func isRefused() {
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
