/// The algorithm of `Listeners`: a section in which the list is read, a lock under which it is changed, a line for what has to wait.
///
/// Reading and changing the list take two steps each, so that they can be seen to overlap.
struct ListenersModel: Interleaved {
    enum Act: Hashable { case put(Int), join(Int), part(Int) }

    /// Which part of the algorithm is left out, to see that it is needed.
    enum Omission: Hashable { case nothing, lookAtLock, lookAtSection, waitingIsNoted }

    /// Where a thread is: what it does next.
    enum Place: InterleavedPlace {
        case idle
        case looksAtLock(Int), waitsForLock(Int)
        case reads(Int, then: After), hasRead(Int, list: [Int], then: After)
        case leaves
        case locks(Act), enters(Int), looksAtSection(Act), waits(Act), unlocks(drains: Bool), unlocksAndReads(Int)
        case changes(Act, then: After), hasChanged(Act, then: After)
        case drains, takesLine, drainsNext
        case locksInLine(Act)
    }

    enum After: Hashable { case leave, unlock, drainNext, unlockAndDrainNext }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
        var taken: [Act] = []
    }

    private let plan: [[Act]]
    private let omitted: Omission
    private var word = 0
    private var holder: Int?
    private var line: [Act] = []
    private var list: [Int] = []
    private var isChanging = false
    private(set) var threads: [Thread]
    private var delivered: [[Int]] = []
    private(set) var fault: String?

    init(_ plan: [[Act]], without omitted: Omission = .nothing) {
        self.plan = plan
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) }
    }

    func advanced(_ index: Int) -> ListenersModel? {
        var next = self
        return next.advance(index) ? next : nil
    }

    /// False when the thread has to wait.
    private mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch thread.place {
        case .idle:
            let act = thread.todo.removeFirst()
            guard case let .put(value) = act else {
                thread.place = .locks(act)
                break
            }
            thread.place = word == 0 ? .looksAtLock(value) : .locks(act)
            if word == 0 { word = 1 }

        // put, the short way
        case let .looksAtLock(value):
            thread.place = holder == nil || omitted == .lookAtLock ? .reads(value, then: .leave) : .waitsForLock(value)
        case let .waitsForLock(value):
            if holder != nil { return false }
            thread.place = .reads(value, then: .leave)
        case let .reads(value, after):
            if isChanging { fault = "the list is read while it is changed" }
            thread.place = .hasRead(value, list: list, then: after)
        case let .hasRead(value, before, after):
            if list != before { fault = "the list was changed while it was read" }
            delivered.append([value] + before)
            thread.place = follow(after)
        case .leaves:
            thread.place = word == 1 ? .idle : .drains
            if word == 1 { word = 0 }

        // Under the lock
        case let .locks(act):
            if holder != nil { return false }
            holder = me
            if case let .put(value) = act { thread.place = .enters(value) } else { thread.place = .looksAtSection(act) }
        case let .enters(value):
            thread.place = word == 0 ? .unlocksAndReads(value) : .waits(.put(value))
            if word == 0 { word = 1 }
        case let .looksAtSection(act):
            thread.place = word == 0 || omitted == .lookAtSection ? .changes(act, then: .unlock) : .waits(act)
        case let .waits(act):
            line.append(act)
            thread.place = .unlocks(drains: word == 0)
            if omitted != .waitingIsNoted || word == 0 { word = 3 }
        case let .unlocks(drains):
            holder = nil
            thread.place = drains ? .drains : .idle
        case let .unlocksAndReads(value):
            holder = nil
            thread.place = .reads(value, then: .leave)
        case let .changes(act, after):
            isChanging = true
            thread.place = .hasChanged(act, then: after)
        case let .hasChanged(act, after):
            isChanging = false
            if case let .join(listener) = act { list.append(listener) }
            if case let .part(listener) = act { list.removeAll { $0 == listener } }
            if after != .unlock { holder = nil }
            thread.place = follow(after)

        // What waits
        case .drains:
            if holder != nil { return false }
            holder = me
            thread.place = .takesLine
        case .takesLine:
            swap(&line, &thread.taken)
            holder = nil
            thread.place = thread.taken.isEmpty ? .idle : .drainsNext
            if thread.taken.isEmpty { word = 0 }
        case .drainsNext:
            if thread.taken.isEmpty {
                thread.place = .drains
                break
            }
            let act = thread.taken.removeFirst()
            if case let .put(value) = act { thread.place = .reads(value, then: .drainNext) } else { thread.place = .locksInLine(act) }
        case let .locksInLine(act):
            if holder != nil { return false }
            holder = me
            thread.place = .changes(act, then: .unlockAndDrainNext)
        }
        threads[me] = thread
        return true
    }

    private func follow(_ after: After) -> Place {
        switch after {
        case .leave: return .leaves
        case .unlock: return .unlocks(drains: false)
        case .drainNext, .unlockAndDrainNext: return .drainsNext
        }
    }

    func faultAtEnd() -> String? {
        if word != 0 || holder != nil || !line.isEmpty { return "something waits at the end: \(self)" }
        for acts in plan {
            var mine: [Int] = []
            var joined: Set<Int> = []
            var parted: Set<Int> = []
            for act in acts {
                switch act {
                case let .join(listener): joined.insert(listener)
                case let .part(listener):
                    joined.remove(listener)
                    parted.insert(listener)
                case let .put(value):
                    mine.append(value)
                    let told = delivered.filter { $0[0] == value }
                    if told.count != 1 { return "\(value) was delivered \(told.count) times" }
                    if !joined.isSubset(of: told[0].dropFirst()) { return "\(value) has missed one of \(joined): \(told)" }
                    if !parted.isDisjoint(with: told[0].dropFirst()) { return "\(value) has reached one of \(parted): \(told)" }
                }
            }
            let order = delivered.map { $0[0] }.filter(mine.contains)
            if order != mine { return "\(order) came instead of \(mine)" }
        }
        return nil
    }
}
