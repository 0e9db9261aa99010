/// A clock that only advances on request, and its queues. Tests use it to control the time.
///
///     let time = VirtualTime()
///     let subscription = (source |> delay(86_400, queue: time.queue)).start(next: { print($0) })
///     time.advance(by: 86_400)        // a day: runs all work of that time, in order, inside this call
///
/// Work of its queues runs only inside `advance`, `run` and `sync`, on the calling thread. The queue of the running
/// work is current. Work may advance the time itself. If two threads advance one clock at the same time, the program
/// ends.
///
/// The deinitializer releases the pending work. Work that is enqueued later is released, too.
public final class VirtualTime: @unchecked Sendable {
    /// A queue of this clock. It is always the same.
    public let queue: Queue
    let clock: VirtualClock

    /// - Parameter date: the wall clock at time 0, in seconds since 1970.
    public init(date: Double = 0) {
        clock = VirtualClock(date: date)
        queue = Queue(executor: VirtualExecutor(clock))
    }

    /// Pending work may retain its queue, which retains the clock.
    deinit { clock.timeline.close() }

    /// Returns another queue with the same clock.
    public func makeQueue() -> Queue { Queue(executor: VirtualExecutor(clock)) }

    /// Seconds since the creation of the clock.
    public var now: Double { clock.now }

    /// The number of pending pieces of work and timers, of all queues.
    public var pendingCount: Int { clock.timeline.count }

    /// Advances the time by `seconds`, and runs the work that expires, each piece at its time.
    public func advance(by seconds: Double) { advance(to: now + (seconds > 0 ? seconds : 0)) }

    /// Advances to `time`, and runs the work that expires. Work that has expired already also runs. The time never
    /// decreases.
    public func advance(to time: Double) { require(clock.advance(to: time)) }

    /// Runs until no work is pending, and advances the time accordingly. The limit is necessary, because a repeating
    /// timer never ends.
    ///
    /// - Returns: false if more than `limit` pieces of work ran.
    @discardableResult
    public func run(limit: Int = 1_000_000) -> Bool {
        let count = clock.run(atMost: limit)
        require(count != nil)
        return count! < limit || pendingCount == 0
    }

    /// Simulates that the system sleeps: advances the wall clock, which `suspendAwareDelay` uses, but not this clock.
    public func suspend(for seconds: Double) { clock.suspend(seconds) }

    private func require(_ isAlone: Bool) { precondition(isAlone, "two threads advance one virtual clock") }
}
