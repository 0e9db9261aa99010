import SignalKitShims
import Synchronization

/// The jobs of the main queue, run on the main thread by `runUntilStopped` or by a custom loop, which watches the
/// descriptor (`readable`) and calls `drain`.
final class MainJobQueue: JobQueue, @unchecked Sendable {
    static let shared = MainJobQueue(CString("main").text)

    /// -1 until one is needed.
    private let event = Synchronization.Atomic<sgk_shim_event>(-1)
    private let isToStop = Synchronization.Atomic<Bool>(false)
    /// Only the main thread accesses it.
    private(set) var isDraining = false

    override var isCurrent: Bool { super.isCurrent || sgk_shim_is_main_thread() }

    override func wake() {
        MainQueueWatch.shared.sent()
        sgk_shim_event_raise(event.load(ordering: .sequentiallyConsistent))
    }

    /// Returns a descriptor that is readable when there is work, or a negative number if the system provides none.
    func readable() -> Int32 { sgk_shim_event_descriptor(wantedEvent()) }

    private func wantedEvent() -> sgk_shim_event {
        let hasWork = hasWork
        if event.load(ordering: .acquiring) < 0 {
            let made = sgk_shim_event_make()
            if made < 0 { return made }
            if !event.compareExchange(expected: -1, desired: made, ordering: .sequentiallyConsistent).exchanged {
                sgk_shim_event_close(made)
            }
            // Earlier jobs have raised no event.
            if hasWork || self.hasWork { wake() }
        }
        return event.load(ordering: .acquiring)
    }

    /// Called on the main thread. From inside the queue's own work it does nothing.
    func drain() { drain { false } }

    private func drain(andStays stays: () -> Bool) {
        if isDraining { return }
        isDraining = true
        sgk_shim_event_clear(event.load(ordering: .acquiring))
        runWaiting(andStays: stays)
        isDraining = false
    }

    /// Called on the main thread, not from inside the queue's own work. False when the system refuses a descriptor.
    func runUntilStopped() -> Bool {
        let event = wantedEvent()
        if event < 0 { return false }
        while !isToStop.exchange(false, ordering: .acquiring) {
            if !sgk_shim_event_wait(event) { return false }
            // As long as it stays, no thread has to wake it.
            drain { IdleSpin.isOfUse && !isToStop.load(ordering: .relaxed) }
        }
        return true
    }

    /// Called on the main thread, but not inside the queue's work. Runs pending work until the latch opens or the
    /// deadline passes. The thread that opens the latch also calls `wake`.
    func run(until latch: Latch, orAt deadline: Double) {
        MainQueueWatch.shared.settle()
        let event = wantedEvent()
        while true {
            drain()
            let remaining = deadline - DeadlineClock.now
            if latch.isOpen || !(remaining > 0) { return }
            // Without an event it polls.
            if event < 0 {
                latch.wait(min(remaining, 0.001))
            } else {
                sgk_shim_event_wait_for(event, nanoseconds(remaining))
            }
        }
    }

    func stop() {
        isToStop.store(true, ordering: .releasing)
        sgk_shim_event_raise(wantedEvent())
    }

    /// The descriptor keeps its number. The child has a separate one behind it.
    override func startAgain() {
        super.startAgain()
        isDraining = false
        sgk_shim_event_renew(event.load(ordering: .relaxed))
    }
}
