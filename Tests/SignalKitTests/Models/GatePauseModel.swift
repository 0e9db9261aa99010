@testable import SignalKitCore

/// The pauses of a `Gate` (`pause`, `resume`, `onResume`): stages that pause it and resume it, generators that wait for
/// the resumption, and the end. The steps under its lock are one step here.
///
/// In the code (`scripts/models.py` compares):
/// - Gate.generatorReturned: store relaxed → (the lifetime, see GateModel)
/// - Gate.next: load relaxed → (the lifetime, see GateModel)
/// - Subscription.addPause: wrappingAdd relaxed → idle
/// - Subscription.takePause: wrappingSubtract relaxed → resumes
/// - Subscription.flags: load acquiring → takes, idle
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → idle
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → (the lifetime, see GateModel)
struct GatePauseModel: Interleaved {
    enum Act: Hashable {
        /// A stage pauses the gate, and takes the pause back.
        case pause
        /// The program pauses the gate until the end.
        case hold
        /// A generator waits, if there is a pause.
        case wait
        /// The subscription ends or is disposed.
        case end
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// A generator looks whether there is a pause, and registers itself after that.
        case lookingUnderLock
        /// The waiting generators are taken before the pause.
        case takingAfterwards
        /// The thread that resumes does not look for another pause.
        case lookingAgain
        /// The end calls nobody.
        case tellingOfEnd
    }

    enum Place: InterleavedPlace {
        case idle
        case resumes
        case takes(isEnd: Bool)
        case calls(Int)
        case registers
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var pauses = 0, waiting = 0, promised = 0, called = 0
    private var hasEnded = false

    init(_ plan: [[Act]], without omitted: Omission? = nil) {
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) }
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch thread.place {
        case .idle: thread.place = begin(thread.todo.removeFirst())
        case .resumes:
            pauses -= 1
            thread.place = pauses > 0 || omitted == .takingAfterwards ? .idle : .takes(isEnd: false)
        case let .takes(isEnd): thread.place = take(isEnd: isEnd)
        case let .calls(count):
            called += count
            thread.place = .idle
        case .registers:
            waiting += 1
            thread.place = .idle
        }
        threads[me] = thread
        return true
    }

    private mutating func begin(_ act: Act) -> Place {
        switch act {
        case .pause:
            pauses += 1
            return omitted == .takingAfterwards ? .takes(isEnd: false) : .resumes
        case .hold:
            pauses += 1
            return .idle
        case .wait:
            promised += 1
            if !isPaused {
                called += 1
                return .idle
            }
            if omitted == .lookingUnderLock { return .registers }
            waiting += 1
            return .idle
        case .end:
            hasEnded = true
            return omitted == .tellingOfEnd ? .idle : .takes(isEnd: true)
        }
    }

    private var isPaused: Bool { pauses > 0 && !hasEnded }

    private mutating func take(isEnd: Bool) -> Place {
        if !isEnd && isPaused && omitted != .takingAfterwards {
            if omitted != .lookingAgain { return .idle }
            if waiting > 0 { fault = "a generator is called during a pause" }
        }
        defer { waiting = 0 }
        if isEnd || omitted != .takingAfterwards { return waiting > 0 ? .calls(waiting) : .idle }
        called += waiting
        return .resumes
    }

    func faultAtEnd() -> String? {
        called == promised ? nil : "\(promised - called) generators were not called"
    }
}
