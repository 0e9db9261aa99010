/// A serial queue whose jobs are run by the threads of a pool, `jobsPerTurn` at a time.
final class PoolJobQueue: JobQueue, @unchecked Sendable {
    private let workers: WorkerPool

    /// - Parameter name: is copied.
    init(_ pool: WorkerPool, name: UnsafePointer<CChar>? = nil) {
        workers = pool
        super.init(name, runsOnWaiter: pool.isShared)
    }

    override func wake() { workers.put(self) }
    override func run() { takeTurn(of: workers.jobsPerTurn) }
    override var isServed: Bool { workers.isServed }
    override var isClosed: Bool { workers.isClosed }
    override var pool: WorkerPool? { workers.fixed }
    override var canStay: Bool { true }
}
