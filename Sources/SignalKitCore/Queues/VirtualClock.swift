/// A clock that only tests advance, and the work that is scheduled on it.
final class VirtualClock: @unchecked Sendable {
    let timeline = Timeline()
    /// The thread that moves the time.
    private let mover = ThreadMark()
    private let lock = SmallLock()
    @exclusivity(unchecked) private var time = 0.0
    /// The difference between the wall clock and this clock.
    @exclusivity(unchecked) private var ahead: Double

    init(date: Double) { ahead = date }

    var now: Double { locked { time } }
    var wallNow: Double { locked { time + ahead } }

    /// The queue whose work is running. Only the thread that advances the time accesses it.
    @exclusivity(unchecked) private(set) var current: Executor?

    /// True if the calling thread advances the time.
    var isMoving: Bool { mover.isMine }
    func isCurrent(_ queue: Executor) -> Bool { mover.isMine && current === queue }

    func suspend(_ seconds: Double) { locked { if seconds > 0 { ahead += seconds } } }

    /// Runs what becomes due up to `end`, and sets the time to it. False when another thread is moving the time.
    func advance(to end: Double, _ wait: Wait? = nil) -> Bool { run(until: nil, orAt: end, wait) }

    /// Like `advance`, until the latch opens. The wait ends first, because the expired work may not return.
    @inline(never)
    func run(until latch: Latch?, orAt end: Double, _ wait: Wait? = nil) -> Bool {
        mover.ifAlone {
            wait?.end()
            while latch?.isOpen != true {
                if runFirst(until: max(end, now)) { continue }
                // Work at infinity never runs.
                locked { if time < end && end < .infinity { time = end } }
                return
            }
        }
    }

    /// Runs at most `limit` pieces of pending work. Returns their number, or nil if another thread advances the time.
    func run(atMost limit: Int) -> Int? {
        var count = 0
        let isAlone = mover.ifAlone { while count < limit, runFirst(until: .infinity) { count += 1 } }
        return isAlone ? count : nil
    }

    /// A separate function, so that each piece of work is released before the next one runs.
    @inline(never)
    private func runFirst(until end: Double) -> Bool {
        while case let next = timeline.next, next <= end, next < .infinity {
            // The result is nil if the work was cancelled in the meantime.
            guard let due = timeline.takeDue(at: next) else { continue }
            locked { if time < next { time = next } }
            run(due.executor) { due.run() }
            return true
        }
        return false
    }

    /// Runs work of a queue, on the thread that moves the time.
    func run(_ queue: Executor, _ work: () -> Void) {
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
