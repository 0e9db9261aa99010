/// A custom loop that runs the work of a queue: `Queue(loop:)`.
public protocol EventLoop: AnyObject {
    /// Whether the caller runs on the loop's thread, so that work may run inline. Inside the queue's own work the
    /// library does not need it.
    var isCurrent: Bool { get }

    /// Runs `work` later on the loop, in the order of the calls, one at a time, never inside this call. It is called on
    /// any thread. A loop that has ended releases `work`, including work that it has not run.
    ///
    /// `work` is a turn: it runs the jobs that are pending when it begins, at most 1,000. The queue calls this method
    /// again only after the turn has begun or was released.
    func async(_ work: @escaping () -> Void)

    /// Like `async`, but returns false if the loop rejects `work`, for example because it has ended. The default calls
    /// `async` and returns true.
    func tryAsync(_ work: @escaping () -> Void) -> Bool
}

/// The clock of a loop: `Queue(loop:clock:)`.
public protocol EventLoopClock: AnyObject {
    /// Seconds from a fixed point. It is monotonic.
    var now: Double { get }

    /// Runs `work` on the loop in `seconds`, or releases it if the loop ends before. Called on any thread, but rarely,
    /// for the earliest deadline.
    func after(_ seconds: Double, _ work: @escaping () -> Void)
}

/// The part of a loop that watches descriptors: `Queue(loop:clock:watch:)`. All methods are called on the loop.
public protocol EventLoopWatch: AnyObject {
    /// Calls `ready` once, on the loop, when the descriptor is ready for one of these.
    ///
    /// A hang-up of the other side and an error also count, and are reported as the requested readiness. The loop
    /// releases `ready` after the call, when the watch is cancelled, and when the loop ends. `ready` may call this
    /// method again for the next time. Returns false if the loop cannot watch such a descriptor. Then the library
    /// watches it.
    func watch(_ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void) -> Bool

    /// Calls that off. The descriptor is closed afterwards. It may not be watched.
    func unwatch(_ descriptor: Int32)
}

extension EventLoop {
    public var isCurrent: Bool { false }

    public func tryAsync(_ work: @escaping () -> Void) -> Bool {
        async(work)
        return true
    }
}

extension Queue {
    /// Creates a queue whose work runs on a custom loop.
    ///
    /// - Parameters:
    ///   - loop: runs the work.
    ///   - clock: measures the time of the queue. It may be the loop itself. By default the library measures the time
    ///     and sends expired work to the loop.
    ///   - watch: watches the descriptors of subscriptions on this queue. It may be the loop itself. By default a
    ///     thread of the library watches them.
    public convenience init(
        loop: any EventLoop, clock: (any EventLoopClock)? = nil, watch: (any EventLoopWatch)? = nil
    ) {
        self.init(executor: LoopExecutor(loop, clock, watch))
    }

    /// The amount of work, including timers, that was dropped because the loop of this queue had ended. It is always 0
    /// for other queues.
    public var droppedCount: Int { executor.droppedCount }
}
