/// A serial queue of the library's own.
final class SerialExecutor: Executor, @unchecked Sendable {
    private let line: SerialLine

    init(_ line: SerialLine) { self.line = line }

    override var isCurrent: Bool { line.isCurrent }
    override var isSerial: Bool { true }
    override var canStay: Bool { line is PoolLine }
    override var isServed: Bool { line.isServed }
    override var isHeldUp: Bool { !line.isCurrent && CurrentWork.isPart(of: line) }

    override func enqueue(_ work: @escaping () -> Void) { enqueue(job: ClosureJob(work)) }
    override func enqueue(job: Job) { line.put(job) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a thread pool that was shut down")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool { line.lends && line.runIfIdle(work) || waitForJob(work) { enqueue(job: $0) } }
}

/// A queue whose work runs on any thread of a pool.
final class ConcurrentExecutor: Executor, @unchecked Sendable {
    private let pool: WorkerPool

    init(_ pool: WorkerPool) { self.pool = pool }

    override var isConcurrent: Bool { true }
    override var isServed: Bool { pool.isServed }

    override func enqueue(_ work: @escaping () -> Void) { enqueue(job: ClosureJob(work)) }
    override func enqueue(job: Job) { pool.put(job) }

    override func enqueueAndWait(_ work: () -> Void) { CurrentWork.run(of: nil, work) }
}
