import SignalKitShims
import Synchronization

/// A thread pool's line of tasks, as what runs the work of a `Queue`.
///
/// Work that is enqueued after the pool has been shut down is let go. Time is kept by a background dispatch queue, which passes on to the
/// pool what is due.
final class PoolExecutor: Executor {
    private let line: PoolLine

    init(_ line: PoolLine) {
        self.line = line
    }

    override var isCurrent: Bool { line.isCurrent }

    override var now: Double { sgk_shim_monotonic_seconds() }

    override func enqueue(_ work: @escaping () -> Void) {
        line.add(ThreadPoolTask { _ in work() })
    }

    override func enqueueAndWait(_ work: () -> Void) {
        let hasRun = tryEnqueueAndWait(work)
        precondition(hasRun, "sync on a thread pool that was shut down")
    }

    override func tryEnqueueAndWait(_ work: () -> Void) -> Bool {
        let done = Waiter()
        withoutActuallyEscaping(work) { work in
            enqueue(Job(work, done))
            done.wait()
        }
        return done.hasRun
    }

    private func enqueue(_ job: Job) { line.add(ThreadPoolTask { _ in job.run() }) }

    override func schedule(after delay: Double, every interval: Double?, _ work: @escaping () -> Void) -> any Disposable {
        let scheduled = PoolTimer(repeats: interval != nil, work)
        let line = line
        scheduled.source.set(Queue.concurrentDefaultQueue().executor.schedule(after: delay, every: interval) {
            line.add(ThreadPoolTask { _ in scheduled.fire() })
        })
        return scheduled
    }

    private final class PoolTimer: ScheduledWork {
        let source = MetaDisposable()

        override func stop() { source.dispose() }
    }

    /// Where a thread waits for one thing.
    private final class Waiter: @unchecked Sendable {
        private let word = Synchronization.Atomic<UInt32>(0)

        var hasRun: Bool { word.load(ordering: .acquiring) == 1 }

        func wait() {
            while word.load(ordering: .acquiring) == 0 { sgk_shim_futex_wait(address, 0) }
        }

        /// 1: it has run; 2: it never will.
        func end(_ how: UInt32) {
            if word.compareExchange(expected: 0, desired: how, ordering: .acquiringAndReleasing).exchanged { sgk_shim_futex_wake_one(address) }
        }

        private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
    }

    /// Work that somebody waits for. It is let go before they are told, be it that it has run or that it never will.
    private final class Job: @unchecked Sendable {
        private let waiter: Waiter
        private var work: (() -> Void)?

        init(_ work: @escaping () -> Void, _ waiter: Waiter) {
            self.work = work
            self.waiter = waiter
        }

        deinit {
            work = nil
            waiter.end(2)
        }

        func run() {
            runWork()
            work = nil
            waiter.end(1)
        }

        @inline(never)
        private func runWork() { work?() }
    }
}
