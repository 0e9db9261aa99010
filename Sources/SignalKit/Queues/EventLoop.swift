/// A loop of the program's own, as what runs the work of a queue: `Queue(loop:)`.
public protocol EventLoop: AnyObject {
    /// Whether the caller runs on the loop's thread, so that work may run inline. Inside the queue's own work that is
    /// known anyhow.
    var isCurrent: Bool { get }

    /// Runs `work` later on the loop, in the order of the calls, one at a time, never inside this call. Called on any
    /// thread. A loop that has ended lets `work` go, also what it has not come to.
    func async(_ work: @escaping () -> Void)

    /// The same; false when the loop refuses `work`, as one does that has ended. By default this calls `async`, and
    /// says true.
    func tryAsync(_ work: @escaping () -> Void) -> Bool
}

/// The clock of a loop: `Queue(loop:clock:)`.
public protocol EventLoopClock: AnyObject {
    /// Seconds from any fixed point; never jumps.
    var now: Double { get }

    /// Runs `work` on the loop in `seconds`, or lets it go when the loop ends before. Called on any thread; rarely, for
    /// the earliest deadline.
    func after(_ seconds: Double, _ work: @escaping () -> Void)
}

/// What of a loop watches descriptors: `Queue(loop:clock:watch:)`. All of it is called on the loop.
public protocol EventLoopWatch: AnyObject {
    /// Calls `ready` once, on the loop, as soon as the descriptor is ready for one of these, or its other side has hung
    /// up, or an error waits there (which is told as what was asked for). Then, or when it is called off, or when the
    /// loop ends, it lets `ready` go. Called again inside of `ready`, for the next time. False when the loop cannot
    /// watch such a descriptor: then the library does.
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
    /// A queue whose work runs on a loop of the program's own.
    /// - Parameters:
    ///   - loop: what is woken when there is work, and runs it.
    ///   - clock: measures its time; it may be the loop itself. By default the library does, and brings what is
    ///     due to the loop.
    ///   - watch: watches the descriptors of runs on this queue; it may be the loop itself. By default a thread of the
    ///     library's does.
    public convenience init(
        loop: any EventLoop, clock: (any EventLoopClock)? = nil, watch: (any EventLoopWatch)? = nil
    ) {
        self.init(executor: LoopExecutor(loop, clock, watch))
    }

    /// How much work, timers included, was let go because the loop of this queue had ended. Always 0 for other queues.
    public var droppedCount: Int { executor.droppedCount }
}
