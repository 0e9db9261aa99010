/// Runs the work of one queue of a virtual clock.
final class VirtualExecutor: Executor {
    private let clock: VirtualClock
    private let token = QueueToken()

    init(_ clock: VirtualClock) { self.clock = clock }

    override var isCurrent: Bool { clock.isCurrent(token) }
    override var isSerial: Bool { true }
    override var isTimed: Bool { true }
    override var now: Double { clock.now }
    override var wallNow: Double { clock.wallNow }

    override func put(_ work: @escaping () -> Void) -> Bool {
        _ = clock.add(token, after: 0, every: nil, work)
        return true
    }

    /// Work that is due runs before it; not so inside the work of a queue, where it would run in the midst of that.
    override func enqueueAndWait(_ work: () -> Void) {
        if clock.isMoving { return clock.run(token, work) }
        _ = waitForJob(work) { job in
            enqueue(job)
            while !clock.advance(to: clock.now) { Latch().wait(0.0001) }
        }
    }

    override func schedule(
        after delay: Double, every interval: Double?, _ work: @escaping () -> Void
    ) -> any Disposable {
        defer { tickets.count() }
        return clock.add(token, after: delay, every: interval, work)
    }

    /// The calling thread moves the time: it waits, so it cannot do so otherwise.
    override func wait(for latch: Latch, _ seconds: Double) {
        let end = now + seconds
        while !latch.isOpen, now < end, !clock.run(until: { latch.isOpen }, orAt: end) { latch.wait(0.0001) }
    }
}
