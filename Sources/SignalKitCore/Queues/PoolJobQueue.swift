/// A serial queue. The threads of a pool run its jobs, `jobsPerTurn` in a turn.
final class PoolJobQueue: JobQueue, @unchecked Sendable {
    private let workers: WorkerPool

    /// - Parameter name: copied.
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
