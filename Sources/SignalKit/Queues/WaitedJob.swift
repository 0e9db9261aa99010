import SignalKitShims
import Synchronization

extension Executor {
    /// Puts `work` and waits until it has run; false when it was let go instead, and nil, without having put it, where
    /// the thread would wait for itself.
    @inline(never)
    final func waitForJob(_ work: () -> Void) -> Bool? {
        let done = Waiter(for: workOwner, pool: pool, inside: home)
        if !begin(done) { return nil }
        withoutActuallyEscaping(work) { work in
            enqueue(WaitedJob(work, done))
            comeToJobs(done)
            done.wait()
        }
        done.end()
        return done.hasRun
    }
}

/// Where a thread waits for one job.
private final class Waiter: Wait, @unchecked Sendable {
    private let word = Synchronization.Atomic<UInt32>(0)

    var hasRun: Bool { word.load(ordering: .acquiring) == 1 }

    func wait() {
        while word.load(ordering: .acquiring) == 0 { sgk_shim_futex_wait(address, 0) }
    }

    /// - Parameter how: 1 when the job has run, 2 when it never will.
    func open(_ how: UInt32) {
        if word.compareExchange(expected: 0, desired: how, ordering: .acquiringAndReleasing).exchanged {
            sgk_shim_futex_wake_one(address)
        }
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}

/// Work that a thread waits for. The closure is let go before the thread is told, whether it has run or never will.
private final class WaitedJob: Job, @unchecked Sendable {
    private let waiter: Waiter
    private var work: (() -> Void)?

    init(_ work: @escaping () -> Void, _ waiter: Waiter) {
        self.work = work
        self.waiter = waiter
    }

    deinit {
        work = nil
        waiter.open(2)
    }

    override func run() {
        runWork()
        work = nil
        waiter.open(1)
    }

    @inline(never)
    private func runWork() {
        if let work { CurrentWork.run(for: waiter, work) }
    }
}
