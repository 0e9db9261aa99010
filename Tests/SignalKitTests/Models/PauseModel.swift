@testable import SignalKitCore

/// A loop that emits into a bounded stage (`LoopSource`, with the decisions of `PauseWord`): its first run, its
/// continuations on a queue, the consumer of the stage, a second pauser, and a disposer.
///
/// In the code (`scripts/models.py` compares):
/// - LoopSource.goesOn: load relaxed → tests
/// - Subscription.addPause: wrappingAdd relaxed → adds, pauses, pausesLate
/// - Subscription.takePause: wrappingSubtract relaxed → resumes
/// - Subscription.flags: load acquiring → looks, reads
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → (the end, in one step)
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → parks, continues
struct PauseModel: Interleaved {
    enum Act: Hashable {
        /// Starts the loop.
        case start
        /// Continues it, whenever that is scheduled.
        case serve
        /// Takes all values out of the stage.
        case consume
        /// Pauses and resumes.
        case hold
        case dispose
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// The pauses are one bit.
        case count
        /// The loop parks without a pause in the same word.
        case parksWithPause
        /// The thread that resumes does not find out whether another thread continues the loop.
        case winner
        /// The stage pauses after unlocking.
        case pauseUnderLock
        /// The end leaves the position of a parked loop.
        case dropsParked
        /// The end drops the position also of a running loop.
        case dropsParkedOnly
    }

    enum Place: InterleavedPlace {
        case idle
        // The loop, and its stage
        case tests, adds, pausesLate
        case looks
        case parks(PauseWord)
        case ends
        // A consumer, or another pauser
        case takes, pauses
        case resumes, reads
        case continues(PauseWord)
        case drops
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private let omitted: Omission?
    private let count: Int, limit: Int
    private let hasDisposer: Bool
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var word = PauseWord()
    /// Whether a thread is inside the loop, and how many continuations are scheduled.
    private var loops = 0, scheduled = 0
    private var sent = 0, got = 0, dropped = 0
    private var isDisposed = false, isPausing = false

    init(_ count: Int, limit: Int, _ plan: [[Act]], without omitted: Omission? = nil) {
        self.count = count
        self.limit = limit
        self.omitted = omitted
        hasDisposer = plan.joined().contains(.dispose)
        threads = plan.map { Thread(todo: $0) }
    }

    private typealias Flag = Subscription.Flag
    private var waiting: Int { sent - got }
    private var isTerminated: Bool { word.bits & Flag.terminated != 0 }
    /// Nothing is left to be continued.
    private var isOver: Bool {
        scheduled == 0 && isTerminated && loops == 0 && threads.allSatisfy { $0.todo.first != .start }
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        if thread.place == .idle {
            switch thread.todo.first {
            case .serve where scheduled == 0 && !isOver: return false
            case .consume where waiting == 0 && !isOver: return false
            default: break
            }
        }
        switch thread.place {
        case .idle: begin(&thread)

        case .tests:
            if word.goesOn {
                thread.place = sent < count ? .adds : .ends
            } else {
                thread.place = isTerminated ? .drops : .looks
            }
        // The stage, under its lock
        case .adds:
            sent += 1
            if waiting > limit { fault = "more than \(limit) values wait" }
            thread.place = .tests
            if waiting >= limit && !isPausing {
                isPausing = true
                if omitted == .pauseUnderLock { thread.place = .pausesLate } else { pause() }
            }
        case .pausesLate:
            pause()
            thread.place = .tests
        case .looks: thread.place = parksBlindly || word.parks ? .parks(word) : .tests
        case let .parks(seen):
            if word != seen && !parksBlindly {
                thread.place = .looks
            } else {
                word = word.parked
                leaveLoop()
                thread.place = .idle
            }
        case .ends:
            // The end wins, or the disposal.
            word.bits |= Flag.terminated
            thread.place = .drops
        case .drops:
            drop()
            leaveLoop()
            thread.place = .idle

        case .takes:
            got += 1
            thread.place = .idle
            if isPausing && waiting <= limit / 2 {
                isPausing = false
                thread.place = .resumes
            }
        case .pauses:
            pause()
            thread.place = .resumes
        case .resumes:
            if omitted == .count {
                word.bits &= ~Flag.pauses
            } else {
                if word.bits & Flag.pauses == 0 { fault = "the number of pauses is negative" }
                word.bits &-= Flag.pause
            }
            thread.place = word.bits & Flag.pauses == 0 ? .reads : .idle
        case .reads: thread.place = word.continues ? .continues(word) : .idle
        case let .continues(seen):
            if omitted != .winner && word != seen {
                thread.place = .reads
            } else {
                word = word.taken
                scheduled += 1
                thread.place = .idle
            }
        }
        threads[me] = thread
        return true
    }

    private mutating func begin(_ thread: inout Thread) {
        switch thread.todo[0] {
        case .start:
            thread.todo.removeFirst()
            enterLoop()
            thread.place = .tests
        case .serve:
            if scheduled == 0 {
                thread.todo.removeFirst()
            } else {
                scheduled -= 1
                enterLoop()
                thread.place = .tests
            }
        case .consume:
            if waiting == 0 { thread.todo.removeFirst() } else { thread.place = .takes }
        case .hold:
            thread.todo.removeFirst()
            thread.place = .pauses
        case .dispose:
            thread.todo.removeFirst()
            let before = word
            word.bits |= Flag.terminated | Flag.disposed
            isDisposed = true
            let drops = omitted == .dropsParkedOnly ? before.bits & Flag.terminated == 0 : before.isDroppedByEnd
            if drops && omitted != .dropsParked { drop() }
        }
    }

    private var parksBlindly: Bool { omitted == .parksWithPause }

    private mutating func pause() {
        if omitted == .count { word.bits |= Flag.pause } else { word.bits &+= Flag.pause }
    }

    private mutating func enterLoop() {
        loops += 1
        if loops > 1 { fault = "two threads are in the loop" }
        if dropped > 0 && !isTerminated { fault = "the loop continues without a position" }
    }

    private mutating func leaveLoop() { loops -= 1 }

    private mutating func drop() {
        dropped += 1
        if dropped > 1 { fault = "the position was dropped twice" }
    }

    func faultAtEnd() -> String? {
        if dropped != 1 { return "the position was dropped \(dropped) times" }
        if !isDisposed && sent < count || got < sent { return "\(count - got) values have not arrived" }
        if !hasDisposer && word.bits & Flag.pauses != 0 { return "a pause is left" }
        return nil
    }
}
