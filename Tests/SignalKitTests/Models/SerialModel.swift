/// The algorithm of `Serial`, with a hub's loop around it.
///
/// A plan gives each thread its events; a negative one is an event that leaves a step: the holder leaves the section, performs (one operation
/// of the model), and comes back with an event that follows from it. Checked in every state: at most one thread is inside. Checked at each end:
/// every event was handled once, those of a thread in their order, and the section is free and empty.
///
/// In the code (`scripts/models.py` compares):
/// - Serial.enter: compareExchange sequentiallyConsistent → enters
/// - Serial.enqueue: load relaxed → waitLoads
/// - Serial.enqueue: weakCompareExchange acquiringAndReleasing/relaxed → waitSwaps
/// - Serial.leave: compareExchange acquiringAndReleasing → leaves
/// - Serial.stepOutside: compareExchange acquiringAndReleasing → stepsOutside
/// - Serial.collect: exchange acquiringAndReleasing → collects
/// - Serial.deinit: load relaxed → (nobody else is there)
struct SerialModel: Interleaved {
    /// The place of a thread: its next atomic operation.
    enum Place: InterleavedPlace {
        case idle
        case enters
        case waitLoads
        case waitSwaps(seen: Word)
        case handles(Int)
        case leaves, collects
        case stepsOutside(from: Int)
        case performs(Int)
    }

    /// The values of `Serial.word`: free, with the events that were left, the oldest first; or taken, with the pending
    /// events, the newest first, followed by the events that were left.
    enum Word: Hashable {
        case free([Int])
        case taken([Int], over: [Int])
    }

    struct Thread: InterleavedThread {
        var todo: [Int]
        var place = Place.idle
        var isInside = false
        /// The events that the holder has collected, the oldest first.
        var backlog: [Int] = []
    }

    var word = Word.free([])
    var threads: [Thread]
    var handled: [Int] = []
    var fault: String?

    private let plan: [[Int]]
    /// Whether a thread that finds the section free keeps the events that were left there, as it must.
    private let keepsWhatWasLeft: Bool

    init(_ plan: [[Int]], keepsWhatWasLeft: Bool = true) {
        self.plan = plan
        self.keepsWhatWasLeft = keepsWhatWasLeft
        threads = plan.map { Thread(todo: $0) }
    }

    func faultAtEnd() -> String? {
        if word != .free([]) || threads.contains(where: { !$0.backlog.isEmpty }) {
            return "something waits at the end: \(self)"
        }
        for events in plan {
            let mine = handled.filter { events.contains($0) }
            if mine != events { return "\(mine) was handled instead of \(events)" }
            for event in events where event < 0 {
                if handled.filter({ $0 == Self.follower(of: event) }).count != 1 {
                    return "what follows from \(event) was not handled once"
                }
            }
        }
        return nil
    }

    private static func follower(of event: Int) -> Int { 1000 - event }

    mutating func advance(_ index: Int) -> Bool {
        var thread = threads[index]
        switch thread.place {
        case .idle:
            thread.place = .enters

        // enter()
        case .enters:
            if word == .free([]) {
                word = .taken([], over: [])
                thread.isInside = true
                thread.place = .handles(thread.todo.removeFirst())
            } else {
                thread.place = .waitLoads
            }

        // enqueue(event)
        case .waitLoads:
            thread.place = .waitSwaps(seen: word)
        case let .waitSwaps(seen):
            if seen != word {
                thread.place = .waitSwaps(seen: word)
            } else {
                let event = thread.todo.removeFirst()
                switch word {
                case let .free(left):
                    word = .taken([event], over: keepsWhatWasLeft ? left : [])
                    thread.isInside = true
                    thread.place = .leaves
                case let .taken(waiting, left):
                    word = .taken([event] + waiting, over: left)
                    thread.place = .idle
                }
            }

        // In the section
        case let .handles(event):
            handled.append(event)
            thread.place =
                event < 0
                ? .stepsOutside(from: event) : thread.backlog.isEmpty ? .leaves : .handles(thread.backlog.removeFirst())
        case .leaves:
            if word == .taken([], over: []) {
                word = .free([])
                thread.isInside = false
                thread.place = .idle
            } else {
                thread.place = .collects
            }
        case .collects:
            collect(&thread)
            if thread.backlog.isEmpty {
                fault = "nothing to take"
            } else {
                thread.place = .handles(thread.backlog.removeFirst())
            }

        // stepOutside(): leaves, or collects and tries again
        case let .stepsOutside(event):
            if word == .taken([], over: []) {
                word = .free(thread.backlog)
                thread.backlog = []
                thread.isInside = false
                thread.place = .performs(event)
            } else {
                collect(&thread)
            }
        case let .performs(event):
            thread.todo.insert(Self.follower(of: event), at: 0)
            thread.place = .enters
        }
        threads[index] = thread
        if threads.filter(\.isInside).count > 1 { fault = "two threads are inside" }
        return true
    }

    private mutating func collect(_ thread: inout Thread) {
        guard case let .taken(waiting, left) = word else { return fault = "collects a free section" }
        if !left.isEmpty && !thread.backlog.isEmpty { fault = "two backlogs" }
        word = .taken([], over: [])
        thread.backlog = left + thread.backlog + waiting.reversed()
    }
}
