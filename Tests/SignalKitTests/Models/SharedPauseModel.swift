@testable import SignalKitCore

/// The pauses of a shared source (`Listeners.addPause`, `takePause`, `prepare`): listeners that a stage below pauses and
/// resumes, listeners that leave while they are paused, and the source, which comes late and can be replaced (by a
/// promise). Each step is a section of the list's lock, or a call of the source.
///
/// In the code (`scripts/models.py` compares):
/// - Subscription.addPause: wrappingAdd relaxed → pauses
/// - Subscription.takePause: wrappingSubtract relaxed → takes
/// - Subscription.flags: load acquiring → pauses
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → leaves
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → (the arrival, see ListenersModel)
struct SharedPauseModel: Interleaved {
    enum Act: Hashable {
        /// Pauses a listener and resumes it.
        case hold(Int)
        /// Pauses a listener, which then leaves.
        case leave(Int)
        /// A listener leaves.
        case dispose(Int)
        /// A source comes, in place of the one before.
        case come(Int)
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// The list has one bit for all listeners.
        case count
        /// The source is paused after unlocking.
        case pausingUnderLock
        /// A source that comes is not paused.
        case pausingNewSource
        /// A source that comes has the pause of the one before, as far as the list knows.
        case forgettingOldSource
        /// The source is resumed that is there after unlocking.
        case copyingSource
        /// A listener that leaves keeps its pause.
        case returning
        /// The pause of a listener that has left counts.
        case lookingForEnd
        /// Several threads may resume at once.
        case oneResumer
        /// The thread that has resumed does not look whether the last pause went in the meantime.
        case lookingAgain
    }

    enum Place: InterleavedPlace {
        case idle
        case pauses(Int)
        case pausesLate(Int, source: Int)
        case leaves(Int)
        case takes(Int)
        case resumes(Int?)
        case resumesLate, looksAgain
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        var leaves = false
    }

    private struct Listener: Hashable {
        var pauses = 0
        var hasLeft = false, isCounted = false
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var listeners: [Listener]
    private var paused = 0
    private var isSourcePaused = false, isResuming = false
    private var source: Int?
    /// The pauses of each source.
    private var sources: [Int]

    init(_ plan: [[Act]], listeners: Int, sources: Int, without omitted: Omission? = nil) {
        self.omitted = omitted
        self.listeners = Array(repeating: Listener(), count: listeners)
        self.sources = Array(repeating: 0, count: sources)
        threads = plan.map { Thread(todo: $0) }
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch thread.place {
        case .idle: begin(&thread)
        case let .pauses(index):
            thread.place = thread.leaves ? .leaves(index) : .takes(index)
            listeners[index].pauses += 1
            if listeners[index].pauses == 1 && (!listeners[index].hasLeft || omitted == .lookingForEnd),
                let source = count(index)
            {
                thread.place = .pausesLate(index, source: source)
            }
        case let .pausesLate(index, source):
            sources[source] += 1
            thread.place = thread.leaves ? .leaves(index) : .takes(index)
        case let .leaves(index):
            // A stage that is disposed resumes nothing. Only the first end returns the pauses.
            thread.place = omitted == .returning || listeners[index].hasLeft ? .idle : uncount(index)
            listeners[index].hasLeft = true
        case let .takes(index):
            listeners[index].pauses -= 1
            thread.place = listeners[index].pauses == 0 ? uncount(index) : .idle
        case let .resumes(source):
            if let source { resume(source) }
            thread.place = .looksAgain
        case .resumesLate:
            if let source { resume(source) }
            thread.place = .looksAgain
        case .looksAgain:
            isResuming = false
            thread.place = omitted == .lookingAgain ? .idle : resume()
        }
        threads[me] = thread
        check()
        return true
    }

    private mutating func begin(_ thread: inout Thread) {
        switch thread.todo.removeFirst() {
        case let .hold(index):
            thread.leaves = false
            thread.place = .pauses(index)
        case let .leave(index):
            thread.leaves = true
            thread.place = .pauses(index)
        case let .dispose(index): thread.place = .leaves(index)
        case let .come(index):
            source = index
            if omitted == .pausingNewSource { return }
            if omitted != .forgettingOldSource || paused > 0 { isSourcePaused = paused > 0 }
            if paused > 0 { sources[index] += 1 }
        }
    }

    /// With the lock. Returns the source if it is to be paused later.
    private mutating func count(_ index: Int) -> Int? {
        listeners[index].isCounted = true
        paused = omitted == .count ? 1 : paused + 1
        if isSourcePaused { return nil }
        isSourcePaused = true
        guard let source else { return nil }
        if omitted == .pausingUnderLock { return source }
        sources[source] += 1
        return nil
    }

    /// With the lock.
    private mutating func uncount(_ index: Int) -> Place {
        if !listeners[index].isCounted { return .idle }
        listeners[index].isCounted = false
        paused -= 1
        return resume()
    }

    /// With the lock.
    private mutating func resume() -> Place {
        if paused != 0 || !isSourcePaused || isResuming && omitted != .oneResumer { return .idle }
        isSourcePaused = false
        isResuming = true
        return omitted == .copyingSource ? .resumesLate : .resumes(source)
    }

    private mutating func resume(_ index: Int) {
        sources[index] -= 1
        if sources[index] < 0 { fault = "a source is resumed too often" }
    }

    private mutating func check() {
        if paused < 0 { fault = "the list is resumed too often" }
        if sources.contains(where: { $0 > 2 }) { fault = "a source has more than two pauses" }
        guard let source, omitted != .pausingUnderLock else { return }
        if sources[source] == 0 && listeners.contains(where: { $0.isCounted && !$0.hasLeft }) {
            fault = "the source runs although a listener is paused"
        }
    }

    func faultAtEnd() -> String? {
        if paused != 0 { return "a pause of the list is left" }
        // A source that was replaced is disposed, also if it is paused.
        if let source, sources[source] != 0 { return "a pause of the source is left" }
        return nil
    }
}
