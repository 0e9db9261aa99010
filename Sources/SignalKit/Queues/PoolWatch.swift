/// While work waits although all threads of a pool are busy: looks again and again whether they are blocked, so that more are needed.
enum PoolWatch {
    /// Seconds.
    private static var first: Double { 0.001 }
    private static var longest: Double { 0.05 }

    static func begin(_ pool: WorkerPool) { look(at: pool, after: first) }

    private static func look(at pool: WorkerPool, after delay: Double) {
        _ = DeadlineClock.shared.schedule(on: ClockExecutor.shared, after: delay, every: nil) {
            switch pool.watch() {
            case .idle: break
            case .working: look(at: pool, after: min(2 * delay, longest))
            case .grown: look(at: pool, after: first)
            }
        }
    }
}

/// The thread of the clock itself, for what takes next to no time.
private final class ClockExecutor: Executor, @unchecked Sendable {
    static let shared = ClockExecutor()

    override func put(_ work: @escaping () -> Void) -> Bool {
        work()
        return true
    }
}
