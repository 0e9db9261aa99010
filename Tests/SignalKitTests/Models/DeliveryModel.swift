@testable import SignalKitCore

/// The batches of a subscription that delivers on a shared queue: `DeliveryMachine` itself, and, in the steps that threads can see, the
/// operations of `Delivery` and the counter of the queue.
///
/// A plan gives each thread its events. The last thread, or two of a concurrent queue, belongs to the queue. Checked: one thread delivers at a
/// time; an event follows all that were enqueued before it started (on a concurrent queue, and with pauses: those of the subscription); every
/// event arrives, unless disposed; no value arrives during a pause.
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
        case pause, resume
        /// The queue's thread takes the first item.
        case turn
    }

    /// A change of the algorithm that must cause a failure.
    enum Omission {
        case counting, countingAfterwards, comparing, lookWhetherIdle
        /// A turn that a pause stops is over for the machine. Or nothing continues it, or each resumption.
        case keepingTheTurn, goingOn, goingOnOnce
        /// The rest of a batch is not counted again, or it is delivered.
        case countingTheRest, lookingInTheBatch
    }

    enum Place: InterleavedPlace {
        var delivers: Bool {
            switch self {
            case .takes, .delivers: true
            default: false
            }
        }

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
        // Resumes
        case goesOn
    }

    enum Item: Hashable {
        case turn(DeliveryMachine.Place)
        case job(Act)
        case continuation
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        /// The number of the event that is being enqueued.
        var number: Int?
    }

    private let plan: [[Act]]
    private let isPausing: Bool
    private let isConcurrent: Bool
    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?

    private var machine: DeliveryMachine
    private var row: [Int] = []
    private var hasEnded = false
    private var isDisposed = false
    private var isDelivering = false
    private var pauses = 0
    private var isParked = false
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
        isPausing = plan.joined().contains(.pause)
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
        case .takes where !isDisposed && pauses > 0 && !row.isEmpty: park([], me)
        case .takes:
            let due = isDisposed ? 0 : machine.due(of: row.count)
            machine.take(due)
            threads[me].place = due == 0 ? .idle : .delivers(Array(row.prefix(due)))
            row.removeFirst(due)
            if due == 0 { isDelivering = false }
        case let .delivers(batch) where !isDisposed && pauses > 0 && omitted != .lookingInTheBatch: park(batch, me)
        case let .delivers(batch):
            if pauses > 0 && !isDisposed && !plan.joined().contains(.end(batch[0])) {
                fault = "\(batch[0]) has come during a pause"
            }
            if isDisposed { dropped.insert(batch[0]) } else { arrive(batch[0]) }
            threads[me].place = batch.count == 1 ? .takes : .delivers(Array(batch.dropFirst()))

        case .goesOn:
            give(.continuation)
            threads[me].place = .countsJob
        }
        if threads[me].place == .idle, let number = threads[me].number {
            put.insert(number)
            threads[me].number = nil
        }
        return true
    }

    /// The turn stops at a pause. It stays the only one until the resumption.
    private mutating func park(_ rest: [Int], _ me: Int) {
        if omitted != .countingTheRest { machine.putBack(rest.count) }
        row = rest + row
        isParked = true
        if omitted == .keepingTheTurn { _ = machine.due(of: 0) }
        if omitted == .keepingTheTurn { isDelivering = false }
        threads[me].place = .idle
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
        case .pause: pauses += 1
        case .resume:
            pauses -= 1
            if pauses > 0 || !isParked { return }
            if omitted != .goingOnOnce { isParked = false }
            if omitted != .goingOn { threads[me].place = .goesOn }
        case .turn:
            switch queue.removeFirst() {
            case .continuation:
                if isDelivering && omitted == .keepingTheTurn { fault = "two deliver at once" }
                if threads.contains(where: \.place.delivers) { fault = "two deliver at once" }
                isDelivering = true
                threads[me].place = .takes
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
        before[number] = isConcurrent || isPausing ? isOfTheRun(number) ? put.filter(isOfTheRun) : [] : put
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
            case .sync, .dispose, .pause, .resume, .turn: return false
            }
        }
    }

    func faultAtEnd() -> String? {
        let isComplete = put.subtracting(arrived).subtracting(dropped).isEmpty
        return isComplete && (isDisposed || machine.isIdle(row.count)) ? nil : "not everything has come: \(self)"
    }
}
