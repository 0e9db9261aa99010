import SignalKitShims
import Synchronization

/// The clock of queues without a separate clock. One thread sleeps until the earliest deadline, then enqueues the
/// expired work. The clock stops while the system sleeps. The thread starts with the first deadline and never ends.
final class DeadlineClock: StartsAgain, @unchecked Sendable {
    static let shared = DeadlineClock()

    static var now: Double { sgk_shim_monotonic_seconds() }

    let timeline = Timeline(hasThread: true)
    private let process = ProcessMark()
    private let isRunning = Synchronization.Atomic<Bool>(false)
    /// Changes when a deadline precedes the end of the thread's sleep. The thread sleeps on this.
    private let news = Synchronization.Atomic<UInt32>(0)

    /// There is such a deadline, or the thread does not exist yet.
    func wake() {
        if !isServed { Warnings.sink("cannot create a thread; delayed work waits until one is available") }
        news.add(1, ordering: .releasing)
        sgk_shim_futex_wake_one(newsAddress)
    }

    /// Starts the thread if necessary. Returns false if the system cannot create it.
    var isServed: Bool {
        process.check(self)
        if isRunning.load(ordering: .acquiring) || isRunning.exchange(true, ordering: .acquiringAndReleasing) {
            return true
        }
        let isStarted = sgk_shim_thread_start({ _ in DeadlineClock.shared.run() }, nil)
        if !isStarted { isRunning.store(false, ordering: .releasing) }
        return isStarted
    }

    /// In the child process after a fork.
    func startAgain() {
        isRunning.store(false, ordering: .relaxed)
    }

    private func run() -> Never {
        Worker.begin("signalkit-clock")
        while true {
            let seen = news.load(ordering: .acquiring)
            passDue()
            let remaining = timeline.rests() - DeadlineClock.now
            if remaining > 0 { sgk_shim_futex_wait_for(newsAddress, seen, nanoseconds(remaining)) }
        }
    }

    /// A separate function, so that no work is retained while the thread sleeps.
    @inline(never)
    private func passDue() {
        let now = DeadlineClock.now
        while let due = timeline.takeDue(at: now) {
            let executor = due.executor
            executor.enqueue(due)
        }
    }

    private var newsAddress: UInt { withUnsafePointer(to: news) { UInt(bitPattern: $0) } }
}
