/// Work that waits for its time: once or again and again, until it is disposed.
class ScheduledWork: Disposable {
    static var nowhere: Int { -1 }
    /// Shorter ones would hardly let the time go on: a virtual clock stops at each.
    static var shortestInterval: Double { 1e-6 }

    let timeline: Timeline
    /// Seconds between firings; 0 when there is only one.
    let interval: Double
    // The rest is touched under the timeline's lock.
    @exclusivity(unchecked) fileprivate(set) var time = 0.0
    @exclusivity(unchecked) fileprivate var order: UInt = 0
    /// Its index in the heap, or `nowhere`.
    @exclusivity(unchecked) var place = ScheduledWork.nowhere
    @exclusivity(unchecked) fileprivate var work: (() -> Void)?

    init(_ timeline: Timeline, every interval: Double?, _ work: @escaping () -> Void) {
        self.timeline = timeline
        self.interval = interval.map { $0 > ScheduledWork.shortestInterval ? $0 : ScheduledWork.shortestInterval } ?? 0
        self.work = work
    }

    @inline(__always)
    final func comes(before other: ScheduledWork) -> Bool {
        time != other.time ? time < other.time : order < other.order
    }

    /// Runs the work: its time has come. When it is disposed meanwhile, the closure is let go after it has returned.
    @inline(never)
    final func fire() { timeline.take(self)?() }

    func dispose() { timeline.cancel(self) }
}

/// The deadlines of one clock. It has no time of its own: the clock asks it what is due.
final class Timeline: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var heap = DeadlineHeap()
    @exclusivity(unchecked) private var order: UInt = 0
    @exclusivity(unchecked) private var isClosed = false

    /// How many deadlines wait.
    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return heap.count
    }

    /// The earliest deadline.
    var next: Double? {
        lock.lock()
        defer { lock.unlock() }
        return heap.first?.time
    }

    /// Lets it wait until `time`. Returns whether it is the first now; nil when the timeline is closed, and the work
    /// was let go.
    @discardableResult
    func add(_ scheduled: ScheduledWork, at time: Double) -> Bool? {
        lock.lock()
        if isClosed {
            let dropped = scheduled.work
            scheduled.work = nil
            lock.unlock()
            return withExtendedLifetime(dropped) { nil }
        }
        insert(scheduled, time)
        let isFirst = heap.first === scheduled
        lock.unlock()
        return isFirst
    }

    private func insert(_ work: ScheduledWork, _ time: Double) {
        order += 1
        work.time = time
        work.order = order
        heap.insert(work)
    }

    /// Takes out the first, if it is due at `now` or before, for the caller to fire. Work that repeats is put back with
    /// its next time; firings that were missed become one.
    func takeDue(at now: Double) -> ScheduledWork? {
        lock.lock()
        defer { lock.unlock() }
        guard let first = heap.first, first.time <= now else { return nil }
        heap.remove(first)
        if first.interval > 0 {
            let missed = ((now - first.time) / first.interval).rounded(.down)
            // Late enough, an interval is less than what a clock can tell apart.
            insert(first, max(first.time + (missed + 1) * first.interval, now.nextUp))
        }
        return first
    }

    /// Lets go of everything that waits, and of what is added later. Returns how much that was.
    @discardableResult
    func close() -> Int {
        lock.lock()
        isClosed = true
        var dropped: [() -> Void] = []
        while let first = heap.first {
            heap.remove(first)
            if let work = first.work { dropped.append(work) }
            first.work = nil
        }
        lock.unlock()
        return withExtendedLifetime(dropped) { dropped.count }
    }

    /// The closure to be run now. Of work that does not repeat it is taken out.
    fileprivate func take(_ scheduled: ScheduledWork) -> (() -> Void)? {
        lock.lock()
        defer { lock.unlock() }
        guard scheduled.interval == 0 else { return scheduled.work }
        let work = scheduled.work
        scheduled.work = nil
        return work
    }

    fileprivate func cancel(_ scheduled: ScheduledWork) {
        lock.lock()
        if scheduled.place != ScheduledWork.nowhere { heap.remove(scheduled) }
        let dropped = scheduled.work
        scheduled.work = nil
        lock.unlock()
        withExtendedLifetime(dropped) {}
    }
}
