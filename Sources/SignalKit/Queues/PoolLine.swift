import SignalKitShims

/// A line whose turns are taken by the threads of a pool.
final class PoolLine: SerialLine, @unchecked Sendable {
    private let pool: WorkerPool
    /// For debuggers.
    private let name: UnsafeMutablePointer<CChar>?

    /// - Parameter name: is copied.
    init(_ pool: WorkerPool, name: UnsafePointer<CChar>? = nil) {
        self.pool = pool
        self.name = sgk_shim_copy_text(name)
    }

    deinit { sgk_shim_free(name) }

    override func comeUp() { pool.put(self) }
    override func run() { takeTurn(of: pool.turn) }
    override var isServed: Bool { pool.isServed }
    override var isClosed: Bool { pool.isClosed }
    override var canStay: Bool { true }
    override var lends: Bool { pool.isShared }
}
