/// A serial queue of the library's own.
final class SerialExecutor: Executor, @unchecked Sendable {
    private let line: SerialLine

    init(_ line: SerialLine) {
        self.line = line
        super.init(line.tickets)
    }

    override var isCurrent: Bool { line.isCurrent }
    override var isSerial: Bool { true }
    override var canStay: Bool { line.canStay }
    override var isServed: Bool { line.isServed }
    override var isHeldUp: Bool { !line.isCurrent && CurrentWork.isPart(of: line) }

    override func put(_ work: @escaping () -> Void) -> Bool { line.put(ClosureJob(work)) }
    override func put(_ job: consuming Job) -> Bool { line.put(job) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a queue that nothing runs")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool {
        if line.lends && line.runIfIdle(work) {
            tickets.count()
            return true
        }
        return isServed && waitForJob(work) { enqueue($0) }
    }
}

/// A queue whose work runs on any thread of a pool, at once if there is one.
final class ConcurrentExecutor: Executor, @unchecked Sendable {
    private let pool: WorkerPool
    /// The program's own, whose threads end with it.
    private let owner: ThreadPool?

    init(_ pool: WorkerPool, of owner: ThreadPool? = nil) {
        self.pool = pool
        self.owner = owner
        super.init(Tickets(ordered: false))
    }

    override var isConcurrent: Bool { true }
    override var isServed: Bool { pool.isServed }

    override func put(_ work: @escaping () -> Void) -> Bool { put(ClosureJob(work)) }

    override func put(_ job: consuming Job) -> Bool {
        if pool.isClosed { return false }
        pool.put(job)
        return true
    }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a queue that nothing runs")
    }

    /// A thread of the pool runs it itself: it might be the only one, and wait for nobody.
    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool {
        if !pool.isShared && !pool.isCurrent { return isServed && waitForJob(work) { _ = put($0) } }
        CurrentWork.run(of: nil, work)
        return true
    }
}
