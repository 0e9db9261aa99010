/// A thread pool as what runs the work of a concurrent `Queue`: each work is a task of its own, on whichever thread comes first.
final class WholePoolExecutor: Executor {
    private let pool: ThreadPool

    init(_ pool: ThreadPool) {
        self.pool = pool
        super.init(Tickets(ordered: false))
    }

    override var isConcurrent: Bool { true }

    override func put(_ work: @escaping () -> Void) -> Bool { pool.nextQueue().line.put(ThreadPoolTask { _ in work() }) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a thread pool that was shut down")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool {
        // A thread of the pool runs it itself: it might be the only one, and wait for nobody.
        if !pool.isCurrentThreadInPool() { return pool.nextQueue().asQueue().trySync(work) }
        work()
        return true
    }
}
