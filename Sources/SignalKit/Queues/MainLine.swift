import SignalKitShims
import Synchronization

/// The work of the main queue, which is done on the main thread: by `run`, or by a loop that watches `event` and calls `drain`.
final class MainLine: SerialLine, @unchecked Sendable {
    static let shared = MainLine()

    /// -1: nobody has wanted one yet.
    private let event = Synchronization.Atomic<sgk_shim_event>(-1)
    private let isToStop = Synchronization.Atomic<Bool>(false)
    /// Of the main thread alone.
    private(set) var isDraining = false

    override var isCurrent: Bool { super.isCurrent || sgk_shim_is_main_thread() }

    override func comeUp() {
        MainQueueWatch.shared.sent()
        sgk_shim_event_raise(event.load(ordering: .sequentiallyConsistent))
    }

    /// A descriptor that is readable when there is work; negative when the system refuses one.
    func readable() -> Int32 { sgk_shim_event_descriptor(wantedEvent()) }

    private func wantedEvent() -> sgk_shim_event {
        let hasWork = hasWork
        if event.load(ordering: .acquiring) < 0 {
            let made = sgk_shim_event_make()
            if made < 0 { return made }
            if !event.compareExchange(expected: -1, desired: made, ordering: .sequentiallyConsistent).exchanged {
                sgk_shim_event_close(made)
            }
            // What came before found none to raise.
            if hasWork || self.hasWork { comeUp() }
        }
        return event.load(ordering: .acquiring)
    }

    /// On the main thread. From inside the queue's own work it does nothing.
    func drain() {
        if isDraining { return }
        isDraining = true
        sgk_shim_event_clear(event.load(ordering: .acquiring))
        runWaiting()
        isDraining = false
    }

    /// On the main thread, not from inside the queue's own work; false when the system refuses what it takes to wait.
    func runUntilStopped() -> Bool {
        let event = wantedEvent()
        if event < 0 { return false }
        while !isToStop.exchange(false, ordering: .acquiring) {
            if !sgk_shim_event_wait(event) { return false }
            drain()
        }
        return true
    }

    /// On the main thread, not from inside the queue's own work: does what there is to do until the latch opens, or until then.
    func run(until latch: Latch, orAt deadline: Double) {
        MainQueueWatch.shared.settle()
        let event = wantedEvent()
        while true {
            drain()
            let remaining = deadline - DeadlineClock.now
            if latch.isOpen || !(remaining > 0) { return }
            // Without an event it has to look now and then.
            if event < 0 { latch.wait(min(remaining, 0.001)) } else { sgk_shim_event_wait_for(event, nanoseconds(remaining)) }
        }
    }

    /// Makes it look at its latch.
    func wake() { sgk_shim_event_raise(event.load(ordering: .acquiring)) }

    func stop() {
        isToStop.store(true, ordering: .releasing)
        sgk_shim_event_raise(wantedEvent())
    }

    /// The descriptor keeps its number, and is the child's own.
    override func startAgain() {
        super.startAgain()
        isDraining = false
        sgk_shim_event_renew(event.load(ordering: .relaxed))
    }
}
