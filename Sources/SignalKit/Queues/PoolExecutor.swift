/// A thread pool's line of tasks, as what runs the work of a `Queue`.
///
/// Work that is enqueued after the pool has been shut down is let go.
final class PoolExecutor: Executor {
    private let line: PoolLine

    init(_ line: PoolLine) {
        self.line = line
        super.init(line.tickets)
    }

    override var isCurrent: Bool { line.isCurrent }
    override var isSerial: Bool { true }
    override var canStay: Bool { true }

    override func put(_ work: @escaping () -> Void) -> Bool { line.put(ThreadPoolTask { _ in work() }) }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a thread pool that was shut down")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool { waitForJob(work) { enqueue($0) } }
}
