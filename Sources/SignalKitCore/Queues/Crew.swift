/// The data that the threads of a pool share, and the choice of the thread for new work. Guarded by the pool's lock.
struct Crew: ~Copyable {
    /// The action of a thread that has put a job or found several jobs.
    enum Help {
        case none
        case wake(Worker)
        case start, watch
    }

    /// The jobs that were taken out of the inbox.
    var ready = JobList()
    /// The threads that sleep.
    var resting: [Worker] = []
    /// The running threads.
    var workers: [Worker] = []
    /// The number of threads, also counting threads that are being started, and the maximum.
    private(set) var count = 0
    var limit: Int
    /// True if a thread is searching for work, or was called to do so.
    private(set) var isLookedFor = false
    /// True if the system failed to create a thread since the last check of the watch.
    private(set) var isRefused = false
    /// True if a `PoolWatch` checks the pool. It is always true for a pool of the program, which does not grow.
    var isWatched: Bool
    private var hasWarned = false
    /// The number of jobs that were taken, now and at the last check of the watch.
    private(set) var taken: UInt = 0
    private var takenBefore: UInt = 0

    init(limit: Int, isWatched: Bool) {
        self.limit = limit
        self.isWatched = isWatched
    }

    // MARK: Calling

    private var mayGrow: Bool { count < limit && !(isRefused && count > 0) }

    /// True if a thread that puts a job must ask for help.
    var wantsCall: Bool { !isLookedFor && (!resting.isEmpty || mayGrow || !isWatched) }

    /// Chooses the help for work that waits.
    mutating func chooseHelp() -> Help {
        if isLookedFor { return .none }
        if let worker = resting.popLast() {
            isLookedFor = true
            return .wake(worker)
        }
        if mayGrow {
            join()
            return .start
        }
        if !isWatched {
            isWatched = true
            takenBefore = taken
            return .watch
        }
        return .none
    }

    /// A thread is being started, and will search for work.
    mutating func join() {
        count += 1
        isLookedFor = true
    }

    /// The system failed to create that thread. If the pool has no thread for its work, a watch retries. The first such
    /// failure is reported.
    mutating func refuse(hasWork: Bool) -> (isToBeTold: Bool, isToBeWatched: Bool) {
        count -= 1
        isLookedFor = false
        isRefused = true
        if count > 0 || !hasWork { return (false, false) }
        defer { (hasWarned, isWatched, takenBefore) = (true, true, taken) }
        return (!hasWarned, !isWatched)
    }

    // MARK: A thread's life

    mutating func take() -> Unmanaged<Job>? {
        guard let job = ready.takeFirst() else { return nil }
        taken += 1
        return job
    }

    mutating func startLooking(_ worker: Worker) {
        worker.isLooking = true
        isLookedFor = true
    }

    /// It has no effect if another thread is searching.
    mutating func stopLooking(_ worker: Worker) {
        if worker.isLooking { isLookedFor = false }
        worker.isLooking = false
    }

    mutating func rest(_ worker: Worker, mayEnd: Bool) {
        stopLooking(worker)
        resting.append(worker)
        worker.mayEnd = mayEnd && count > 1
    }

    /// A thread has rested for a long time. Returns true if it must end. The last thread, and a thread that was called
    /// in the meantime, does not end.
    mutating func dismiss(_ worker: Worker, atLeast least: Int) -> Bool {
        worker.mayEnd = count > 1
        guard worker.mayEnd, let place = resting.firstIndex(where: { $0 === worker }) else { return false }
        resting.remove(at: place)
        count -= 1
        limit = max(limit - 1, least)
        return true
    }

    // MARK: Watching

    /// A check of the watch, which ends afterwards. Returns true if all threads are busy and none has taken a job since
    /// the last check.
    mutating func look() -> Bool {
        let isStuck = taken == takenBefore && resting.isEmpty && !isLookedFor
        takenBefore = taken
        isRefused = false
        isWatched = false
        return isStuck
    }

    /// Allows more threads, because `idle` processors are idle although the threads are busy.
    mutating func allow(more idle: Int, atMost most: Int) { limit = min(max(limit, count + idle), most) }
}
