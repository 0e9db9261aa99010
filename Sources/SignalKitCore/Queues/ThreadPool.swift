/// A fixed number of threads that run tasks.
///
/// Each `ThreadPoolQueue` runs its tasks one at a time, in order. Different queues run in parallel. A thread takes one
/// task of a queue, then checks the other queues first. The deinitializer and `shutdown` release the pending tasks. The
/// running tasks finish, then the threads end.
public final class ThreadPool: @unchecked Sendable {
    let workers: WorkerPool

    /// The number of threads. It is smaller than requested if the system failed to create more.
    public let threadCount: Int

    /// - Parameters:
    ///   - threadCount: at least 1. The system must be able to create one thread. It may fail to create more.
    ///   - threadPriority: from 0 to 1. The normal priority is 0.5. A higher one requires a privilege.
    public convenience init(threadCount: Int = 2, threadPriority: Double = 0.5) {
        precondition(threadCount > 0, "a ThreadPool needs at least one thread")
        self.init(upTo: threadCount, threadPriority)
        precondition(self.threadCount > 0, "the system cannot create a thread")
    }

    /// Creates a pool with at most `wanted` threads. If the system cannot create a thread, there is none.
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

    /// Returns the pool as a concurrent `Queue`, for operators and timers. It is never current, and retains the pool.
    public func asQueue() -> Queue { Queue(executor: ConcurrentExecutor(workers, of: self)) }

    /// Returns whether the caller runs on one of the threads.
    public func isCurrentThreadInPool() -> Bool { workers.isCurrent }

    /// Releases the pending tasks and ends the threads, without waiting. A thread that runs a task ends after it. Tasks
    /// that are added later are released.
    public func shutdown() { workers.shutDown() }
}

/// Tasks that a thread pool runs one at a time, in order. The queue does not keep the pool alive. After the release of
/// the pool, new tasks are released.
public final class ThreadPoolQueue: Equatable, @unchecked Sendable {
    let jobs: PoolJobQueue

    /// Tasks for these threads.
    public init(threadPool: ThreadPool) {
        jobs = PoolJobQueue(threadPool.workers)
    }

    /// Adds a task after the pending ones.
    public func addTask(_ task: ThreadPoolTask) {
        jobs.put(ClosureJob(task.execute))
        jobs.tickets.count()
    }

    /// These tasks as a `Queue`, for operators and timers that run on queues.
    public func asQueue() -> Queue { Queue(executor: SerialExecutor(jobs)) }

    public static func == (a: ThreadPoolQueue, b: ThreadPoolQueue) -> Bool { a === b }
}
