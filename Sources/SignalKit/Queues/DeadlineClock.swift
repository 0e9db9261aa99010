import SignalKitShims
import Synchronization

/// The clock of the queues that have none of their own: one thread, which sleeps until the earliest deadline and then
/// enqueues the work that is due. The clock stands still while the system sleeps. The thread starts with the first
/// deadline, and stays.
final class DeadlineClock: StartsAgain, @unchecked Sendable {
    static let shared = DeadlineClock()

    static var now: Double { sgk_shim_monotonic_seconds() }

    private let process = ProcessMark()
    @exclusivity(unchecked) private var timeline = Timeline()
    private let isRunning = Synchronization.Atomic<Bool>(false)
    /// Moves on when there is a new earliest deadline; the thread sleeps on it.
    private let news = Synchronization.Atomic<UInt32>(0)

    func schedule(
        on executor: Executor, after delay: Double, every interval: Double?, _ work: @escaping () -> Void
    ) -> any Disposable {
        checkProcess()
        let scheduled = QueuedWork(timeline, executor, every: interval, work)
        if !(delay > 0) && interval == nil {
            scheduled.pass()
        } else if timeline.add(scheduled, at: DeadlineClock.now + (delay > 0 ? delay : 0)) == true {
            wake()
        }
        return scheduled
    }

    private func wake() {
        if !isServed { Warnings.sink("the system refuses a thread: nothing comes in its time until it grants one") }
        news.add(1, ordering: .releasing)
        sgk_shim_futex_wake_one(newsAddress)
    }

    /// Whether the thread runs, or the system grants it.
    var isServed: Bool {
        checkProcess()
        if isRunning.load(ordering: .acquiring) || isRunning.exchange(true, ordering: .acquiringAndReleasing) {
            return true
        }
        let isStarted = sgk_shim_thread_start({ _ in DeadlineClock.shared.run() }, nil)
        if !isStarted { isRunning.store(false, ordering: .releasing) }
        return isStarted
    }

    private func checkProcess() { process.check(self) }

    /// Whether that is the clock's timeline in this process.
    fileprivate func keeps(_ timeline: Timeline) -> Bool {
        checkProcess()
        return timeline === self.timeline
    }

    /// In the child of a fork: what waits is the parent's.
    func startAgain() {
        timeline = Timeline()
        isRunning.store(false, ordering: .relaxed)
    }

    private func run() -> Never {
        sgk_shim_thread_set_name("signalkit-clock")
        while true {
            let seen = news.load(ordering: .acquiring)
            passDue()
            let remaining = (timeline.next ?? .infinity) - DeadlineClock.now
            if remaining > 0 { sgk_shim_futex_wait_for(newsAddress, seen, nanoseconds(remaining)) }
        }
    }

    /// A function of its own, so that no work is held while the thread sleeps.
    @inline(never)
    private func passDue() {
        let now = DeadlineClock.now
        while let due = timeline.takeDue(at: now) { unsafeDowncast(due, to: QueuedWork.self).pass() }
    }

    private var newsAddress: UInt { withUnsafePointer(to: news) { UInt(bitPattern: $0) } }
}

/// Work that is enqueued when its time has come.
private final class QueuedWork: ScheduledWork, @unchecked Sendable {
    private let executor: Executor
    /// Whether a firing is enqueued already: later ones become the same.
    private let isOnItsWay = Synchronization.Atomic<Bool>(false)

    init(_ timeline: Timeline, _ executor: Executor, every interval: Double?, _ work: @escaping () -> Void) {
        self.executor = executor
        super.init(timeline, every: interval, work)
    }

    /// Does nothing in the child of a fork, where the work never fires: the fork may have come while the parent's clock
    /// was changing the timeline.
    override func dispose() {
        if DeadlineClock.shared.keeps(timeline) { super.dispose() }
    }

    func pass() {
        if isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) { return }
        executor.enqueue {
            self.isOnItsWay.store(false, ordering: .releasing)
            self.fire()
        }
    }
}
