/// The clock of a queue, for tasks: they sleep by virtual time where the queue does.
///
///     try await time.queue.clock.sleep(for: .seconds(2))
public struct QueueClock: Clock {
    /// A time of the queue's clock.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since a fixed point, which depends on the queue.
        let time: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        public func duration(to other: Instant) -> Duration { other.time - time }
        public static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
    }

    fileprivate let queue: Queue

    public var now: Instant { Instant(time: .seconds(queue.now)) }
    public var minimumResolution: Duration { .microseconds(1) }

    /// Returns on `deadline`, never earlier. If the task is cancelled, throws `CancellationError`. It ignores
    /// `tolerance`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let time = now.duration(to: deadline).seconds
        let wakeUp = Signal<Void, Never> { sleeper in queue.after(time) { sleeper.putNext(()) } }
        try await wakeUp.firstValue()
    }
}

extension Queue {
    /// The clock of this queue. It stops while the system sleeps.
    public var clock: QueueClock { QueueClock(queue: self) }
}
