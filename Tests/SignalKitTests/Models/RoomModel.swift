@testable import SignalKitCore

/// Threads that wait for space in deliveries with a limit of one value (`BoundedDelivery.addWhenThereIsRoom`), and the check of all waits
/// (`Wait`) before each wait.
///
/// Thread i runs the work of queue i: first a job, which emits into deliveries on any queue, then delivery i. A job may let a thread without a
/// queue emit for it, and wait for that. In a pool each thread runs the job of one queue, and then delivers on any queue without a job. The last
/// queue never has a job. Checked: all values arrive, those of one thread to one queue in order. If all threads are blocked, the model reports a
/// cycle of waits or a lost wake-up.
///
/// In the code (`scripts/models.py` compares):
/// - Latch.isOpen: load acquiring → looks
/// - Latch.open: load relaxed → opens
/// - Latch.open: exchange releasing → opens, givesUp
/// - Latch.wait: load acquiring → sleeps
struct RoomModel: Interleaved {
    enum Act: Hashable {
        /// Emits a value into the delivery on a queue.
        case emit(to: Int)
        /// Waits until a thread has finished all its work, unless that would deadlock.
        case waitFor(Int)
        /// Delivers a value.
        case take
        /// Delivers values until everything has arrived.
        case serve
    }

    /// A change of the algorithm that must cause a failure.
    enum Omission {
        /// The look whether a thread would wait for itself: at the waits of others, at those of all threads of the pool, or at all.
        case lookAtOthers, lookAtPool, look
        /// A latch whose thread no longer waits is skipped.
        case passingOver
        /// A thread that takes a value tells one that waits.
        case telling
    }

    enum Place: InterleavedPlace {
        case idle
        case adds(to: Int, mayWait: Bool)
        case begins(to: Int, latch: Int)
        case sleeps(to: Int, latch: Int)
        case looks(to: Int, latch: Int, isKnown: Bool)
        case givesUp(to: Int, latch: Int)
        case opens(latch: Int)
        case awaits(Int)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private struct Delivery: Hashable {
        var values: [Int] = []
        var suspended: [Int] = []
        var arrived: [Int] = []
    }

    private(set) var threads: [Thread]
    private let isPool: Bool
    private let omitted: Omission?
    private let plan: [[Act]]
    private var deliveries: [Delivery]
    /// Whether each latch is open.
    private var latches: [Bool] = []
    /// The latch that each thread waits for, of those in the list.
    private var waits: [Int?]
    private var emitted = 0

    /// - Parameters:
    ///   - jobs: what the job of each queue does.
    ///   - others: what threads without a queue do.
    ///   - isPool: whether the threads of the jobs are those of a pool.
    init(_ jobs: [[Act]], others: [[Act]] = [], isPool: Bool = false, without omitted: Omission? = nil) {
        self.isPool = isPool
        plan = jobs + others
        self.omitted = omitted
        deliveries = (isPool ? jobs + [[]] : jobs).map { _ in Delivery() }
        waits = plan.map { _ in nil }
        threads = plan.map { Thread(todo: isPool ? $0 + [.serve] : $0) }
        for queue in jobs.indices where !isPool {
            let count = plan.joined().filter { $0 == .emit(to: queue) }.count
            threads[queue].todo += Array(repeating: .take, count: count)
        }
    }

    var fault: String? {
        let busy = threads.indices.filter { threads[$0].isBusy }
        if busy.isEmpty || busy.contains(where: { advanced($0) != nil }) { return nil }
        for thread in busy {
            // It sleeps although there is space.
            if case let .sleeps(queue, _) = threads[thread].place, deliveries[queue].values.isEmpty {
                return "a wake-up is lost: \(self)"
            }
        }
        return "a circle: \(self)"
    }

    func faultAtEnd() -> String? {
        for (queue, delivery) in deliveries.enumerated() {
            if delivery.arrived.count != plan.joined().filter({ $0 == .emit(to: queue) }).count {
                return "not everything has come: \(self)"
            }
            for thread in plan.indices {
                let mine = delivery.arrived.filter { $0 % plan.count == thread }
                if mine != mine.sorted() { return "\(mine) has come in no order" }
            }
        }
        return nil
    }

    /// Whether the thread, or one that waits for it by a job, is what the owner waits for.
    private func holdsUp(_ thread: Int, _ owner: Int) -> Bool {
        thread == owner || threads.indices.contains { threads[$0].place == .awaits(thread) && holdsUp($0, owner) }
    }

    private func wouldWaitForItself(_ me: Int, _ owner: Int) -> Bool {
        if omitted == .look { return false }
        var stuck = omitted == .lookAtOthers ? waits.map { _ in nil } : waits
        for index in stuck.indices {
            if case let .sleeps(_, latch) = threads[index].place, latches[latch] { stuck[index] = nil }
        }
        stuck[me] = owner
        // Whether one of those keeps the owner from its work, or all do.
        func isHeldUp(_ owner: Int) -> Bool {
            stuck.indices.contains { stuck[$0] != nil && holdsUp($0, owner) }
                || isPool && omitted != .lookAtPool && !stuck.contains(nil)
        }
        while let end = stuck.indices.first(where: { stuck[$0].map { !isHeldUp($0) } ?? false }) { stuck[end] = nil }
        return stuck[me] != nil
    }

    private var hasAllCome: Bool {
        deliveries.reduce(0) { $0 + $1.arrived.count } == plan.joined().filter { $0 != .serve }.count
    }

    /// A queue of the pool that has values, and whose job is over.
    private var queueToServe: Int? {
        deliveries.indices.first { queue in
            if deliveries[queue].values.isEmpty { return false }
            guard queue < threads.count, let next = threads[queue].todo.first else { return true }
            if case .opens = threads[queue].place { return true }
            return next == .serve && threads[queue].place == .idle
        }
    }

    mutating func advance(_ me: Int) -> Bool {
        switch threads[me].place {
        case let .sleeps(_, latch) where !latches[latch]: return false
        case let .awaits(other) where threads[other].isBusy: return false
        case .idle where threads[me].todo[0] == .take && deliveries[me].values.isEmpty: return false
        case .idle where threads[me].todo[0] == .serve && !hasAllCome && queueToServe == nil: return false
        default: break
        }
        switch threads[me].place {
        case .idle where threads[me].todo[0] == .serve && !hasAllCome: take(me, from: queueToServe!)
        case .idle:
            switch threads[me].todo.removeFirst() {
            case let .emit(queue): threads[me].place = .adds(to: queue, mayWait: queue != me)
            case let .waitFor(other):
                if wouldWaitForItself(me, other) { return true }
                waits[me] = other
                threads[me].place = .awaits(other)
            case .take: take(me, from: me)
            case .serve: break
            }

        // addWhenThereIsRoom, with the lock
        case let .adds(queue, mayWait):
            if mayWait && !deliveries[queue].values.isEmpty {
                latches.append(false)
                deliveries[queue].suspended.append(latches.count - 1)
                threads[me].place = .begins(to: queue, latch: latches.count - 1)
            } else {
                // Increasing numbers that identify the thread.
                deliveries[queue].values.append(emitted * plan.count + me)
                emitted += 1
                threads[me].place = .idle
            }
        // Wait.begin, with its lock
        case let .begins(queue, latch):
            if wouldWaitForItself(me, queue) {
                threads[me].place = .looks(to: queue, latch: latch, isKnown: false)
            } else {
                waits[me] = queue
                threads[me].place = .sleeps(to: queue, latch: latch)
            }
        case let .sleeps(queue, latch): threads[me].place = .looks(to: queue, latch: latch, isKnown: true)
        case let .looks(queue, latch, isKnown):
            if isKnown { waits[me] = nil }
            threads[me].place = latches[latch] ? .adds(to: queue, mayWait: true) : .givesUp(to: queue, latch: latch)
        case let .givesUp(queue, latch):
            latches[latch] = true
            threads[me].place = .adds(to: queue, mayWait: false)
        case let .opens(latch):
            latches[latch] = true
            threads[me].place = .idle
        case .awaits:
            waits[me] = nil
            threads[me].place = .idle
        }
        return true
    }

    /// takeWhatIsDue and hasTaken, each with the lock.
    private mutating func take(_ me: Int, from queue: Int) {
        deliveries[queue].arrived.append(deliveries[queue].values.removeFirst())
        while !deliveries[queue].suspended.isEmpty {
            let latch = deliveries[queue].suspended.removeFirst()
            if latches[latch] && omitted != .passingOver { continue }
            if omitted != .telling { threads[me].place = .opens(latch: latch) }
            return
        }
    }
}
