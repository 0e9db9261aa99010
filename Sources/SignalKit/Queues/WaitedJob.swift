import SignalKitShims
import Synchronization

extension Executor {
    /// Puts `work` and waits until it has run; false when it was let go instead, and nil, without having run it, where
    /// the thread would wait for itself.
    @inline(never)
    final func waitForJob(_ work: () -> Void) -> Bool? {
        withoutActuallyEscaping(work) { work in
            let done = Waiter(for: workOwner, pool: pool, inside: home)
            done.work = work
            enqueue(WaitedJob(done))
            // Not before: a loop of the program's need not return from that.
            if !begin(done) && done.claim() {
                done.work = nil
                return nil
            }
            comeToJobs(done)
            done.wait()
            done.end()
            return done.hasRun
        }
    }
}

/// Where a thread waits for one job.
private final class Waiter: Wait, @unchecked Sendable {
    private let word = Synchronization.Atomic<UInt32>(Waiter.isPut)
    private static var isPut: UInt32 { 0 }
    private static var isClaimed: UInt32 { 1 }
    private static var hasRun: UInt32 { 2 }
    private static var isLetGo: UInt32 { 3 }

    /// Belongs to who puts the job, and then to who has claimed it.
    @exclusivity(unchecked) var work: (() -> Void)?

    var hasRun: Bool { word.load(ordering: .relaxed) == Waiter.hasRun }

    func wait() {
        while case let state = word.load(ordering: .acquiring), state < Waiter.hasRun {
            sgk_shim_futex_wait(address, state)
        }
    }

    /// False if another thread runs the work, lets it go, or has done so.
    func claim() -> Bool {
        word.compareExchange(expected: Waiter.isPut, desired: Waiter.isClaimed, ordering: .relaxed).exchanged
    }

    /// Called by who has claimed the job. The closure is let go before the thread is told.
    func open(hasRun: Bool) {
        work = nil
        word.store(hasRun ? Waiter.hasRun : Waiter.isLetGo, ordering: .releasing)
        sgk_shim_futex_wake_one(address)
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}

/// Work that a thread waits for, unless that thread has claimed it.
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
