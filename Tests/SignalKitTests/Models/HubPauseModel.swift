@testable import SignalKitCore

/// The pauses of a hub (`HubCore.pause`, `resume` and `store`): two stages below pause it, while its sources come, end
/// and are paused for a value that waits for the section (`Inlet.enqueue`). Each step is a section of the hub's lock, or
/// a call of one source.
///
/// In the code (`scripts/models.py` compares):
/// - Subscription.addPause: wrappingAdd relaxed → pauses
/// - Subscription.takePause: wrappingSubtract relaxed → takes
/// - Subscription.flags: load acquiring → (part of a step under the lock)
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → (part of a step under the lock)
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → (part of a step under the lock)
struct HubPauseModel: Interleaved {
    enum Act: Hashable {
        /// Pauses the hub and resumes it.
        case hold
        /// The source with this index comes, is paused for a pending value and resumed, and ends if the flag is set.
        case come(Int, ends: Bool)
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// The pauses of the hub are one bit.
        case count
        /// A source that comes is not paused.
        case pausingNewSources
        /// The sources are resumed as they are after unlocking.
        case copyingSources
    }

    enum Place: InterleavedPlace {
        case idle
        case pauses, takes
        case resumes([Int])
        case resumesLate(Int)
        case handles(Int)
        case resumesOne(Int)
        case ends(Int)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        var ends = false
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    private(set) var fault: String?
    private var pauses = 0
    /// The pauses of each source, and whether it is in the hub.
    private var sources: [Int]
    private var isPresent: [Bool]

    init(_ plan: [[Act]], sources: Int, without omitted: Omission? = nil) {
        self.omitted = omitted
        self.sources = Array(repeating: 0, count: sources)
        isPresent = Array(repeating: false, count: sources)
        threads = plan.map { Thread(todo: $0) }
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch thread.place {
        case .idle: begin(&thread)
        case .pauses:
            pauses = omitted == .count ? 1 : pauses + 1
            if pauses == 1 {
                for index in sources.indices where isPresent[index] { sources[index] += 1 }
            }
            thread.place = .takes
        case .takes:
            pauses -= 1
            if pauses < 0 { fault = "the hub is resumed too often" }
            let paused = pauses == 0 ? sources.indices.filter { isPresent[$0] } : []
            thread.place =
                paused.isEmpty ? .idle : omitted == .copyingSources ? .resumesLate(0) : .resumes(paused)
        case let .resumes(paused):
            resume(paused[0])
            thread.place = paused.count == 1 ? .idle : .resumes(Array(paused.dropFirst()))
        case let .resumesLate(index):
            if isPresent[index] { resume(index) }
            thread.place = index + 1 == sources.count ? .idle : .resumesLate(index + 1)
        case let .handles(index):
            thread.place = .resumesOne(index)
        case let .resumesOne(index):
            resume(index)
            thread.place = thread.ends ? .ends(index) : .idle
        case let .ends(index):
            isPresent[index] = false
            thread.place = .idle
        }
        threads[me] = thread
        check()
        return true
    }

    private mutating func begin(_ thread: inout Thread) {
        switch thread.todo.removeFirst() {
        case .hold: thread.place = .pauses
        case let .come(index, ends):
            isPresent[index] = true
            if pauses > 0 && omitted != .pausingNewSources { sources[index] += 1 }
            // Its first value has to wait for the section.
            sources[index] += 1
            thread.ends = ends
            thread.place = .handles(index)
        }
    }

    private mutating func resume(_ index: Int) {
        sources[index] -= 1
        if sources[index] < 0 { fault = "a source is resumed too often" }
    }

    private mutating func check() {
        if pauses == 0 { return }
        for index in sources.indices where isPresent[index] && sources[index] == 0 {
            fault = "a source of a paused hub runs"
        }
    }

    func faultAtEnd() -> String? {
        if pauses != 0 { return "a pause of the hub is left" }
        for index in sources.indices where isPresent[index] && sources[index] != 0 { return "a pause is left" }
        return nil
    }
}
