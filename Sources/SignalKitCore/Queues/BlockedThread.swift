import SignalKitShims

/// The place of a thread that waits for an event. A queue may have to deliver that event, so the wait must not block
/// that queue.
enum BlockedThread {
    /// No queue needs the thread.
    case elsewhere
    /// On the main thread, and not in the work of the main queue, which runs during the wait.
    case mainThread
    /// In work of virtual time, which is moved on.
    case virtual(VirtualClock)

    /// Returns the place of the calling thread, or nil in the work of a serial queue.
    static var ofCaller: BlockedThread? {
        switch CurrentWork.standing {
        case .still: return nil
        case let .moving(clock): return .virtual(clock)
        case .free:
            if MainThread.isInMainQueue { return nil }
            return sgk_shim_is_main_thread() ? .mainThread : .elsewhere
        }
    }

    var now: Double {
        if case let .virtual(clock) = self { return clock.now }
        return DeadlineClock.now
    }

    func makeLatch() -> Latch {
        if case .mainThread = self { return Latch { MainThread.wake() } }
        return Latch()
    }

    /// Waits for a latch that was created here. With virtual time, the wait ends when no work is pending.
    func wait(for latch: Latch, until deadline: Double) {
        switch self {
        case .elsewhere: latch.wait(deadline - now)
        case .mainThread: MainThread.run(until: latch, orAt: deadline)
        case let .virtual(clock): _ = clock.run(until: latch, orAt: deadline)
        }
    }
}
