/// The algorithm of `Listeners`: a section in which the list is read, a lock under which it is changed, a list of pending events.
///
/// Reading and changing the list take two steps each, so that they can be seen to overlap.
///
/// In the code (`scripts/models.py` compares):
/// - Section.enter: load relaxed → idle, enters
/// - Section.enter: compareExchange sequentiallyConsistent → idle, enters
/// - Section.enter: store relaxed → (callbacks that exited without returning)
/// - Section.leave: compareExchange acquiringAndReleasing → leaves
/// - Section.isFree: load sequentiallyConsistent → looksAtSection
/// - Section.noteWaiting: load relaxed → waits
/// - Section.noteWaiting: bitwiseOr sequentiallyConsistent → waits
/// - Section.noteWaiting: store relaxed → waits
/// - Section.noteWaiting: store relaxed → (callbacks that exited without returning)
/// - Section.offer: store sequentiallyConsistent → offers
/// - Section.takeOver: load acquiring → waits, takesOver
/// - Section.takeOver: store sequentiallyConsistent → waits, takesOver
/// - Section.takeOver: store relaxed → (callbacks that exited without returning)
/// - Section.leaveEmpty: store sequentiallyConsistent → takesLine
/// - Section.stayIfMine: load relaxed → (pauses, see PipePauseModel)
/// - Section.stayIfMine: bitwiseOr relaxed → (pauses, see PipePauseModel)
/// - Section.isKnownLeft: load relaxed → (callbacks that exited without returning)
/// - Section.isToBeLookedAt: load acquiring → (callbacks that exited without returning)
/// - Section.isLeft: load acquiring → (callbacks that exited without returning)
/// - Section.isLeft: load relaxed → (callbacks that exited without returning)
/// - Section.isLeft: bitwiseOr relaxed → (callbacks that exited without returning)
/// - Section.isLeft: compareExchange relaxed → (callbacks that exited without returning)
/// - Section.mark: compareExchange acquiringAndReleasing → (callbacks that exited without returning)
/// - SmallLock.tryLock: compareExchange sequentiallyConsistent → locks, waitsForLock, drains, offers, takesOver, locksInLine
/// - SmallLock.isFree: load sequentiallyConsistent → looksAtLock
/// - SmallLock.unlock: store releasing → unlocks, unlocksAndReads, takesLine, offers, takesOver
/// - SmallLock.unlock: load relaxed → (sleeping: Tests/weak)
/// - SmallLock.wake: exchange relaxed → (sleeping: Tests/weak)
/// - SmallLock.forget: store relaxed → (after a fork)
/// - SmallLock.sleepUntilLocked: load relaxed → (sleeping: Tests/weak)
/// - SmallLock.lockAfterSleep: store sequentiallyConsistent → (sleeping: Tests/weak)
/// - Listeners.phase: load relaxed → (the model has no closing and no pauses)
/// - Listeners.phase: store relaxed → (the model has no closing and no pauses)
struct ListenersModel: Interleaved {
    enum Act: Hashable {
        case put(Int)
        case fail(Int)
        case join(Int)
        case part(Int)
    }

    /// Which part of the algorithm is left out, to see that it is needed.
    enum Omission: Hashable { case nothing, lookAtLock, lookAtSection, waitingIsNoted, takingIsNoted, offerIsSeen }

    /// The place of a thread: its next step.
    enum Place: InterleavedPlace {
        case idle
        case looksAtLock(Int)
        case waitsForLock(Int)
        case reads(Int, then: After)
        case hasRead(Int, list: [Int], then: After)
        case leaves
        case locks(Act)
        case enters(Int)
        case looksAtSection(Act)
        case waits(Act)
        case unlocks(drains: Bool)
        case unlocksAndReads(Int)
        case changes(Act, then: After)
        case hasChanged(Act, then: After)
        case drains, takesLine, drainsNext
        case offers, takesOver
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
    private var members: Set<Int> = []
    private var isChanging = false
    private(set) var threads: [Thread]
    private var delivered: [[Int]] = []
    private(set) var fault: String?

    init(_ plan: [[Act]], without omitted: Omission = .nothing) {
        self.plan = plan
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) }
    }

    /// False when the thread has to wait.
    mutating func advance(_ me: Int) -> Bool {
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
            switch act {
            case let .put(value): thread.place = .enters(value)
            case .fail: thread.place = .waits(act)
            case let .join(listener):
                members.insert(listener)
                thread.place = .looksAtSection(act)
            case let .part(listener):
                thread.place = members.remove(listener) == nil ? .unlocks(drains: false) : .looksAtSection(act)
            }
        case let .enters(value):
            thread.place = word == 0 ? .unlocksAndReads(value) : .waits(.put(value))
            if word == 0 { word = 1 }
        case let .looksAtSection(act):
            thread.place = word == 0 || omitted == .lookAtSection ? .changes(act, then: .unlock) : .waits(act)
        case let .waits(act):
            line.append(act)
            let isFree = word == 0 || word == 2 && omitted != .offerIsSeen
            thread.place = .unlocks(drains: isFree)
            if omitted != .waitingIsNoted || isFree { word = 3 }
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
            switch act {
            case .put: break
            case let .join(listener): list.append(listener)
            case let .part(listener):
                if !list.contains(listener) && omitted == .takingIsNoted {
                    fault = "who is no longer in the list is taken out of it"
                }
                list.removeAll { $0 == listener }
            case let .fail(value):
                delivered.append([value] + list)
                members.subtract(list)
                list = []
            }
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
                thread.place = .offers
                break
            }
            let act = thread.taken.removeFirst()
            if case let .put(value) = act {
                thread.place = .reads(value, then: .drainNext)
            } else {
                thread.place = .locksInLine(act)
            }
        // (After each round; in the list itself after many.)
        case .offers:
            if holder != nil { return false }
            word = 2
            thread.place = .takesOver
        case .takesOver:
            if holder != nil { return false }
            thread.place = word == 2 ? .drains : .idle
            if word == 2 { word = 3 }
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
        if !members.isSuperset(of: list) || !members.isSubset(of: list) {
            return "\(list) are in the list, \(members) should be"
        }
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
                case let .put(value), let .fail(value):
                    mine.append(value)
                    guard let told = delivered.firstIndex(where: { $0[0] == value }),
                        delivered.lastIndex(where: { $0[0] == value }) == told
                    else {
                        return "\(value) was not delivered once"
                    }
                    let listeners = Set(delivered[told].dropFirst())
                    let failed = failed(before: told)
                    if !joined.isSubset(of: listeners.union(failed)) {
                        return "\(value) has missed one of \(joined): \(listeners)"
                    }
                    if !parted.union(failed).isDisjoint(with: listeners) {
                        return "\(value) has reached one of \(parted), \(failed): \(listeners)"
                    }
                }
            }
            let order = delivered.map { $0[0] }.filter(mine.contains)
            if order != mine { return "\(order) came instead of \(mine)" }
        }
        return nil
    }

    /// Whose runs had ended by then.
    private func failed(before place: Int) -> Set<Int> {
        delivered[..<place].reduce(into: []) { if isFailure($1[0]) { $0.formUnion($1.dropFirst()) } }
    }

    private func isFailure(_ value: Int) -> Bool { plan.contains { $0.contains(.fail(value)) } }
}
