import SignalKitShims
import Synchronization

/// Threads, and the jobs that are ready for them, in order.
///
/// One thread at a time searches for work: one that was called, or one that has worked and searches briefly before it
/// rests. A thread that puts a job calls another one only if none is searching. If the searching thread finds several
/// jobs, it calls the next thread.
///
/// A pool of the program has a fixed number of threads until it is shut down. The library's pools start with the first
/// job and have one thread per processor. They grow while all threads are blocked (`PoolWatch`), and end threads that
/// have rested for seconds.
final class WorkerPool: StartsAgain, @unchecked Sendable {
    static let standard = WorkerPool(isShared: true, nice: 0)
    static let background = WorkerPool(isShared: true, nice: 10)

    static let processors = max(Int(sgk_shim_processors()), 1)
    /// The maximum number of threads of a pool, even if all of them are blocked.
    private static var most: Int { 256 }
    /// Seconds for which a thread rests until it ends.
    private static var longestRest: Double { 5 }

    /// True for a pool of the library.
    let isShared: Bool
    private let nice: Int32
    private let process = ProcessMark()
    private let inbox = Inbox()
    /// True if a thread that puts a job must call another one. Changed under the lock, by `publish`.
    private let wantsCall = Synchronization.Atomic<Bool>(true)
    /// True if there is a thread. It stays true, because the last thread of a pool does not end.
    private let hasThread = Synchronization.Atomic<Bool>(false)
    private let isShutDown = Synchronization.Atomic<Bool>(false)
    // Each put reads the fields above. Each thread that takes a job writes the fields below.
    private let gap = CacheLinePadding()
    /// True if there are pending jobs outside of the inbox.
    private let hasReady = Synchronization.Atomic<Bool>(false)
    private let lock = SmallLock()
    /// Guarded by the lock.
    @exclusivity(unchecked) private var crew: Crew

    private init(isShared: Bool, nice: Int32) {
        self.isShared = isShared
        self.nice = nice
        crew = Crew(limit: isShared ? WorkerPool.processors : 0, isWatched: !isShared)
    }

    /// Creates a pool of the program, with at most `count` threads.
    convenience init(threads count: Int, nice: Int32) {
        self.init(isShared: false, nice: nice)
        crew.limit = count
        for _ in 0..<count where !startNext() { break }
    }

    /// This pool, if it never gets more threads when all are blocked. Otherwise nil.
    var fixed: WorkerPool? { isShared ? nil : self }

    /// True if the caller is one of the threads.
    var isCurrent: Bool { Worker.current?.pool === self }

    /// The number of jobs of a `PoolJobQueue` that run before the next queue's turn.
    var jobsPerTurn: Int { isShared ? 1000 : 1 }

    // MARK: Putting

    @inline(__always)
    func put(_ job: consuming Job) {
        checkProcess()
        WorkInFlight.begin()
        _ = inbox.put(job)
        if wantsCall.load(ordering: .sequentiallyConsistent) { call() }
    }

    /// True if there is a thread, or the system can create one.
    @inline(__always)
    var isServed: Bool {
        checkProcess()
        return hasThread.load(ordering: .relaxed) || startNext()
    }

    /// True after the shutdown. Then a new job is released.
    var isClosed: Bool { isShutDown.load(ordering: .sequentiallyConsistent) }

    /// The number of threads, also counting threads that are being started.
    var threadCount: Int { lock.withLock { crew.count } }

    /// Calls a thread, if there is work and no thread is searching.
    @inline(never)
    private func call() {
        lock.lock()
        if isClosed {
            lock.unlock()
            return refuseAll()
        }
        let help = hasWork ? crew.chooseHelp() : .none
        publish()
        lock.unlock()
        switch help {
        case .none: break
        case let .wake(worker): worker.wake()
        case .start: if !startThread() && hasThread.load(ordering: .relaxed) { call() }
        case .watch: PoolWatch.begin(self)
        }
    }

    private var hasWork: Bool { !crew.ready.isEmpty || inbox.hasJobs }

    /// Called with the lock, after a change of the crew. Afterwards the caller checks for jobs. So it sees the jobs of
    /// the threads that did not call.
    private func publish() {
        let isWanted = isClosed || crew.wantsCall
        if wantsCall.load(ordering: .relaxed) != isWanted {
            wantsCall.store(isWanted, ordering: .sequentiallyConsistent)
        }
    }

    // MARK: Threads

    @inline(never)
    private func startNext() -> Bool {
        lock.lock()
        crew.join()
        publish()
        lock.unlock()
        return startThread()
    }

    /// Starts a thread that has joined the crew. Returns false if the system cannot create it.
    private func startThread() -> Bool {
        let worker = Unmanaged.passRetained(Worker(self))
        let isStarted = sgk_shim_thread_start(
            { context in
                Unmanaged<Worker>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, worker.toOpaque())
        if isStarted {
            hasThread.store(true, ordering: .relaxed)
            return true
        }
        worker.release()
        lock.lock()
        let (isToBeTold, isToBeWatched) = crew.refuse(hasWork: hasWork)
        publish()
        lock.unlock()
        if isToBeWatched { PoolWatch.begin(self) }
        if isToBeTold { Warnings.sink("cannot create a thread; queued work waits until one is available") }
        return false
    }

    var threadName: CString { isShared ? "signalkit" : "signalkit-pool" }

    func begin(_ worker: Worker) {
        if nice != 0 { sgk_shim_thread_set_nice(nice) }
        lock.withLock { crew.workers.append(worker) }
    }

    func end(_ worker: Worker) {
        if worker.process.isCurrent { lock.withLock { crew.workers.removeAll { $0 === worker } } }
    }

    /// Waits for the next job of a thread. Returns an owned reference, or nil if the thread must end.
    func next(for worker: Worker) -> Unmanaged<Job>? {
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
                worker.mayLook = IdleSpin.isOfUse
                return job
            }
            if worker.mayLook && !crew.isLookedFor {
                worker.mayLook = false
                crew.startLooking(worker)
                publish()
                lock.unlock()
                look()
            } else if goToRest(worker), !rest(worker) {
                return nil
            }
        }
        return nil
    }

    /// Called with the lock.
    private func take() -> Unmanaged<Job>? {
        if crew.ready.isEmpty && inbox.hasJobs { inbox.collect(into: &crew.ready) }
        let job = crew.take()
        let hasMore = !crew.ready.isEmpty
        if hasReady.load(ordering: .relaxed) != hasMore { hasReady.store(hasMore, ordering: .relaxed) }
        return job
    }

    /// Returns whether there is more work. Called with the lock.
    private func stopLooking(_ worker: Worker) -> Bool {
        crew.stopLooking(worker)
        publish()
        return hasWork
    }

    private func look() { IdleSpin.briefly { inbox.hasJobs || hasReady.load(ordering: .relaxed) } }

    /// Prepares the thread to rest. Returns false if there is work by now. Called with the lock, which it unlocks.
    private func goToRest(_ worker: Worker) -> Bool {
        defer { lock.unlock() }
        crew.rest(worker, mayEnd: isShared)
        publish()
        if crew.isLookedFor || !hasWork { return true }
        _ = crew.resting.popLast()
        crew.startLooking(worker)
        publish()
        return false
    }

    /// Sleeps until the thread is called. Returns false if it must end after a long rest.
    private func rest(_ worker: Worker) -> Bool {
        while !worker.sleep(worker.mayEnd ? WorkerPool.longestRest : .infinity) {
            lock.lock()
            let isToEnd = crew.dismiss(worker, atLeast: WorkerPool.processors)
            if isToEnd { publish() }
            lock.unlock()
            if isToEnd { return false }
        }
        worker.isLooking = true
        return true
    }

    // MARK: Growing

    enum State { case idle, working, grown }

    /// Checks whether the threads make progress. If no job was taken since the last check, the pool may start more
    /// threads: one for each processor that none of its threads uses. The clock's thread calls this.
    func watch() -> State {
        lock.lock()
        let isStuck = crew.look()
        publish()
        // Not earlier: a job that is put after this calls a thread, which begins a new watch.
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
        crew.allow(more: idle, atMost: WorkerPool.most)
        publish()
        lock.unlock()
        call()
        return hasThread.load(ordering: .relaxed) ? .grown : .working
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
            job.refuse()
            WorkInFlight.end()
        }
    }

    @inline(__always)
    private func checkProcess() { process.check(self) }

    /// Called in the child of a fork. The threads and the crew belong to the parent. The old crew is neither used nor
    /// released.
    func startAgain() {
        lock.forget()
        inbox.forget()
        var crew = Crew(limit: isShared ? WorkerPool.processors : crew.limit, isWatched: !isShared)
        swap(&self.crew, &crew)
        UnsafeMutablePointer<Crew>.allocate(capacity: 1).initialize(to: crew)
        hasThread.store(false, ordering: .relaxed)
        wantsCall.store(true, ordering: .relaxed)
    }
}
