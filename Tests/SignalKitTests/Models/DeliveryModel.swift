@testable import SignalKitCore

/// The batches of a subscription that delivers on a shared queue: `DeliveryMachine` itself, and, in the steps that threads can see, the
/// operations of `Delivery` and the counter of the queue.
///
/// A plan gives each thread its events. The last thread, or two of a concurrent queue, belongs to the queue. Checked: one thread delivers at a
/// time; an event follows all that were enqueued before it started (on a concurrent queue: those of the subscription); every event arrives,
/// unless disposed.
///
/// In the code (`scripts/models.py` compares):
/// - Tickets.current: load acquiring → looksAtCount
/// - Tickets.count: wrappingAdd acquiringAndReleasing → counts, countsJob
struct DeliveryModel: Interleaved {
    enum Act: Hashable {
        case value(Int)
        /// The terminal event of the subscription.
        case end(Int)
        /// Other work, which may put a value where the queue is current.
        case job(Int, putting: Int? = nil)
        /// Other work that a thread waits for: it runs there if the queue is idle.
        case sync(Int)
        case dispose
        /// The queue's thread takes the first item.
        case turn
    }

    /// A change of the algorithm that must cause a failure.
    enum Omission { case counting, countingAfterwards, comparing, lookWhetherIdle }

    enum Place: InterleavedPlace {
        case idle
        // Puts a place
        case looksAtCount(DeliveryMachine.Place)
        case puts(DeliveryMachine.Place, before: UInt)
        case counts(DeliveryMachine.Place, before: UInt)
        case tells(DeliveryMachine.Place, ticket: UInt?)
        // Puts other work
        case putsJob(Act)
        case countsJob
        // Runs work on its own thread
        case enters(Int)
        case leaves(Int)
        // Runs
        case adds(Int, inline: Bool)
        case begins(DeliveryMachine.Place, inline: Bool)
        case takes
        case delivers([Int])
    }

    enum Item: Hashable {
        case turn(DeliveryMachine.Place)
        case job(Act)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        /// The number of the event that is being enqueued.
        var number: Int?
    }

    private let plan: [[Act]]
    private let isConcurrent: Bool
    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?

    private var machine: DeliveryMachine
    private var row: [Int] = []
    private var hasEnded = false
    private var isDisposed = false
    private var isDelivering = false
    /// Whether a waiting thread runs its work.
    private var isTaken = false
    private var queue: [Item] = []
    private var count: UInt = 0
    private var arrived: Set<Int> = []
    /// Events that were emitted after the end or disposal, or were in flight then.
    private var dropped: Set<Int> = []
    /// The enqueued events, and for each the events enqueued before it started.
    private var put: Set<Int> = []
    private var before: [Int: Set<Int>] = [:]

    init(_ plan: [[Act]], capacity: Int = 1024, isConcurrent: Bool = false, without omitted: Omission? = nil) {
        self.plan = plan
        self.isConcurrent = isConcurrent
        self.omitted = omitted
        threads = (plan + Array(repeating: [], count: isConcurrent ? 2 : 1)).map { Thread(todo: $0) }
        machine = DeliveryMachine(capacity: capacity)
    }

    private var isIdle: Bool { queue.isEmpty && !isTaken && threads[plan.count...].allSatisfy { $0.place == .idle } }

    mutating func advance(_ me: Int) -> Bool {
        if isTaken && threads[me].place == .idle && threads[me].todo.first == .turn { return false }
        switch threads[me].place {
        case .idle: start(threads[me].todo.removeFirst(), me)
        case let .adds(number, inline): threads[me].place = add(number, inline: inline)

        case let .looksAtCount(place): threads[me].place = .puts(place, before: count)
        case let .puts(place, before):
            if omitted == .countingAfterwards { count += 1 } else { give(.turn(place)) }
            threads[me].place = .counts(place, before: before)
        case let .counts(place, before):
            if omitted == .countingAfterwards { give(.turn(place)) } else { countOne() }
            let isNext = count == before + (counts ? 1 : 0)
            threads[me].place = .tells(place, ticket: isNext || omitted == .comparing ? count : nil)
        case let .tells(place, ticket):
            machine.isPut(place, ticket: ticket)
            threads[me].place = .idle

        case let .putsJob(job):
            if omitted == .countingAfterwards { threads[me].todo.insert(job, at: 0) }
            if omitted == .countingAfterwards { count += 1 } else { give(.job(job)) }
            threads[me].place = .countsJob
        case .countsJob:
            if omitted == .countingAfterwards { give(.job(threads[me].todo.removeFirst())) } else { countOne() }
            threads[me].place = .idle

        case let .enters(number):
            let isAlone = !isConcurrent && (isIdle || omitted == .lookWhetherIdle)
            if isAlone { isTaken = true }
            threads[me].place = isAlone ? .leaves(number) : .putsJob(.job(number))
        case let .leaves(number):
            arrive(number)
            isTaken = false
            threads[me].place = .idle

        case let .begins(place, inline):
            let isAlone = machine.begin(place, inline: inline)
            if isAlone && isDelivering { fault = "two deliver at once" }
            isDelivering = true
            threads[me].place = isAlone ? .takes : .idle
        case .takes:
            let due = isDisposed ? 0 : machine.due(of: row.count)
            machine.take(due)
            threads[me].place = due == 0 ? .idle : .delivers(Array(row.prefix(due)))
            row.removeFirst(due)
            if due == 0 { isDelivering = false }
        case let .delivers(batch):
            if isDisposed { dropped.insert(batch[0]) } else { arrive(batch[0]) }
            threads[me].place = batch.count == 1 ? .takes : .delivers(Array(batch.dropFirst()))
        }
        if threads[me].place == .idle, let number = threads[me].number {
            put.insert(number)
            threads[me].number = nil
        }
        return true
    }

    private mutating func start(_ act: Act, _ me: Int) {
        switch act {
        case let .value(number), let .end(number):
            begin(number, me)
            threads[me].place = .adds(number, inline: false)
        case let .job(number, _):
            begin(number, me)
            threads[me].place = .putsJob(act)
        case let .sync(number):
            begin(number, me)
            threads[me].place = .enters(number)
        case .dispose:
            isDisposed = true
            dropped.formUnion(row)
            row = []
        case .turn:
            switch queue.removeFirst() {
            case let .turn(place): threads[me].place = .begins(place, inline: false)
            case let .job(.job(number, value)):
                arrive(number)
                guard let value else { return }
                begin(value, me)
                threads[me].place = .adds(value, inline: !isConcurrent)
            case .job: fault = "no job"
            }
        }
    }

    private mutating func begin(_ number: Int, _ me: Int) {
        threads[me].number = number
        before[number] = isConcurrent ? isOfTheRun(number) ? put.filter(isOfTheRun) : [] : put
    }

    private mutating func add(_ number: Int, inline: Bool) -> Place {
        if isDisposed || hasEnded {
            dropped.insert(number)
            return .idle
        }
        hasEnded = plan.joined().contains(.end(number))
        let place =
            hasEnded
            ? machine.end(behind: row.count, at: count) { inline }
            : machine.add(behind: row.count, at: count) { inline }
        row.append(number)
        guard let place else { return .idle }
        if !inline || !place.mayBeInline { return .looksAtCount(place) }
        // It precedes pending work of the queue, but not the subscription's own events.
        before[number] = before[number]!.filter(isOfTheRun)
        return .begins(place, inline: true)
    }

    private mutating func give(_ item: Item) {
        queue.append(item)
        let worker = plan.count + (isConcurrent ? Int(queue.count) % 2 : 0)
        threads[worker].todo.append(.turn)
    }

    private var counts: Bool { !isConcurrent && omitted != .counting }
    private mutating func countOne() { if counts { count += 1 } }

    private mutating func arrive(_ number: Int) {
        let missing = before[number]!.subtracting(arrived).subtracting(dropped)
        before[number] = nil
        if !missing.isEmpty { fault = "\(number) has come before \(missing), which had been put when it was" }
        if !arrived.insert(number).inserted { fault = "\(number) has come twice" }
    }

    private func isOfTheRun(_ number: Int) -> Bool {
        plan.joined().contains { act in
            switch act {
            case let .value(value), let .end(value): return value == number
            case let .job(_, value): return value == number
            case .sync, .dispose, .turn: return false
            }
        }
    }

    func faultAtEnd() -> String? {
        let isComplete = put.subtracting(arrived).subtracting(dropped).isEmpty
        return isComplete && (isDisposed || machine.isIdle(row.count)) ? nil : "not everything has come: \(self)"
    }
}
