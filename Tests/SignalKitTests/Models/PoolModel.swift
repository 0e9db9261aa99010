/// The algorithm by which the threads of `WorkerPool` sleep, are woken, and are created.
///
/// A plan gives each thread its jobs. A job may wait for another one. A worker takes a job, searches for another one (for a long or short time),
/// sleeps, and is woken. On request, the watch checks whether jobs are taken. Checked at each end: every job has run. So no state has pending
/// work while all threads wait for each other.
///
/// In the code (`scripts/models.py` compares):
/// - WorkerPool.put: load sequentiallyConsistent → looksAtWants
/// - WorkerPool.isServed: load relaxed → (threads are available)
/// - WorkerPool.isClosed: load sequentiallyConsistent → (it is not shut down)
/// - WorkerPool.call: load relaxed → (threads are available)
/// - WorkerPool.publish: load relaxed → publishesChoice, publishesFind, publishesLook, publishesRest, unwatches, looksAgain
/// - WorkerPool.publish: store sequentiallyConsistent → publishesChoice, publishesFind, publishesLook, publishesRest, unwatches, looksAgain
/// - WorkerPool.startThread: store relaxed → (threads are available)
/// - WorkerPool.take: load relaxed → (only a hint)
/// - WorkerPool.take: store relaxed → (only a hint)
/// - WorkerPool.look: load relaxed → (only a hint)
/// - WorkerPool.watch: load relaxed → (threads are available)
/// - WorkerPool.shutDown: store sequentiallyConsistent → (it is not shut down)
/// - WorkerPool.startAgain: store relaxed → (after a fork)
/// - WorkerPool.startAgain: store relaxed → (after a fork)
/// - Worker.sleep: load acquiring → rests
/// - Worker.sleep: exchange acquiring → rests
/// - Worker.wake: store releasing → wakes
struct PoolModel: Interleaved {
    enum Place: InterleavedPlace {
        case idle
        // Whoever puts
        case looksAtWants
        // A caller holds the lock from the second step on
        case locks, chooses
        case publishesChoice(Help)
        case wakes(Int)
        case starts
        // A worker, with the lock from the second on
        case works, takes
        case publishesFind(job: Int)
        case looksForMore(job: Int)
        case publishesLook, publishesRest, looksBeforeRest
        case rests
        case runs(Int)
        // The watch, with the lock
        case unwatches
        case looksAgain(isStuck: Bool)
    }

    enum Help: Hashable {
        case nobody
        case rested(Int)
        case new, watch
    }

    struct Thread: InterleavedThread {
        enum Kind: Hashable { case putter, worker, watch }
        var kind = Kind.putter
        /// The jobs that a thread enqueues; other threads have one task, all of it.
        var todo: [Int]
        var place = Place.idle
        /// A worker: whether there is such a thread yet, and whether it looks for work, may do so, and has been called.
        var isThere = false
        var isLooking = true
        var mayLook = false
        var isCalled = false
        /// The job after a wake-up call: a worker runs the job that it has found.
        var found: Int?
    }

    enum Omission { case nothing, lookBeforeRest, callForMore, watching }

    var threads: [Thread]
    var jobs: [Int] = []
    var done: Set<Int> = []
    var holder: Int?
    var wantsCall = true
    var resting: [Int] = []
    var limit: Int
    var count = 0
    var isLookedFor = false
    var isWatched = false
    var taken = 0
    var takenBefore = 0
    var fault: String?

    private let total: Int
    /// The jobs that a job waits for.
    private let needs: [Int: Int]
    private let omitted: Omission

    init(_ plan: [[Int]], needs: [Int: Int] = [:], limit: Int = 2, most: Int = 2, without omitted: Omission = .nothing)
    {
        self.needs = needs
        self.limit = limit
        self.omitted = omitted
        total = plan.joined().count
        threads =
            plan.map { Thread(todo: $0) } + (0..<most).map { _ in Thread(kind: .worker, todo: [0]) } + [
                Thread(kind: .watch, todo: [0])
            ]
    }

    func faultAtEnd() -> String? { done.count == total && jobs.isEmpty ? nil : "not everything has run: \(self)" }

    private var isOver: Bool { done.count == total }
    private var wants: Bool {
        !isLookedFor && (!resting.isEmpty || count < limit || !isWatched && omitted != .watching)
    }

    mutating func advance(_ index: Int) -> Bool {
        var thread = threads[index]
        defer { threads[index] = thread }
        switch thread.place {
        case .idle:
            switch thread.kind {
            case .putter:
                jobs.append(thread.todo.removeFirst())
                thread.place = .looksAtWants
            case .worker:
                if isOver { thread.todo = [] } else if thread.isThere { thread.place = .works } else { return false }
            case .watch:
                if isOver {
                    thread.todo = []
                } else if isWatched && holder == nil {
                    thread.place = lock(index, .unwatches)
                } else {
                    return false
                }
            }
        case .looksAtWants:
            thread.place = wantsCall ? .locks : .idle

        // call
        case .locks:
            if holder != nil { return false }
            thread.place = lock(index, .chooses)
        case .chooses:
            var help = Help.nobody
            if !isLookedFor && !jobs.isEmpty {
                if let worker = resting.popLast() {
                    isLookedFor = true
                    help = .rested(worker)
                } else if count < limit {
                    count += 1
                    isLookedFor = true
                    help = .new
                } else if !isWatched && omitted != .watching {
                    isWatched = true
                    takenBefore = taken
                    help = .watch
                }
            }
            thread.place = .publishesChoice(help)
        case let .publishesChoice(help):
            wantsCall = wants
            holder = nil
            switch help {
            case .nobody, .watch: thread.place = afterCall(&thread)
            case let .rested(worker): thread.place = .wakes(worker)
            case .new: thread.place = .starts
            }
        case let .wakes(worker):
            if worker == index { fault = "a worker calls itself" }
            threads[worker].isCalled = true
            thread.place = afterCall(&thread)
        case .starts:
            guard let new = threads.indices.first(where: { threads[$0].kind == .worker && !threads[$0].isThere }) else {
                fatalError("more workers than there are")
            }
            threads[new].isThere = true
            thread.place = afterCall(&thread)

        // next
        case .works:
            if holder != nil { return false }
            thread.place = lock(index, .takes)
        case .takes:
            if !jobs.isEmpty {
                let job = jobs.removeFirst()
                taken += 1
                if thread.isLooking {
                    thread.isLooking = false
                    isLookedFor = false
                    thread.place = .publishesFind(job: job)
                } else {
                    holder = nil
                    thread.place = .runs(job)
                }
            } else if thread.mayLook && !isLookedFor {
                thread.mayLook = false
                thread.isLooking = true
                isLookedFor = true
                thread.place = .publishesLook
            } else {
                resting.append(index)
                if thread.isLooking { isLookedFor = false }
                thread.isLooking = false
                thread.place = .publishesRest
            }
        case let .publishesFind(job):
            wantsCall = wants
            thread.place = .looksForMore(job: job)
        case let .looksForMore(job):
            holder = nil
            thread.found = job
            thread.place = jobs.isEmpty || omitted == .callForMore ? afterCall(&thread) : .locks
        case .publishesLook:
            wantsCall = wants
            holder = nil
            thread.place = .works
        case .publishesRest:
            wantsCall = wants
            thread.place = .looksBeforeRest
        case .looksBeforeRest:
            if isLookedFor || jobs.isEmpty || omitted == .lookBeforeRest {
                holder = nil
                thread.place = .rests
            } else {
                _ = resting.popLast()
                thread.isLooking = true
                isLookedFor = true
                thread.place = .publishesLook
            }
        case .rests:
            if thread.isCalled {
                thread.isCalled = false
                thread.isLooking = true
                thread.place = .works
            } else if isOver {
                thread.todo = []
                thread.place = .idle
            } else {
                return false
            }
        case let .runs(job):
            if let other = needs[job], !done.contains(other) { return false }
            done.insert(job)
            thread.mayLook = true
            thread.place = .works

        // watch
        case .unwatches:
            let isStuck = taken == takenBefore && resting.isEmpty && !isLookedFor
            takenBefore = taken
            isWatched = false
            wantsCall = wants
            thread.place = .looksAgain(isStuck: isStuck)
        case let .looksAgain(isStuck):
            isWatched = !jobs.isEmpty
            let isBlocked = threads.allSatisfy { thread in
                if case let .runs(job) = thread.place { return needs[job].map { !done.contains($0) } ?? false }
                return thread.kind != .worker || !thread.isThere
            }
            if isStuck && isWatched && isBlocked { limit = count + 1 }
            wantsCall = wants
            holder = nil
            thread.place = isStuck && isWatched ? .locks : .idle
        }
        return true
    }

    private mutating func lock(_ index: Int, _ place: Place) -> Place {
        holder = index
        return place
    }

    /// The next step of a caller.
    private func afterCall(_ thread: inout Thread) -> Place {
        guard let job = thread.found else { return .idle }
        thread.found = nil
        return .runs(job)
    }
}
