/// Threads of pools that wait for each other's jobs (`Executor.waitForJob`), and the check of all waits (`Wait`).
///
/// The first thread of pool i runs the acts of plan i as a job. All threads then take jobs until there are none. A serial queue is a pool with one
/// thread. Checked: every thread finishes, no wait remains registered, and, for plans without a cycle, no wait is rejected. If all threads are
/// blocked, `explore` reports it.
///
/// In the code (`scripts/models.py` compares):
/// - Waiter.hasRun: load relaxed → (`wait` has acquired it)
/// - Waiter.wait: load acquiring → sleeps
/// - Waiter.open: store releasing → wakes
struct WaitModel: Interleaved {
    enum Act: Hashable {
        /// Puts a job with these acts into a pool and waits for it.
        indirect case sync(Int, [Act])
        /// Puts a job into a pool.
        indirect case put(Int, [Act])
        /// Takes jobs until there are none.
        case serve
    }

    /// A change of the algorithm that must cause a failure.
    enum Omission {
        /// The wait depends on all threads of the pool, also while one of them runs the job.
        case dependingOnClaimer
        /// The thread that claims the job does not register the wait.
        case registering
        /// The wait ends when its thread wakes.
        case endingFirst
    }

    enum Place: InterleavedPlace {
        case idle
        case begins(Int)
        case sleeps(Int)
        case ends(Int)
        case claims(job: Int)
        case opens(Int)
        case wakes(Int)
    }

    struct Thread: InterleavedThread {
        let pool: Int
        var todo: [Act] = [.serve]
        var place = Place.idle
        var frames: [Frame] = []

        var hasEndedJob: Bool { frames.last?.rest == todo.count }
    }

    /// A running job.
    struct Frame: Hashable {
        /// Nil if no thread waits for it.
        let wait: Int?
        /// The number of acts after the job.
        let rest: Int
    }

    private struct Wait: Hashable {
        let thread: Int, pool: Int
        var claimer: Int?
        var isClaimed = false, isKnown = false, isOpen = false
    }

    private struct Job: Hashable {
        let acts: [Act]
        let wait: Int?
    }

    private(set) var threads: [Thread]
    private(set) var fault: String?
    private(set) var rejections = 0
    private var waits: [Wait] = []
    private var jobs: [Job] = []
    /// The numbers of the pending jobs of each pool.
    private var pending: [[Int]]
    private let mayReject: Bool
    private let omitted: Omission?

    /// - Parameters:
    ///   - plans: what the first thread of each pool does.
    ///   - sizes: the numbers of threads.
    ///   - mayReject: whether a wait may be rejected.
    init(_ plans: [[Act]], in sizes: [Int], mayReject: Bool = true, without omitted: Omission? = nil) {
        threads = []
        pending = sizes.map { _ in [] }
        self.mayReject = mayReject
        self.omitted = omitted
        for (pool, size) in sizes.enumerated() {
            for index in 0..<size {
                threads.append(Thread(pool: pool, todo: (index == 0 ? plans[pool] : []) + [.serve]))
            }
        }
    }

    func faultAtEnd() -> String? {
        for wait in waits where wait.isKnown { return "\(wait) is known at the end" }
        return nil
    }

    /// True if nobody can put a job.
    private var isOver: Bool {
        pending.allSatisfy(\.isEmpty)
            && threads.allSatisfy { $0.place == .idle && ($0.todo.isEmpty || $0.todo == [.serve]) && $0.frames.isEmpty }
    }

    mutating func advance(_ me: Int) -> Bool {
        let thread = threads[me]
        switch thread.place {
        case let .sleeps(wait) where !waits[wait].isOpen: return false
        case .idle where !thread.hasEndedJob && thread.todo[0] == .serve && pending[thread.pool].isEmpty && !isOver:
            return false
        default: break
        }
        switch threads[me].place {
        case .idle:
            if threads[me].hasEndedJob {
                if let wait = threads[me].frames.last!.wait {
                    threads[me].place = .opens(wait)
                } else {
                    threads[me].frames.removeLast()
                }
                return true
            }
            if threads[me].todo[0] == .serve && !isOver {
                threads[me].place = .claims(job: pending[threads[me].pool].removeFirst())
                return true
            }
            switch threads[me].todo.removeFirst() {
            case let .sync(pool, acts):
                waits.append(Wait(thread: me, pool: pool))
                put(acts, pool, waits.count - 1)
                threads[me].place = .begins(waits.count - 1)
            case let .put(pool, acts): put(acts, pool, nil)
            case .serve: break
            }

        // Wait.begin, with its lock
        case let .begins(wait):
            threads[me].place = .sleeps(wait)
            if waits[wait].isClaimed && omitted != .registering { return true }
            waits[wait].isKnown = true
            if !isStuck(wait) { return true }
            waits[wait].isKnown = false
            if waits[wait].isClaimed { return true }
            waits[wait].isClaimed = true
            threads[me].place = .idle
            rejections += 1
            if !mayReject { fault = "a wait that would have ended was rejected: \(self)" }
        case let .sleeps(wait): threads[me].place = omitted == .endingFirst ? .ends(wait) : .idle
        case let .ends(wait):
            waits[wait].isKnown = false
            threads[me].place = .idle

        // Wait.claim, with its lock
        case let .claims(number):
            let job = jobs[number]
            threads[me].place = .idle
            if let wait = job.wait {
                if waits[wait].isClaimed { return true }
                waits[wait].isClaimed = true
                if omitted != .registering { waits[wait].isKnown = true }
                if omitted != .dependingOnClaimer { waits[wait].claimer = me }
            }
            threads[me].frames.append(Frame(wait: job.wait, rest: threads[me].todo.count))
            threads[me].todo = job.acts + threads[me].todo

        // Waiter.open
        case let .opens(wait):
            if omitted != .endingFirst { waits[wait].isKnown = false }
            threads[me].place = .wakes(wait)
        case let .wakes(wait):
            waits[wait].isOpen = true
            threads[me].frames.removeLast()
            threads[me].place = .idle
        }
        return true
    }

    private mutating func put(_ acts: [Act], _ pool: Int, _ wait: Int?) {
        jobs.append(Job(acts: acts, wait: wait))
        pending[pool].append(jobs.count - 1)
    }

    /// Whether a wait of the thread, or of a thread that waits for its job, keeps the other thread from its work.
    private func holdsUp(_ thread: Int, _ other: Int) -> Bool {
        thread == other || threads[thread].frames.contains { $0.wait.map { holdsUp(waits[$0].thread, other) } ?? false }
    }

    /// Wait.lookWhetherStuck. A wait ends if its claimer, or a thread of its pool, is not in a stuck wait.
    private func isStuck(_ wait: Int) -> Bool {
        var stuck = Set(waits.indices.filter { waits[$0].isKnown })
        func isHeldUp(_ wait: Wait) -> Bool {
            if let claimer = wait.claimer { return stuck.contains { holdsUp(waits[$0].thread, claimer) } }
            return threads.indices.allSatisfy { index in
                threads[index].pool != wait.pool || stuck.contains { waits[$0].thread == index }
            }
        }
        while let ends = stuck.first(where: { !isHeldUp(waits[$0]) }) { stuck.remove(ends) }
        return stuck.contains(wait)
    }
}
