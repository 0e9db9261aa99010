/// A serial queue whose jobs are run by the threads of a pool, `jobsPerTurn` at a time.
final class PoolJobQueue: JobQueue, @unchecked Sendable {
    private let pool: WorkerPool

    /// - Parameter name: is copied.
    init(_ pool: WorkerPool, name: UnsafePointer<CChar>? = nil) {
        self.pool = pool
        super.init(name, runsOnWaiter: pool.isShared)
    }

    override func wake() { pool.put(self) }
    override func run() { takeTurn(of: pool.jobsPerTurn) }
    override var isServed: Bool { pool.isServed }
    override var isClosed: Bool { pool.isClosed }
    override var canStay: Bool { true }
}
