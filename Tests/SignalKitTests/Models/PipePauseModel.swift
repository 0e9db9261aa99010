@testable import SignalKitCore

/// The pauses of a pipe (`Listeners.addPause`, `takePause`, `onResume`): threads that send values, listeners that a stage below
/// pauses and resumes, listeners that leave, and the end. A thread that learns of a pause waits for the resumption.
///
/// In the code (`scripts/models.py` compares):
/// - Listeners.phase: load relaxed → idle, leaves, reports, waits
/// - Listeners.phase: store relaxed → counts, takes, returns, idle
/// - Subscription.addPause: wrappingAdd relaxed → adds
/// - Subscription.takePause: wrappingSubtract relaxed → takes
/// - Subscription.flags: load acquiring → counts
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → idle
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → (the arrival, see ListenersModel)
struct PipePauseModel: Interleaved {
    enum Act: Hashable {
        /// Sends a value, which pauses a listener with this index. Waits for the resumption if its call reports a pause.
        case send(Int)
        /// Takes the pause of a listener back.
        case resume(Int)
        /// The listener leaves.
        case leave(Int)
        /// The pipe ends.
        case end
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// A thread looks whether the pipe is paused, and waits after unlocking.
        case waitingUnderLock
        /// The waiting threads are taken after unlocking.
        case takingUnderLock
        /// A pause from inside a delivery does not keep the thread from leaving the section.
        case staying
        /// A listener that leaves keeps its pause.
        case returning
        /// The pause of a listener that has left counts.
        case lookingForEnd
        /// The end of the pipe tells nobody.
        case tellingOfEnd
    }

    enum Place: InterleavedPlace {
        case idle
        // Sending
        case adds(Int, put: Bool)
        case counts(Int, put: Bool)
        case leaves(Int, put: Bool)
        case reports
        case waits
        case waitsBlindly
        // Resuming
        case takes(Int)
        case takesWaiting
        case returns(Int)
        case calls(Int)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        var stays = false
    }

    private struct Listener: Hashable {
        var pauses = 0
        var hasLeft = false
        var isCounted = false
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var listeners: [Listener]
    private var inside: Int?
    private var holder: Int?
    private var paused = 0, waiting = 0, promised = 0, called = 0
    private var isMarked = false, hasEnded = false

    init(_ plan: [[Act]], listeners: Int, without omitted: Omission? = nil) {
        self.omitted = omitted
        self.listeners = Array(repeating: Listener(), count: listeners)
        threads = plan.map { Thread(todo: $0) }
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch (thread.place, thread.todo.first) {
        case (.idle, .send): if inside != nil { return false }
        // A stage resumes only what it has paused.
        case (.idle, let .resume(index)): if listeners[index].pauses == 0 && !listeners[index].hasLeft { return false }
        case (.idle, .end), (.adds, _), (.waits, _), (.waitsBlindly, _), (.takes, _), (.takesWaiting, _),
            (.returns, _):
            if holder != nil { return false }
        default: break
        }
        switch thread.place {
        case .idle: begin(&thread, me)
        // A delivery in the section. The stage below pauses the listener, which may have left.
        case let .adds(index, put):
            holder = me
            listeners[index].pauses += 1
            thread.place = .counts(index, put: put)
        case let .counts(index, put):
            if listeners[index].pauses == 1 && (!listeners[index].hasLeft || omitted == .lookingForEnd) {
                listeners[index].isCounted = true
                paused += 1
                isMarked = !hasEnded
                thread.stays = omitted != .staying
            }
            holder = nil
            thread.place = .leaves(index, put: put)
        case let .leaves(index, put):
            inside = nil
            if thread.stays {
                thread.place = .reports
            } else {
                let reports = put && isMarked
                if !reports && listeners[index].isCounted && !hasEnded { fault = "the call does not report the pause" }
                thread.place = reports ? .waits : .idle
            }
            thread.stays = false
        case .reports: thread.place = isMarked ? .waits : .idle
        case .waits:
            promised += 1
            if !isMarked {
                called += 1
                thread.place = .idle
            } else if omitted == .waitingUnderLock {
                thread.place = .waitsBlindly
            } else {
                waiting += 1
                thread.place = .idle
            }
        case .waitsBlindly:
            waiting += 1
            thread.place = .idle

        case let .takes(index):
            listeners[index].pauses -= 1
            thread.place = listeners[index].pauses == 0 ? uncount(index) : .idle
        case let .returns(index): thread.place = uncount(index)
        case .takesWaiting: thread.place = takeWaiting()
        case let .calls(count):
            called += count
            thread.place = .idle
        }
        threads[me] = thread
        return true
    }

    private mutating func begin(_ thread: inout Thread, _ me: Int) {
        switch thread.todo.removeFirst() {
        case let .send(index):
            inside = me
            thread.place = .adds(index, put: isMarked)
        case let .resume(index): thread.place = .takes(index)
        case let .leave(index):
            listeners[index].hasLeft = true
            if listeners[index].pauses > 0 && omitted != .returning { thread.place = .returns(index) }
        case .end:
            hasEnded = true
            isMarked = false
            if omitted != .tellingOfEnd { thread.place = takeWaiting() }
        }
    }

    /// With the lock.
    private mutating func uncount(_ index: Int) -> Place {
        if !listeners[index].isCounted { return .idle }
        listeners[index].isCounted = false
        paused -= 1
        if paused > 0 { return .idle }
        isMarked = false
        return omitted == .takingUnderLock ? .takesWaiting : takeWaiting()
    }

    private mutating func takeWaiting() -> Place {
        if paused > 0 && !hasEnded { fault = "a thread is called during a pause" }
        defer { waiting = 0 }
        return waiting > 0 ? .calls(waiting) : .idle
    }

    func faultAtEnd() -> String? {
        if called != promised { return "\(promised - called) threads were not called" }
        if paused != 0 { return "a pause is left" }
        return isMarked ? "the list is marked without a pause" : nil
    }
}
