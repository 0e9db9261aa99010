import SignalKitShims
import Synchronization

/// Threads, and the jobs that are ready for them, in order.
///
/// Whoever puts a job calls a thread only if none is looking for work. One at a time looks: one that was called, or one that has worked, for some
/// microseconds before it goes to rest. When it finds something and there is more, it calls the next one.
///
/// A pool of a program's own has a fixed number of threads until it is shut down. The library's own pools begin with the first work, have as many
/// threads as there are processors, more while all of them are blocked (`PoolWatch`), and let go of those that have rested for seconds.
final class WorkerPool: StartsAgain, @unchecked Sendable {
    static let standard = WorkerPool(isShared: true, nice: 0)
    static let background = WorkerPool(isShared: true, nice: 10)

    private static let processors = max(Int(sgk_shim_processors()), 1)
    /// How many threads a pool may have, be they all blocked.
    private static var most: Int { 256 }
    /// Seconds for which a thread looks for work, and for which it rests until it ends.
    private static var longestLook: Double { 10e-6 }
    private static var longestRest: Double { 5 }

    /// Whether it is one of the library's.
    let isShared: Bool
    private let nice: Int32
    private let process = ProcessMark()
    private let inbox = Inbox()
    /// Whether who puts a job is to call somebody.
    private let wantsCall = Synchronization.Atomic<Bool>(true)
    /// Whether jobs wait that have been taken out of the inbox.
    private let hasReady = Synchronization.Atomic<Bool>(false)
    /// Whether there is a thread. The last one stays.
    private let hasThread = Synchronization.Atomic<Bool>(false)
    private let isShutDown = Synchronization.Atomic<Bool>(false)
    private let lock = SmallLock()
    /// Belongs to the lock.
    @exclusivity(unchecked) private var crew: Crew

    /// What the threads share.
    private struct Crew: ~Copyable {
        var ready = JobList()
        var resting: [Worker] = []
        var workers: [Worker] = []
        /// How many threads there are, or are on their way, and how many there may be.
        var count = 0
        var limit: Int
        var isLookedFor = false
        /// Whether the system has refused a thread lately.
        var isRefused = false
        var hasWarned = false
        var isWatched = false
        /// How many jobs have been taken, by now and at the last watch.
        var taken: UInt = 0
        var takenBefore: UInt = 0

        init(limit: Int) { self.limit = limit }

        var mayGrow: Bool { count < limit && !(isRefused && count > 0) }
    }

    private init(isShared: Bool, nice: Int32) {
        self.isShared = isShared
        self.nice = nice
        crew = Crew(limit: isShared ? WorkerPool.processors : 0)
    }

    /// A program's own, with as many threads as the system grants, up to `count`.
    convenience init(threads count: Int, nice: Int32) {
        self.init(isShared: false, nice: nice)
        crew.limit = count
        for _ in 0..<count where !startNext() { break }
    }

    /// Whether the caller is one of the threads.
    var isCurrent: Bool { Worker.current?.pool === self }

    /// How many jobs of a line are a turn.
    var turn: Int { isShared ? 1000 : 1 }

    // MARK: Putting

    @inline(__always)
    func put(_ job: consuming Job) {
        checkProcess()
        WorkInFlight.begin()
        _ = inbox.put(job)
        if wantsCall.load(ordering: .sequentiallyConsistent) { call() }
    }

    /// Whether there is a thread, or the system grants one.
    var isServed: Bool {
        checkProcess()
        return hasThread.load(ordering: .relaxed) || startNext()
    }

    /// Whether it has been shut down: what is put now is let go.
    var isClosed: Bool { isShutDown.load(ordering: .sequentiallyConsistent) }

    /// How many threads there are, or are on their way.
    var threadCount: Int { lock.withLock { crew.count } }

    private enum Help { case nobody, rested(Worker), new, watch, nothingRuns }

    /// Somebody is to come, if there is work.
    @inline(never)
    private func call() {
        lock.lock()
        let help = chooseHelp()
        publish()
        lock.unlock()
        switch help {
        case .nobody: break
        case let .rested(worker): worker.wake()
        case .new: if !startThread() && hasThread.load(ordering: .relaxed) { call() }
        case .watch: PoolWatch.begin(self)
        case .nothingRuns: refuseAll()
        }
    }

    /// Called with the lock.
    private func chooseHelp() -> Help {
        if isClosed { return .nothingRuns }
        if crew.isLookedFor || !hasWork { return .nobody }
        if let worker = crew.resting.popLast() {
            crew.isLookedFor = true
            return .rested(worker)
        }
        if crew.mayGrow {
            join()
            return .new
        }
        if isShared && !crew.isWatched {
            crew.isWatched = true
            crew.takenBefore = crew.taken
            return .watch
        }
        return .nobody
    }

    private var hasWork: Bool { !crew.ready.isEmpty || inbox.hasJobs }

    /// Called with the lock, when something has changed on which it depends whether somebody is to be called. What comes after it sees what was put
    /// by those who did not call.
    private func publish() {
        let canHelp = !crew.resting.isEmpty || crew.mayGrow || isShared && !crew.isWatched
        let isWanted = isClosed || canHelp && !crew.isLookedFor
        if wantsCall.load(ordering: .relaxed) != isWanted { wantsCall.store(isWanted, ordering: .sequentiallyConsistent) }
    }

    // MARK: Threads

    /// A thread is on its way, to look for work. Called with the lock.
    private func join() {
        crew.count += 1
        crew.isLookedFor = true
    }

    private func startNext() -> Bool {
        lock.lock()
        join()
        publish()
        lock.unlock()
        return startThread()
    }

    /// The thread that is on its way; false when the system refuses it.
    private func startThread() -> Bool {
        let worker = Unmanaged.passRetained(Worker(self))
        let isStarted = sgk_shim_thread_start({ context in
            Unmanaged<Worker>.fromOpaque(context!).takeRetainedValue().run()
            return nil
        }, worker.toOpaque())
        if isStarted {
            hasThread.store(true, ordering: .relaxed)
            return true
        }
        worker.release()
        lock.lock()
        crew.count -= 1
        crew.isLookedFor = false
        crew.isRefused = true
        let isToBeTold = crew.count == 0 && hasWork && !crew.hasWarned
        crew.hasWarned = crew.hasWarned || isToBeTold
        publish()
        lock.unlock()
        if isToBeTold { Warnings.sink("the system refuses a thread: the work of queues waits until it grants one") }
        return false
    }

    fileprivate func begin(_ worker: Worker) {
        sgk_shim_thread_set_name(isShared ? "signalkit" : "signalkit-pool")
        if nice != 0 { sgk_shim_thread_set_nice(nice) }
        lock.withLock { crew.workers.append(worker) }
    }

    fileprivate func end(_ worker: Worker) {
        if worker.process.isCurrent { lock.withLock { crew.workers.removeAll { $0 === worker } } }
    }

    /// The next job for a thread, which waits for it; nil when the thread is to end.
    fileprivate func next(for worker: Worker) -> Job? {
        while worker.process.isCurrent {
            lock.lock()
            if isClosed {
                lock.unlock()
                return nil
            }
            if let job = take() {
                let isMore = worker.isLooking && stopLooking(worker)
                lock.unlock()
                if isMore { call() }
                worker.mayLook = WorkerPool.processors > 1
                return job
            }
            if worker.mayLook && !crew.isLookedFor {
                worker.mayLook = false
                startLooking(worker)
                lock.unlock()
                look()
            } else if goToRest(worker), !rest(worker) {
                return nil
            }
        }
        return nil
    }

    /// Called with the lock.
    private func take() -> Job? {
        if crew.ready.isEmpty && inbox.hasJobs { inbox.collect(into: &crew.ready) }
        let job = crew.ready.popFirst()
        if job != nil { crew.taken += 1 }
        let hasMore = !crew.ready.isEmpty
        if hasReady.load(ordering: .relaxed) != hasMore { hasReady.store(hasMore, ordering: .relaxed) }
        return job
    }

    /// Called with the lock.
    private func startLooking(_ worker: Worker) {
        worker.isLooking = true
        crew.isLookedFor = true
        publish()
    }

    /// Returns whether there is work by now. Called with the lock.
    private func stopLooking(_ worker: Worker) -> Bool {
        worker.isLooking = false
        crew.isLookedFor = false
        publish()
        return hasWork
    }

    /// Other threads on this processor are let through: one of them may be about to put something.
    private func look() {
        let end = DeadlineClock.now + WorkerPool.longestLook
        repeat {
            for _ in 0..<32 {
                if inbox.hasJobs || hasReady.load(ordering: .relaxed) { return }
                sgk_shim_pause()
            }
            sgk_shim_yield()
        } while DeadlineClock.now < end
    }

    /// False when there is work by now. Called with the lock, which it leaves.
    private func goToRest(_ worker: Worker) -> Bool {
        defer { lock.unlock() }
        crew.resting.append(worker)
        worker.mayEnd = isShared && crew.count > 1
        if worker.isLooking { crew.isLookedFor = false }
        worker.isLooking = false
        publish()
        if crew.isLookedFor || !hasWork { return true }
        _ = crew.resting.popLast()
        startLooking(worker)
        return false
    }

    /// Until the thread is called; false when it is to end, having rested for long. One stays.
    private func rest(_ worker: Worker) -> Bool {
        while !worker.sleep(worker.mayEnd ? WorkerPool.longestRest : .infinity) {
            lock.lock()
            worker.mayEnd = crew.count > 1
            let place = worker.mayEnd ? crew.resting.firstIndex { $0 === worker } : nil
            if let place {
                crew.resting.remove(at: place)
                crew.count -= 1
                crew.limit = max(crew.limit - 1, WorkerPool.processors)
                publish()
            }
            lock.unlock()
            if place != nil { return false }
        }
        worker.isLooking = true
        return true
    }

    // MARK: Growing

    /// What a look at the threads has shown.
    enum State { case idle, working, grown }

    /// Looks whether the threads get on with the work. If none of it was taken since the last look, those that are blocked get company. Called by one
    /// thread.
    func watch() -> State {
        lock.lock()
        let isStuck = crew.taken == crew.takenBefore && crew.resting.isEmpty && !crew.isLookedFor
        crew.takenBefore = crew.taken
        crew.isRefused = false
        crew.isWatched = false
        publish()
        crew.isWatched = hasWork
        publish()
        let state: State = crew.isWatched ? .working : .idle
        let workers = crew.workers
        lock.unlock()
        if !isStuck || state == .idle {
            for worker in workers { worker.forgetSight() }
            return state
        }
        var idle = WorkerPool.processors
        for worker in workers where worker.runs() { idle -= 1 }
        if idle <= 0 { return .working }
        lock.lock()
        crew.limit = min(max(crew.limit, crew.count + idle), WorkerPool.most)
        publish()
        lock.unlock()
        call()
        return .grown
    }

    // MARK: The end

    func shutDown() {
        lock.lock()
        isShutDown.store(true, ordering: .sequentiallyConsistent)
        var rested: [Worker] = []
        swap(&crew.resting, &rested)
        publish()
        lock.unlock()
        for worker in rested { worker.wake() }
        refuseAll()
    }

    private func refuseAll() {
        var refused = JobList()
        lock.lock()
        swap(&crew.ready, &refused)
        inbox.collect(into: &refused)
        lock.unlock()
        while let job = refused.popFirst() {
            job.isRefused()
            WorkInFlight.end()
        }
    }

    @inline(__always)
    private func checkProcess() { process.check(self) }

    /// In the child of a fork. The threads are the parent's, and so is what they share: it is left as it was.
    func startAgain() {
        lock.forget()
        inbox.forget()
        var crew = Crew(limit: isShared ? WorkerPool.processors : crew.limit)
        swap(&self.crew, &crew)
        UnsafeMutablePointer<Crew>.allocate(capacity: 1).initialize(to: crew)
        hasThread.store(false, ordering: .relaxed)
        wantsCall.store(true, ordering: .relaxed)
    }
}

/// One thread of a pool.
final class Worker {
    private static let key = sgk_shim_thread_key()

    let pool: WorkerPool
    fileprivate let process = ProcessMark()
    private let isCalled = Synchronization.Atomic<UInt32>(0)
    /// By what the system knows the thread, which sets it before the pool lists it.
    private var number: Int32 = 0
    /// Belongs to who watches the pool.
    private var sight = sgk_shim_sight()
    // What follows belongs to the thread.
    fileprivate var isLooking = true
    /// Whether it has worked since it looked for work.
    fileprivate var mayLook = false
    fileprivate var mayEnd = false

    fileprivate init(_ pool: WorkerPool) { self.pool = pool }

    /// The one that calls this, if it is one.
    static var current: Worker? { sgk_shim_thread_get(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() } }

    /// Whether it is not blocked, as far as has been seen since `forgetSight`.
    fileprivate func runs() -> Bool { sgk_shim_thread_runs(number, &sight) }
    fileprivate func forgetSight() { sight = sgk_shim_sight() }

    fileprivate func run() {
        number = sgk_shim_thread_number()
        sgk_shim_thread_set(Worker.key, Unmanaged.passUnretained(self).toOpaque())
        pool.begin(self)
        while runNext() { WorkInFlight.end() }
        pool.end(self)
        sgk_shim_thread_set(Worker.key, nil)
    }

    /// A function of its own, so that the job has been let go when it returns.
    @inline(never)
    private func runNext() -> Bool {
        guard let job = pool.next(for: self) else { return false }
        job.run()
        return true
    }

    /// For at most so many seconds, or as many more if it is woken for nothing; whether it has been called.
    fileprivate func sleep(_ seconds: Double) -> Bool {
        while isCalled.load(ordering: .acquiring) == 0 && sgk_shim_futex_wait_for(address, 0, nanoseconds(seconds)) {}
        return isCalled.exchange(0, ordering: .acquiring) != 0
    }

    fileprivate func wake() {
        isCalled.store(1, ordering: .releasing)
        sgk_shim_futex_wake_one(address)
    }

    private var address: UInt { withUnsafePointer(to: isCalled) { UInt(bitPattern: $0) } }
}
