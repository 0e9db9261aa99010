@testable import SignalKitCore

/// The holds of a subscription (`RunHold`, `RunHolds`, and their place in the table of memberships): threads that hold
/// and release, and the end of the subscription. Each step is a section of a lock, or a call of the subscription.
///
/// In the code (`scripts/models.py` compares):
/// - Subscription.addPause: wrappingAdd relaxed → adds
/// - Subscription.takePause: wrappingSubtract relaxed → resumes
/// - Subscription.flags: load acquiring → finds
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → finds, ends
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → (other parts of a subscription)
struct RunHoldModel: Interleaved {
    enum Act: Hashable {
        /// Holds the subscription and releases the hold.
        case hold
        /// The subscription ends.
        case end
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// The holds are one bit.
        case count
        /// The subscription is paused after unlocking.
        case pausingUnderLock
        /// Several threads may resume at once.
        case oneResumer
        /// The thread that has resumed does not look whether the last hold went in the meantime.
        case lookingAgain
        /// A hold is added to those whose last one has gone.
        case refusing
        /// The last hold leaves its entry in the table.
        case takingOut
    }

    enum Place: InterleavedPlace {
        case idle
        case finds
        case adds(Int)
        case pausesLate(Int)
        case holds(Int)
        case resumes(Int)
        case looksAgain(Int)
        /// Takes the entry out of the table, and finds another one if the flag is set.
        case takesOut(Int, retries: Bool)
        case ends(Int)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private struct Holds: Hashable {
        var count = 0
        var isPaused = false, isResuming = false, isOver = false
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var all: [Holds] = []
    /// The index of the entry in the table.
    private var entry: Int?
    private var pauses = 0
    private var hasEnded = false

    init(_ plan: [[Act]], without omitted: Omission? = nil) {
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) }
    }

    mutating func advance(_ me: Int) -> Bool {
        var place = threads[me].place
        switch place {
        case .idle:
            switch threads[me].todo.removeFirst() {
            case .hold: place = .finds
            case .end:
                hasEnded = true
                place = entry.map { .ends($0) } ?? .idle
                entry = nil
            }
        case .finds:
            if hasEnded {
                place = .idle
            } else {
                if entry == nil {
                    entry = all.count
                    all.append(Holds())
                }
                place = .adds(entry!)
            }
        case let .adds(index):
            if all[index].isOver && omitted != .refusing {
                place = .takesOut(index, retries: true)
            } else {
                all[index].count = omitted == .count ? 1 : all[index].count + 1
                place = pause(index) ? .pausesLate(index) : .holds(index)
            }
        case let .pausesLate(index):
            pauses += 1
            place = .holds(index)
        case let .holds(index):
            if !all[index].isOver {
                all[index].count -= 1
                place = resume(index)
            } else {
                place = .idle
            }
        case let .resumes(index):
            pauses -= 1
            if pauses < 0 { fault = "the subscription is resumed too often" }
            place = .looksAgain(index)
        case let .looksAgain(index):
            all[index].isResuming = false
            place = all[index].isOver ? .idle : omitted == .lookingAgain ? end(index) : resume(index)
        case let .takesOut(index, retries):
            if entry == index && omitted != .takingOut { entry = nil }
            place = retries ? .finds : .idle
        case let .ends(index):
            all[index].isOver = true
            place = .idle
        }
        threads[me].place = place
        check()
        return true
    }

    /// With the lock. Returns true if the subscription is to be paused later.
    private mutating func pause(_ index: Int) -> Bool {
        if all[index].isPaused || all[index].isOver { return false }
        all[index].isPaused = true
        if omitted == .pausingUnderLock { return true }
        pauses += 1
        return false
    }

    /// With the lock.
    private mutating func resume(_ index: Int) -> Place {
        if all[index].isResuming && omitted != .oneResumer { return .idle }
        if all[index].count == 0 && all[index].isPaused {
            all[index].isPaused = false
            all[index].isResuming = true
            return .resumes(index)
        }
        return end(index)
    }

    private mutating func end(_ index: Int) -> Place {
        if all[index].count > 0 { return .idle }
        all[index].isOver = true
        return .takesOut(index, retries: false)
    }

    private mutating func check() {
        if pauses > 2 { fault = "the subscription has more than two pauses" }
        if hasEnded || pauses > 0 { return }
        for thread in threads {
            if case .holds = thread.place { fault = "a subscription runs although it is held" }
        }
    }

    func faultAtEnd() -> String? {
        if entry != nil { return "an entry is left in the table" }
        return pauses > 0 && !hasEnded ? "a pause is left" : nil
    }
}
