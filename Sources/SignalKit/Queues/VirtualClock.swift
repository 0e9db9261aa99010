/// A time that only tests move, and what waits for it.
final class VirtualClock: @unchecked Sendable {
    let timeline = Timeline()
    /// The thread that moves the time.
    private let mover = ThreadMark()
    private let lock = SmallLock()
    @exclusivity(unchecked) private var time = 0.0
    /// How far the clock on the wall is ahead of this one.
    @exclusivity(unchecked) private var ahead: Double

    init(date: Double) { ahead = date }

    var now: Double { locked { time } }
    var wallNow: Double { locked { time + ahead } }

    /// The queue whose work runs. Touched by the thread that moves the time only.
    @exclusivity(unchecked) private var current: QueueToken?

    /// Whether the calling thread moves the time.
    var isMoving: Bool { mover.isMine }
    func isCurrent(_ queue: QueueToken) -> Bool { mover.isMine && current === queue }

    func suspend(_ seconds: Double) { locked { if seconds > 0 { ahead += seconds } } }

    func add(
        _ queue: QueueToken, after delay: Double, every interval: Double?, _ work: @escaping () -> Void
    ) -> any Disposable {
        let scheduled = VirtualWork(timeline, queue, every: interval, work)
        timeline.add(scheduled, at: now + (delay > 0 ? delay : 0))
        return scheduled
    }

    /// Runs what becomes due up to `end`, and sets the time to it. False when another thread is moving the time.
    func advance(to end: Double) -> Bool { run(until: { false }, orAt: end) }

    /// The same, until the condition holds.
    func run(until isDone: () -> Bool, orAt end: Double) -> Bool {
        mover.ifAlone {
            while !isDone() {
                if runFirst(until: max(end, now)) { continue }
                // What is due at infinity never is.
                locked { if time < end && end < .infinity { time = end } }
                return
            }
        }
    }

    /// Runs what waits, at most so many things. Returns how many it has run; nil when another thread is moving the
    /// time.
    func run(atMost limit: Int) -> Int? {
        var count = 0
        let isAlone = mover.ifAlone { while count < limit, runFirst(until: .infinity) { count += 1 } }
        return isAlone ? count : nil
    }

    /// A function of its own, so that what has run is let go before the next.
    @inline(never)
    private func runFirst(until end: Double) -> Bool {
        while let next = timeline.next, next <= end, next < .infinity {
            // Nil when it has been cancelled meanwhile.
            guard let due = timeline.takeDue(at: next) else { continue }
            locked { if time < next { time = next } }
            run(unsafeDowncast(due, to: VirtualWork.self).queue, due.fire)
            return true
        }
        return false
    }

    /// Runs work of a queue, on the thread that moves the time.
    func run(_ queue: QueueToken, _ work: () -> Void) {
        let before = current
        current = queue
        CurrentWork.run(of: self, work)
        current = before
    }

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

/// What a queue of a virtual clock is known by.
final class QueueToken: Sendable {}

private final class VirtualWork: ScheduledWork, @unchecked Sendable {
    let queue: QueueToken

    init(_ timeline: Timeline, _ queue: QueueToken, every interval: Double?, _ work: @escaping () -> Void) {
        self.queue = queue
        super.init(timeline, every: interval, work)
    }
}
