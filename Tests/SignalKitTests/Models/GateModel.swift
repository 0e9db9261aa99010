/// The lifetime of a `Gate`: calls by threads with a reference to the subscriber, which may be released during the call or elsewhere, and
/// disposals by threads with a reference to the gate.
///
/// In the code (`scripts/models.py` compares):
/// - Gate.generatorReturned: store relaxed → letsGeneratedGo
/// - Gate.next: load relaxed → idle
/// - CountedSubscription.enter: wrappingAdd acquiring → idle, disposes
/// - CountedSubscription.leave: wrappingSubtract acquiringAndReleasing → leavesHolding, leavesDisposed
/// - Subscription.addPause: wrappingAdd relaxed → (the pauses, see GatePauseModel)
/// - Subscription.takePause: wrappingSubtract relaxed → (the pauses, see GatePauseModel)
/// - Subscription.flags: load acquiring → leaves, looksForCalls, settles
/// - Subscription.raise: bitwiseOr sequentiallyConsistent → leavesDisposed, lastReturns, abandons
/// - Subscription.replaceFlags: weakCompareExchange acquiringAndReleasing/acquiring → swaps, handsOver, settles
struct GateModel: Interleaved {
    enum Act: Hashable {
        /// Puts a value and lets the reference to the subscriber go, inside the callback or after the call.
        case emit(letsGoInside: Bool)
        /// Puts a value, keeping the reference.
        case emitAndKeep
        /// Disposes, and lets the reference to the gate go.
        case dispose
        /// The actions of a generator on its thread: it emits a value, perhaps releasing the subscriber's reference
        /// inside; it returns.
        case generate(letsGoInside: Bool)
        case returnGenerated
    }

    enum Place: InterleavedPlace {
        case idle
        case calls(Act)
        case leaves
        case swaps(State)
        case retains, leavesHolding, releases
        case disposes, leavesDisposed
        case lastReturns(then: After)
        case settles(then: After)
        case letsOwedGo(then: After)
        case dropsSubscriber(then: After)
        case abandons(then: After)
        case looksForCalls(then: After)
        case handsOver(State, then: After)
        case takesBack(then: After)
        case dropsGate(then: After)
        case callsGenerated(letsGoInside: Bool)
        case letsGeneratedGo
    }

    indirect enum After: Hashable {
        case end, leave, release, dropGate
        case handOverToCalls(After)
    }

    struct State: Hashable {
        var terminated = false
        var released = false
        var owed = false
        var calls = 0
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private let handsOver: Bool
    private var state = State()
    /// References to the gate: the subscriber's, and one of each that disposes.
    private var references: Int
    private var subscribers: Int
    private var sinksReleased = 0
    /// Whether a generator runs, whose caller holds the gate and the stages below, unless it is left out that it holds these.
    private var isGenerating: Bool
    private let holdsSink: Bool
    private var delivered = 0
    private(set) var threads: [Thread]
    private(set) var fault: String?

    /// A plan in which a generator returns begins when it is called.
    /// - Parameters:
    ///   - handsOver: whether the reference of a released subscriber is transferred to the calls in flight, as it must be.
    ///   - holdsSink: whether the caller of a generator retains the downstream stages during the call, as it must.
    init(_ plan: [[Act]], handsOver: Bool = true, holdsSink: Bool = true) {
        self.handsOver = handsOver
        self.holdsSink = holdsSink
        threads = plan.map { Thread(todo: $0) }
        let acts = plan.joined()
        subscribers =
            acts.filter { act in
                if case .emit = act { return true } else { return act == .generate(letsGoInside: true) }
            }.count
        isGenerating = acts.contains(.returnGenerated)
        references = 1 + acts.filter { $0 == .dispose || $0 == .returnGenerated }.count
    }

    mutating func advance(_ me: Int) -> Bool {
        var thread = threads[me]
        switch thread.place {
        case .idle:
            switch thread.todo.removeFirst() {
            case .dispose: thread.place = .disposes
            case let .generate(letsGoInside):
                touch()
                let call = Place.callsGenerated(letsGoInside: letsGoInside)
                thread.place = state.terminated ? letsGoInside ? .dropsSubscriber(then: .end) : .idle : call
            case .returnGenerated: thread.place = .letsGeneratedGo
            case let act:
                touch()
                thread.place =
                    state.terminated
                    ? (act == .emit(letsGoInside: true) ? .dropsSubscriber(then: .leave) : .leaves) : .calls(act)
                state.calls += 1
                if case .emit(letsGoInside: false) = act { thread.todo.insert(.emit(letsGoInside: false), at: 0) }
            }

        // The generator's thread
        case let .callsGenerated(letsGoInside):
            if state.released && !(isGenerating && holdsSink) { fault = "called what was let go" }
            delivered += 1
            thread.place = letsGoInside ? .dropsSubscriber(then: .end) : .idle
        case .letsGeneratedGo:
            isGenerating = false
            thread.place = .dropsGate(then: .end)

        // A call without a reference to the gate
        case let .calls(act):
            if state.released { fault = "called what was let go" }
            delivered += 1
            thread.place = act == .emit(letsGoInside: true) ? .dropsSubscriber(then: .leave) : .leaves
        case .leaves:
            touch()
            thread.place = state.terminated ? .retains : .swaps(state)
        case let .swaps(seen):
            touch()
            if state != seen {
                thread.place = .leaves
            } else {
                state.calls -= 1
                thread.place = afterCall(&thread)
            }
        case .retains:
            touch()
            references += 1
            thread.place = .leavesHolding
        case .leavesHolding:
            touch()
            state.calls -= 1
            thread.place = state.terminated && state.calls == 0 ? .lastReturns(then: .release) : .releases
        case .releases:
            release()
            thread.place = afterCall(&thread)

        // Disposal, with a reference
        case .disposes:
            touch()
            state.calls += 1
            thread.place = .leavesDisposed
        case .leavesDisposed:
            touch()
            if !state.terminated {
                state.terminated = true
                break
            }
            state.calls -= 1
            thread.place = state.calls == 0 ? .lastReturns(then: .dropGate) : .dropsGate(then: .end)

        // The last one out
        case let .lastReturns(after):
            touch()
            if !state.released { sinksReleased += 1 }
            state.released = true
            thread.place = .settles(then: after)
        case let .settles(after):
            touch()
            if state.owed && state.calls == 0 {
                state.owed = false
                thread.place = .letsOwedGo(then: after)
            } else {
                thread.place = follow(after)
            }
        case let .letsOwedGo(after):
            release()
            thread.place = follow(after)

        // The subscriber goes
        case let .dropsSubscriber(after):
            subscribers -= 1
            thread.place = subscribers == 0 ? .abandons(then: after) : follow(after)
        case let .abandons(after):
            touch()
            let isLast = !state.terminated && state.calls == 0
            state.terminated = true
            thread.place = isLast ? .lastReturns(then: .handOverToCalls(after)) : .looksForCalls(then: after)
        case let .looksForCalls(after):
            touch()
            if state.calls == 0 || !handsOver {
                thread.place = .dropsGate(then: after)
            } else {
                references += 1
                thread.place = .handsOver(state, then: after)
            }
        case let .handsOver(seen, after):
            touch()
            if state == seen {
                state.owed = true
                thread.place = .dropsGate(then: after)
            } else {
                thread.place = state.calls > 0 ? .handsOver(state, then: after) : .takesBack(then: after)
            }
        case let .takesBack(after):
            release()
            thread.place = .dropsGate(then: after)
        case let .dropsGate(after):
            release()
            thread.place = follow(after)
        }
        threads[me] = thread
        return true
    }

    private func afterCall(_ thread: inout Thread) -> Place {
        if thread.todo.first == .emit(letsGoInside: false) {
            thread.todo.removeFirst()
            return .dropsSubscriber(then: .end)
        }
        return .idle
    }

    private func follow(_ after: After) -> Place {
        switch after {
        case .end: return .idle
        case .leave: return .leaves
        case .release: return .releases
        case .dropGate: return .dropsGate(then: .end)
        case let .handOverToCalls(next): return .looksForCalls(then: next)
        }
    }

    private mutating func touch() {
        if references == 0 { fault = "touched after it was freed" }
    }

    private mutating func release() {
        touch()
        references -= 1
    }

    func faultAtEnd() -> String? {
        if references != 0 || subscribers != 0 { return "\(references) references are left" }
        if state.calls != 0 || sinksReleased != 1 { return "the stages below were let go \(sinksReleased) times" }
        return nil
    }
}
