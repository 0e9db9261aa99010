/// The algorithm of `Serial`, with a hub's loop around it.
///
/// A plan gives each thread its events; a negative one is an event that returns a step, so that the holder leaves the section, performs
/// (one operation of the model), and resumes. Checked in every state: at most one thread is inside. Checked at each end: every event was
/// handled once, those of a thread in their order, and the section is free and empty.
struct SerialModel: Interleaved {
    /// Where a thread is: the next atomic operation that it does.
    enum Place: InterleavedPlace {
        case idle
        case enter, enterLooksAtBacklog, enterSteps
        case waitLoads, waitSwaps(seen: Word)
        case handles(Int)
        case drainLooksAtBacklog, drainLeaves, takes
        case stepsOutside(then: After)
        case performs
        case resumes, resumeLooksAtBacklog, resumeLooksAgain
    }

    enum After: Hashable { case wait, perform, lookAgain }

    /// What `Serial.word` holds: free, or taken with the events that wait, the newest first.
    enum Word: Hashable { case free, taken([Int]) }

    struct Thread: InterleavedThread {
        var todo: [Int]
        var place = Place.idle
        var isInside = false
    }

    var word = Word.free
    var backlog: [Int] = []
    var threads: [Thread]
    var handled: [Int] = []
    var fault: String?

    private let plan: [[Int]]
    /// Whether `resume` looks again at what has come while it stepped outside, as it has to.
    private let looksAgain: Bool

    init(_ plan: [[Int]], looksAgain: Bool = true) {
        self.plan = plan
        self.looksAgain = looksAgain
        threads = plan.map { Thread(todo: $0) }
    }

    func advanced(_ thread: Int) -> SerialModel? {
        var next = self
        next.advance(thread)
        if next.threads.filter(\.isInside).count > 1 { next.fault = "two threads are inside" }
        return next
    }

    func faultAtEnd() -> String? {
        if word != .free || !backlog.isEmpty { return "something waits at the end: \(self)" }
        for events in plan {
            let mine = handled.filter { events.contains($0) }
            if mine != events { return "\(mine) was handled instead of \(events)" }
        }
        return nil
    }

    private mutating func advance(_ index: Int) {
        var thread = threads[index]
        switch thread.place {
        case .idle:
            thread.place = .enter

        // enter()
        case .enter:
            if word == .free {
                word = .taken([])
                thread.isInside = true
                thread.place = .enterLooksAtBacklog
            } else {
                thread.place = .waitLoads
            }
        case .enterLooksAtBacklog:
            thread.place = backlog.isEmpty ? .handles(thread.todo.removeFirst()) : .enterSteps
        case .enterSteps:
            step(&thread, .wait)

        // wait(event)
        case .waitLoads:
            thread.place = .waitSwaps(seen: word)
        case let .waitSwaps(seen):
            if seen != word {
                thread.place = .waitSwaps(seen: word)
            } else {
                let event = thread.todo.removeFirst()
                switch word {
                case .free:
                    word = .taken([event])
                    thread.isInside = true
                    thread.place = .drainLooksAtBacklog
                case let .taken(waiting):
                    word = .taken([event] + waiting)
                    thread.place = .idle
                }
            }

        // In the section
        case let .handles(event):
            handled.append(event)
            thread.place = event < 0 ? .stepsOutside(then: .perform) : .drainLooksAtBacklog
        case .drainLooksAtBacklog:
            thread.place = backlog.isEmpty ? .drainLeaves : .takes
        case .drainLeaves:
            if word == .taken([]) {
                word = .free
                thread.isInside = false
                thread.place = .idle
            } else {
                thread.place = .takes
            }
        case .takes:
            if backlog.isEmpty { collect() }
            if backlog.isEmpty { fault = "nothing to take" } else { thread.place = .handles(backlog.removeFirst()) }

        case let .stepsOutside(after):
            step(&thread, after)
        case .performs:
            thread.place = .resumes

        // resume()
        case .resumes:
            if word == .free {
                word = .taken([])
                thread.isInside = true
                thread.place = .resumeLooksAtBacklog
            } else {
                thread.place = .idle
            }
        case .resumeLooksAtBacklog:
            thread.place = backlog.isEmpty ? .stepsOutside(then: .lookAgain) : .drainLooksAtBacklog
        case .resumeLooksAgain:
            thread.place = backlog.isEmpty || !looksAgain ? .idle : .resumes
        }
        threads[index] = thread
    }

    /// One round of `stepOutside`: leaves, or collects and stays for the next round.
    private mutating func step(_ thread: inout Thread, _ after: After) {
        guard word == .taken([]) else { return collect() }
        word = .free
        thread.isInside = false
        switch after {
        case .wait: thread.place = .waitLoads
        case .perform: thread.place = .performs
        case .lookAgain: thread.place = .resumeLooksAgain
        }
    }

    private mutating func collect() {
        guard case let .taken(waiting) = word else { return fault = "collects a free section" }
        word = .taken([])
        backlog += waiting.reversed()
    }
}
