/// A clock that moves only when it is told to, and queues that go by it: tests own the time.
///
///     let time = VirtualTime()
///     let run = (source |> delay(86_400, queue: time.queue)).start(next: { print($0) })
///     time.advance(by: 86_400)        // a day; everything due in it runs now, in its order, in here
///
/// Work of its queues runs inside `advance`, `run` and `sync`, on the thread that calls them, and nowhere else; the
/// queue whose work runs is current meanwhile. Work may move the time on itself. Two threads cannot at once: that ends
/// the program.
///
/// When it goes, nobody can move the time any more: what waits is let go, and so is what is put into its queues later.
public final class VirtualTime: @unchecked Sendable {
    /// A queue of this clock; always the same.
    public let queue: Queue
    let clock: VirtualClock

    /// - Parameter date: what the clock on the wall shows at time 0, in seconds since 1970.
    public init(date: Double = 0) {
        clock = VirtualClock(date: date)
        queue = Queue(executor: VirtualExecutor(clock))
    }

    /// What waits may hold its queue, and that the clock.
    deinit { clock.timeline.close() }

    /// Another queue that goes by the same clock.
    public func makeQueue() -> Queue { Queue(executor: VirtualExecutor(clock)) }

    /// Seconds since the clock was made.
    public var now: Double { clock.now }

    /// How much waits: work and timers, of all queues.
    public var pendingCount: Int { clock.timeline.count }

    /// Moves the time on by `seconds`, running what becomes due on the way: each thing at its time.
    public func advance(by seconds: Double) { advance(to: now + (seconds > 0 ? seconds : 0)) }

    /// Moves the time on to `time`. What is due by now runs in any case; the time never goes back.
    public func advance(to time: Double) { require(clock.advance(to: time)) }

    /// Runs until nothing waits: the time moves on as far as that takes. What repeats would go on for ever, hence the
    /// limit.
    /// - Returns: whether it came to the end; false says that more than `limit` things ran.
    @discardableResult
    public func run(limit: Int = 1_000_000) -> Bool {
        let count = clock.run(atMost: limit)
        require(count != nil)
        return count! < limit || pendingCount == 0
    }

    /// The system sleeps: the clock on the wall, by which `suspendAwareDelay` goes, moves on, and this clock does not.
    public func suspend(for seconds: Double) { clock.suspend(seconds) }

    private func require(_ isAlone: Bool) { precondition(isAlone, "two threads advance one virtual clock") }
}
