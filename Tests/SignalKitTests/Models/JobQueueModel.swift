/// The algorithm of `Inbox` and `JobQueue`, with a ready list and threads that take turns.
///
/// A plan gives each thread the numbers of its jobs. A negative one runs on the thread itself if the queue is idle, and is enqueued otherwise.
/// The workers take ready queues until all jobs have run. Checked in every state: at most one thread runs the queue. Checked at each end: every
/// job has run once, those of a thread in order, and the queue is idle.
///
/// In the code (`scripts/models.py` compares):
/// - Inbox.put: load relaxed → loads
/// - Inbox.put: weakCompareExchange sequentiallyConsistent/relaxed → swaps
/// - Inbox.enter: compareExchange sequentiallyConsistent → enters
/// - Inbox.isIdle: load sequentiallyConsistent → (the main queue's)
/// - Inbox.hasJobs: load sequentiallyConsistent → (PoolModel has it as one look at the jobs)
/// - Inbox.collect: exchange acquiringAndReleasing → collects
/// - Inbox.leave: compareExchange sequentiallyConsistent → leaves
/// - Inbox.forget: store relaxed → (after a fork)
struct JobQueueModel: Interleaved {
    enum Place: InterleavedPlace {
        case idle
        case enters
        case loads
        case swaps(seen: Word)
        case comesUp
        case collects
        case runs(left: Int)
        case leaves(left: Int)
    }

    /// The values of `Inbox.word`: free, or taken with pending jobs, the newest first.
    enum Word: Hashable {
        case free
        case taken([Int])
    }

    struct Thread: InterleavedThread {
        /// A worker has one thing to do: all of it.
        var todo: [Int]
        var place = Place.idle
        var isWorker = false
        var isInside = false
        /// The job that is to be put.
        var job = 0
    }

    enum Omission { case nothing, lookWhenLeaving, comingUpAfterTurn }

    var word = Word.free
    var threads: [Thread]
    /// The number of the queue's entries in the ready list.
    var ready = 0
    /// Jobs taken out of the word, the oldest first.
    var waiting: [Int] = []
    var run: [Int] = []
    var fault: String?

    private let plan: [[Int]]
    private let turn: Int
    private let omitted: Omission

    init(_ plan: [[Int]], workers: Int = 2, turn: Int = 2, without omitted: Omission = .nothing) {
        self.plan = plan
        self.turn = turn
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) } + (0..<workers).map { _ in Thread(todo: [0], isWorker: true) }
    }

    func faultAtEnd() -> String? {
        if word != .free || ready > 0 || !waiting.isEmpty { return "something waits at the end: \(self)" }
        for jobs in plan where run.filter({ jobs.contains($0) }) != jobs { return "\(run) has run instead of \(jobs)" }
        return nil
    }

    mutating func advance(_ index: Int) -> Bool {
        var thread = threads[index]
        defer { threads[index] = thread }
        switch thread.place {
        case .idle where thread.isWorker:
            if ready > 0 {
                ready -= 1
                thread.isInside = true
                thread.place = .collects
            } else if run.count == plan.joined().count {
                thread.todo = []
            } else {
                return false
            }
        case .idle:
            thread.job = thread.todo.removeFirst()
            thread.place = thread.job < 0 ? .enters : .loads

        // runIfIdle
        case .enters:
            if word == .free {
                word = .taken([])
                thread.isInside = true
                run.append(thread.job)
                thread.place = .leaves(left: 0)
            } else {
                thread.place = .loads
            }

        // put
        case .loads:
            thread.place = .swaps(seen: word)
        case let .swaps(seen):
            if seen != word {
                thread.place = .swaps(seen: word)
            } else if case let .taken(jobs) = word {
                word = .taken([thread.job] + jobs)
                thread.place = .idle
            } else {
                word = .taken([thread.job])
                thread.place = .comesUp
            }
        case .comesUp:
            ready += 1
            thread.place = .idle

        // takeTurn
        case .collects:
            collect()
            thread.place = .runs(left: turn)
        case let .runs(left):
            run.append(waiting.removeFirst())
            thread.place = waiting.isEmpty || left == 1 ? .leaves(left: left - 1) : .runs(left: left - 1)
        case let .leaves(left):
            if waiting.isEmpty && (word == .taken([]) || omitted == .lookWhenLeaving) {
                word = .free
                thread.isInside = false
                thread.place = .idle
            } else if left > 0 {
                collect()
                thread.place = .runs(left: left)
            } else {
                thread.isInside = false
                thread.place = omitted == .comingUpAfterTurn ? .idle : .comesUp
            }
        }
        if threads.filter(\.isInside).count > 1 { fault = "two threads are at the line" }
        return true
    }

    private mutating func collect() {
        guard case let .taken(jobs) = word else { return fault = "collects from a free line" }
        word = .taken([])
        waiting += jobs.reversed()
        if waiting.isEmpty { fault = "nothing to run" }
    }
}
