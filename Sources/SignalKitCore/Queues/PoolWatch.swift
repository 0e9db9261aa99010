/// Checks a pool periodically while work is pending and all its threads are busy. If they are blocked, the pool needs
/// more threads.
enum PoolWatch {
    /// Seconds.
    private static var first: Double { 0.001 }
    private static var longest: Double { 0.05 }

    static func begin(_ pool: WorkerPool) { look(at: pool, after: first) }

    private static func look(at pool: WorkerPool, after delay: Double) {
        _ = ClockExecutor.shared.after(delay) {
            switch pool.watch() {
            case .idle: break
            case .working: look(at: pool, after: min(2 * delay, longest))
            case .grown: look(at: pool, after: first)
            }
        }
    }
}

/// Runs very short work on the thread of the clock.
private final class ClockExecutor: Executor, @unchecked Sendable {
    static let shared = ClockExecutor()

    override func put(_ work: @escaping () -> Void) -> Bool {
        work()
        return true
    }
}
