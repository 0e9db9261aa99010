import SignalKitShims
import Synchronization

extension Executor {
    /// Enqueues `work` and waits until it has run. Returns false if it was released instead, and nil, without running
    /// it, if the thread would deadlock.
    @inline(never)
    final func waitForJob(_ work: () -> Void) -> Bool? {
        withoutActuallyEscaping(work) { work in
            let done = Waiter(for: workOwner, pool: pool, inside: home)
            done.work = work
            enqueue(WaitedJob(done))
            // Not earlier, because a custom loop may not return from that call.
            if !begin(done) {
                done.work = nil
                return nil
            }
            comeToJobs(done)
            done.wait()
            return done.hasRun
        }
    }
}

/// A thread that waits for one job.
private final class Waiter: Wait, @unchecked Sendable {
    private let word = Synchronization.Atomic<UInt32>(Waiter.isPending)
    private static var isPending: UInt32 { 0 }
    private static var hasRun: UInt32 { 1 }
    private static var isReleased: UInt32 { 2 }

    /// Belongs to the thread that puts the job, then to the thread that claims it.
    @exclusivity(unchecked) var work: (() -> Void)?

    var hasRun: Bool { word.load(ordering: .relaxed) == Waiter.hasRun }

    func wait() {
        while word.load(ordering: .acquiring) == Waiter.isPending { sgk_shim_futex_wait(address, Waiter.isPending) }
    }

    /// Called by the thread that has claimed the job. It releases the closure before it wakes the waiting thread. The
    /// wait ends here, because the next work of this thread may wait for that thread.
    func open(hasRun: Bool) {
        work = nil
        end()
        word.store(hasRun ? Waiter.hasRun : Waiter.isReleased, ordering: .releasing)
        sgk_shim_futex_wake_one(address)
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}

/// Work that a thread waits for, unless that would deadlock.
private final class WaitedJob: Job, @unchecked Sendable {
    private let waiter: Waiter

    init(_ waiter: Waiter) { self.waiter = waiter }

    deinit {
        if waiter.claim() { waiter.open(hasRun: false) }
    }

    override func run() {
        if !waiter.claim() { return }
        runWork()
        waiter.open(hasRun: true)
    }

    @inline(never)
    private func runWork() {
        if let work = waiter.work { CurrentWork.run(for: waiter, work) }
    }
}
