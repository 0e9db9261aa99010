import SignalKitShims

/// A serial queue whose jobs are run by the threads of a pool, `jobsPerTurn` at a time.
final class PoolJobQueue: JobQueue, @unchecked Sendable {
    private let pool: WorkerPool
    /// For debuggers.
    private let title: UnsafeMutablePointer<CChar>?
    override var name: UnsafePointer<CChar>? { title.map { UnsafePointer($0) } }

    /// - Parameter name: is copied.
    init(_ pool: WorkerPool, name: UnsafePointer<CChar>? = nil) {
        self.pool = pool
        title = sgk_shim_copy_text(name)
        super.init(runsOnWaiter: pool.isShared)
    }

    deinit { sgk_shim_free(title) }

    override func wake() { pool.put(self) }
    override func run() { takeTurn(of: pool.jobsPerTurn) }
    override var isServed: Bool { pool.isServed }
    override var isClosed: Bool { pool.isClosed }
    override var canStay: Bool { true }
}
