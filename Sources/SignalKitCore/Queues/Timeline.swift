/// Work that is scheduled for a time, once or repeatedly. When the time is reached, the work itself is enqueued as a
/// job. So it is one object from the first call until it has run.
class ScheduledWork: Job, Disposable, @unchecked Sendable {
    static var nowhere: Int32 { -1 }
    /// With shorter intervals a virtual clock would hardly advance, because it stops at each of them.
    static var shortestInterval: Double { 1e-6 }

    final let executor: Executor
    // The rest is touched under the timeline's lock.
    @exclusivity(unchecked) final fileprivate(set) var order: UInt = 0
    /// Its index in the heap, or `nowhere`.
    @exclusivity(unchecked) final var place = ScheduledWork.nowhere
    /// In which of the timeline's lives it was set.
    @exclusivity(unchecked) final fileprivate var life: UInt16 = 0
    /// Its time was reached, and it has not run.
    @exclusivity(unchecked) final fileprivate var isDue = false
    /// It is in the queue as a job. When its time is reached again, the same job is used.
    @exclusivity(unchecked) final fileprivate var isOnItsWay = false

    init(_ executor: Executor) { self.executor = executor }

    /// Seconds between its times, or 0 if there is only one. Read under the lock.
    var interval: Double { 0 }

    /// Cancels the work and releases its closure.
    func dispose() { mustOverride() }

    @inline(__always)
    final var timeline: Timeline { executor.timeline }

    /// Cancels the previous setting, and sets the work to the result of `deadline`, which is called under the lock. Nil
    /// leaves the setting unchanged.
    final func set(_ deadline: (_ now: Double) -> Double?) {
        executor.schedule(self, timeline.set(self, at: executor.now, deadline))
    }

    // MARK: Under the lock

    /// The time of the next run, or nil if it is not set.
    final var deadline: Double? { timeline.deadline(of: self) }

    /// Cancels the work. Returns false if it belongs to the parent, in the child of a fork. Then it is unchanged.
    @discardableResult
    final func callOff() -> Bool { timeline.callOff(self) }

    /// It runs as a job. Returns false if it was cancelled or set again.
    final func begins() -> Bool {
        isOnItsWay = false
        defer { isDue = false }
        return isDue
    }
}

/// The deadlines of one clock. It does not measure time. The clock asks it for expired work.
final class Timeline: StartsAgain, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var heap = DeadlineHeap()
    @exclusivity(unchecked) private var order: UInt = 0
    @exclusivity(unchecked) private var isClosed = false
    /// The time of the next check of the clock, if no one wakes it.
    @exclusivity(unchecked) private var look = Double.infinity
    /// Counts the processes, where its clock has a thread.
    @exclusivity(unchecked) private var life: UInt16 = 0
    private let process = ProcessMark()
    private let hasThread: Bool

    /// - Parameter hasThread: whether the clock is a thread, which does not exist in the child of a fork.
    init(hasThread: Bool = false) { self.hasThread = hasThread }

    deinit { heap.deallocate() }

    @inline(__always)
    func locked<R>(_ body: () -> R) -> R {
        if hasThread { process.check(self) }
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// The number of pending deadlines.
    var count: Int { locked { heap.count } }

    /// The earliest deadline, or infinity if there is none.
    var next: Double { locked { heap.next } }

    /// The result of setting work.
    enum Outcome {
        case waits
        /// It is pending, and precedes the next check of the clock.
        case comesFirst(Double)
        /// Its time was reached. The caller must enqueue it.
        case isDue
        /// The timeline is closed. The work was disposed.
        case refused
    }

    /// Sets the work. If the clock is a thread, work that has expired already is not passed to the clock.
    func set(_ work: ScheduledWork, at now: Double, _ deadline: (Double) -> Double?) -> Outcome {
        let outcome: Outcome = locked {
            guard let deadline = deadline(now) else { return .waits }
            if isClosed { return .refused }
            adopt(work)
            work.isDue = false
            if hasThread && !(deadline > now) && work.interval == 0 {
                if work.place != ScheduledWork.nowhere { heap.remove(work).release() }
                return comesDue(work) ? .isDue : .waits
            }
            // The comparison is also false for NaN.
            let time = deadline > now ? deadline : now
            put(work, time)
            if time >= look { return .waits }
            look = time
            return .comesFirst(time)
        }
        if case .refused = outcome { work.dispose() }
        return outcome
    }

    private func put(_ work: ScheduledWork, _ time: Double) {
        order += 1
        work.order = order
        if work.place == ScheduledWork.nowhere { heap.insert(work, at: time) } else { heap.move(work, to: time) }
    }

    /// Returns true if the work must be enqueued. It is false if it is in the queue already.
    private func comesDue(_ work: ScheduledWork) -> Bool {
        work.isDue = true
        defer { work.isOnItsWay = true }
        return !work.isOnItsWay
    }

    /// Takes out the work that has expired at `now`, one at a time, to be enqueued.
    func takeDue(at now: Double) -> ScheduledWork? {
        while let (work, isToBePut) = takeFirst(at: now) { if isToBePut { return work } }
        return nil
    }

    /// Inserts repeating work again with its next time. Several missed firings become one.
    private func takeFirst(at now: Double) -> (ScheduledWork, isToBePut: Bool)? {
        locked {
            guard let first = heap.first, heap.next <= now else { return nil }
            let isToBePut = comesDue(first)
            let interval = first.interval
            if interval > 0 {
                let elapsed = (now - heap.next) / interval
                let missed = elapsed < 0x1p53 ? Double(Int64(elapsed)) : elapsed // rounded down, without libm
                // At large times an interval can be less than the resolution of the clock.
                put(first, max(heap.next + (missed + 1) * interval, now.nextUp))
            } else {
                heap.remove(first).release()
            }
            return (first, isToBePut)
        }
    }

    /// Returns the earliest deadline. The clock checks it then, and not before unless it is woken.
    func rests() -> Double {
        locked {
            look = heap.next
            return look
        }
    }

    /// Like `rests`, for a clock that was asked for `time`. Returns nil if it was asked for another time since then.
    func rests(after time: Double) -> Double? {
        locked {
            if look != time { return nil }
            look = heap.next
            return look
        }
    }

    /// Releases all pending work, and work that is set later. Returns the amount of pending work.
    @discardableResult
    func close() -> Int {
        var dropped = 0
        locked { isClosed = true }
        while let first = locked({ heap.first }) {
            first.dispose()
            dropped += 1
        }
        return dropped
    }

    // MARK: Under the lock

    fileprivate func deadline(of work: ScheduledWork) -> Double? {
        if isParents(work) { return nil }
        if work.isDue { return -.infinity }
        return work.place == ScheduledWork.nowhere ? nil : heap.time(of: work)
    }

    fileprivate func callOff(_ work: ScheduledWork) -> Bool {
        if isParents(work) { return false }
        work.isDue = false
        // The caller retains it.
        if work.place != ScheduledWork.nowhere { heap.remove(work).release() }
        return true
    }

    // MARK: The child of a fork

    /// The pending work belongs to the parent, whose clock may have been changing it.
    func startAgain() {
        lock.forget()
        heap.forget()
        look = .infinity
        life &+= 1
    }

    private func isParents(_ work: ScheduledWork) -> Bool {
        work.life != life && (work.isOnItsWay || work.place != ScheduledWork.nowhere)
    }

    private func adopt(_ work: ScheduledWork) {
        if isParents(work) {
            work.isOnItsWay = false
            work.place = ScheduledWork.nowhere
        }
        work.life = life
    }
}
