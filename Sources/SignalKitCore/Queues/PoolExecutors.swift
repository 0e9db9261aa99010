import SignalKitShims

/// Runs the work of a serial `Queue` of the library, on a pool or on the main thread.
final class SerialExecutor: Executor, @unchecked Sendable {
    private let jobs: JobQueue

    init(_ jobs: JobQueue) {
        self.jobs = jobs
        super.init(jobs.tickets)
    }

    /// A thread may be in `runIfIdle`, which does not retain the jobs. Work that is enqueued after it does.
    deinit {
        if jobs.runsOnWaiter && jobs.hasWork { enqueue(ClosureJob { [jobs] in withExtendedLifetime(jobs) {} }) }
    }

    override var name: UnsafePointer<CChar>? { jobs.name }
    override var isCurrent: Bool { jobs.isCurrent }
    override var canStay: Bool { jobs.canStay }
    override var isServed: Bool { jobs.isServed }
    override var workOwner: CurrentWork.Owner { CurrentWork.owner(jobs) }
    override var pool: WorkerPool? { jobs.pool }

    override func put(_ work: @escaping () -> Void) -> Bool { jobs.put(ClosureJob(work)) }
    override func put(_ job: consuming Job) -> Bool { jobs.put(job) }

    /// The caller need not retain this object, because `work` may release it.
    override func runIfIdle(_ work: () -> Void) -> Bool { jobs.runsOnWaiter && jobs.runIfIdle(work) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = runIfIdle(work) || tryEnqueueAndWait(work) == true
        precondition(hasRun, "sync on a queue whose thread pool has ended, or that waits for the caller")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        isServed ? waitForJob(work) : false
    }
}

/// Runs the work of a concurrent `Queue` on any thread of a pool.
final class ConcurrentExecutor: Executor, @unchecked Sendable {
    private let workers: WorkerPool
    /// The program's pool, retained because its threads end with it. Nil for a pool of the library.
    private let owner: ThreadPool?
    /// True if the pool belongs to this object alone. Then pending work still runs after the release of this object.
    private let isAlone: Bool
    private let text: UnsafeMutablePointer<CChar>?

    init(_ pool: WorkerPool, of owner: ThreadPool? = nil) {
        workers = pool
        self.owner = owner
        isAlone = false
        text = nil
        super.init(Tickets(ordered: false))
    }

    /// Creates a queue with its own threads. The C string `name` is copied.
    init(alone threads: ThreadPool, name: UnsafePointer<CChar>?) {
        workers = threads.workers
        owner = threads
        isAlone = true
        text = sgk_shim_copy_text(name)
        super.init(Tickets(ordered: false))
    }

    /// The job behind the pending work retains the threads.
    deinit {
        if isAlone { workers.put(ClosureJob { [owner] in withExtendedLifetime(owner) {} }) }
        sgk_shim_free(text)
    }

    override var name: UnsafePointer<CChar>? { text.map { UnsafePointer($0) } }
    override var isConcurrent: Bool { true }
    override var isServed: Bool { workers.isServed }
    override var pool: WorkerPool? { workers.fixed }

    override func put(_ work: @escaping () -> Void) -> Bool { put(ClosureJob(work)) }

    override func put(_ job: consuming Job) -> Bool {
        if workers.isClosed { return false }
        workers.put(job)
        return true
    }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work) == true
        precondition(hasRun, "sync on a queue whose thread pool has ended")
    }

    /// A thread of the pool runs the work itself. If it is the only one, it would otherwise deadlock.
    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool? {
        if !workers.isShared && !workers.isCurrent { return isServed ? waitForJob(work) : false }
        CurrentWork.run(of: nil, work)
        return true
    }
}
