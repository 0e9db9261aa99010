/// A fixed number of threads that run tasks.
///
/// Each `ThreadPoolQueue` runs its tasks one at a time in their order; different queues run side by side, and a thread
/// takes one task of a queue and then looks at the other queues first. When the pool goes, or by `shutdown`, the tasks
/// that wait are let go, those that run come to their end, and the threads end.
public final class ThreadPool: @unchecked Sendable {
    let workers: WorkerPool

    /// How many threads there are: fewer than were asked for when the system refused more.
    public let threadCount: Int

    /// - Parameters:
    ///   - threadCount: at least 1. The system may refuse threads; it must grant one.
    ///   - threadPriority: from 0 to 1; 0.5 is that of any thread. A higher one is granted only to programs with the
    ///     privilege.
    public convenience init(threadCount: Int = 2, threadPriority: Double = 0.5) {
        precondition(threadCount > 0, "a ThreadPool needs at least one thread")
        self.init(upTo: threadCount, threadPriority)
        precondition(self.threadCount > 0, "the system cannot create a thread")
    }

    /// With as many threads as the system grants, which may be none.
    init(upTo wanted: Int, _ threadPriority: Double) {
        workers = WorkerPool(threads: wanted, nice: Int32((1 - min(max(threadPriority, 0), 1)) * 38 + 0.5) - 19)
        threadCount = workers.threadCount
    }

    deinit {
        workers.shutDown()
    }

    /// Runs `task` on any of the threads, unordered with other tasks.
    public func addTask(_ task: ThreadPoolTask) { workers.put(ClosureJob(task.execute)) }

    /// A new queue on this pool.
    public func nextQueue() -> ThreadPoolQueue { ThreadPoolQueue(threadPool: self) }

    /// The pool as a concurrent `Queue`, for operators and timers that run on queues. It is never current, and keeps
    /// the pool.
    public func asQueue() -> Queue { Queue(executor: ConcurrentExecutor(workers, of: self)) }

    /// Whether the caller runs on one of the threads.
    public func isCurrentThreadInPool() -> Bool { workers.isCurrent }

    /// Lets the tasks that wait go and ends the threads, those that run a task after it. Does not wait. What is added
    /// later is let go.
    public func shutdown() { workers.shutDown() }
}

/// Tasks that a thread pool runs one at a time, in order. The queue does not keep the pool: when that has gone, a task
/// that is added is let go.
public final class ThreadPoolQueue: Equatable, @unchecked Sendable {
    let jobs: PoolJobQueue

    /// Tasks for these threads.
    public init(threadPool: ThreadPool) {
        jobs = PoolJobQueue(threadPool.workers)
    }

    /// Puts a task behind those that wait.
    public func addTask(_ task: ThreadPoolTask) {
        jobs.put(ClosureJob(task.execute))
        jobs.tickets.count()
    }

    /// These tasks as a `Queue`, for operators and timers that run on queues.
    public func asQueue() -> Queue { Queue(executor: SerialExecutor(jobs)) }

    public static func == (a: ThreadPoolQueue, b: ThreadPoolQueue) -> Bool { a === b }
}
