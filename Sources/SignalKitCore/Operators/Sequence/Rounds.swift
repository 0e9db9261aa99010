/// The next step of `rounds`.
enum FollowUp<T, E, F> {
    /// Run this source. Ask for the next step at its end.
    case source(Signal<T, E>)
    /// Like `source`, on the queue, after a number of seconds.
    case later(Double, Queue, Signal<T, E>)
    /// Run this source. Its end is the end of the result.
    case last(Signal<T, F>)
    case end(End<F>)
}

/// Runs sources one after another. `makeFollow` is called once per subscription. Its result decides the first source,
/// and the next step after each end.
///
/// The decision runs on the thread that delivered the end, one call at a time, without a lock.
///
/// The next source is started before the previous one is disposed. If a source ends inside its start, the next one is
/// started in a loop after that call has returned. A million such rounds need no more stack than one.
func rounds<T, E, F>(
    of sources: Sources, depth: Int? = nil, _ parameter: Parameter = .none, as operation: CString = #function,
    _ makeFollow: @escaping () -> (End<E>?) -> FollowUp<T, E, F>
) -> Signal<T, F> {
    ComposedSignal(of: sources, depth: depth, parameter, as: operation) { runRounds(to: $0, makeFollow()) }
}

func runRounds<T, E, F>(to sink: Sink<T, F>, _ follow: @escaping (End<E>?) -> FollowUp<T, E, F>) {
    let hub = RoundsHub<T, E, F>(sink, follow)
    hub.open {
        hub.submit { [unowned(unsafe) hub] in hub.begin() }
    }
}

/// The part of a `RoundsHub` that its last source needs. It does not depend on the error type of the other sources.
private class LastRoundHub<T, F>: SuccessionHub<T, F> {
    /// The last source has ended.
    func lastEnded(_ number: SourceNumber, _ end: End<F>) { mustOverride() }
    /// The last source is replaced by another signal.
    func replaced(_ number: SourceNumber, by signal: Signal<T, F>) { mustOverride() }
}

private final class RoundsHub<T, E, F>: LastRoundHub<T, F> {
    @exclusivity(unchecked) private var machine = RoundMachine<FollowUp<T, E, F>>()
    @exclusivity(unchecked) private var follow: ((End<E>?) -> FollowUp<T, E, F>)?

    init(_ sink: Sink<T, F>, _ follow: @escaping (End<E>?) -> FollowUp<T, E, F>) {
        self.follow = follow
        super.init(sink, places: 0)
    }

    override func counts(_ number: SourceNumber) -> Bool { machine.accepts(number) }
    override func started(_ number: SourceNumber) { proceed(machine.started(number)) }

    func begin() { ask(nil, 0) }

    func ended(_ number: SourceNumber, _ end: End<E>) {
        if machine.ended(number) { ask(end, number) }
    }

    override func lastEnded(_ number: SourceNumber, _ end: End<F>) {
        if machine.ended(number) { self.end(end) }
    }

    override func replaced(_ number: SourceNumber, by signal: Signal<T, F>) {
        if machine.ended(number) { proceed(machine.follows(number, .last(signal))) }
    }

    private func ask(_ end: End<E>?, _ number: SourceNumber) {
        // Outside the section the hub may release `follow`.
        if let follow { afterwards(RoundQuestion(self, follow, end, number)) }
    }

    func answered(_ number: SourceNumber, _ answer: FollowUp<T, E, F>) {
        if case let .end(end) = answer { self.end(end) } else { proceed(machine.follows(number, answer)) }
    }

    private func proceed(_ next: FollowUp<T, E, F>?) {
        guard let next else { return }
        // If the downstream stage is the last round of another hub, that hub runs the signal instead of this one. So a
        // chain of successors (`then` in a recursion) stays one stage deep.
        if case let .last(signal) = next,
            yield({ (Watch.below($0) as? LastInlet<T, F>)?.takeOver(signal) != nil })
        {
            return
        }
        let number = machine.begin()
        switch next {
        case let .source(signal): afterwards(RoundInlet(self, signal, number))
        case let .last(signal): afterwards(LastInlet(self, signal, number))
        case let .later(delay, queue, signal):
            afterwards(RoundPause(RoundInlet(self, signal, number), delay, queue))
        case .end: break
        }
    }

    override func clear() {
        follow = nil
        machine = RoundMachine()
    }
}

/// Asks for the next step.
private final class RoundQuestion<T, E, F>: Effect {
    private let hub: RoundsHub<T, E, F>
    private let follow: (End<E>?) -> FollowUp<T, E, F>
    private let end: End<E>?
    private let number: SourceNumber
    @exclusivity(unchecked) private var answer: FollowUp<T, E, F>?

    init(
        _ hub: RoundsHub<T, E, F>, _ follow: @escaping (End<E>?) -> FollowUp<T, E, F>, _ end: End<E>?,
        _ number: SourceNumber
    ) {
        self.hub = hub
        self.follow = follow
        self.end = end
        self.number = number
    }

    func perform() { answer = .some(follow(end)) }

    func performed() {
        if let answer { hub.answered(number, answer) }
    }
}

/// Waits before a source is started. The timer starts the source, so that this happens on the queue, even if another
/// thread is in the section.
private final class RoundPause<T, E, F>: Effect {
    private let inlet: RoundInlet<T, E, F>
    private let delay: Double
    private let queue: Queue

    init(_ inlet: RoundInlet<T, E, F>, _ delay: Double, _ queue: Queue) {
        self.inlet = inlet
        self.delay = delay
        self.queue = queue
    }

    func perform() {
        let inlet = inlet, hub = inlet.hub
        let (isWanted, previous) = hub.begin(inlet.number)
        previous.dispose()
        if !isWanted { return }
        let timer = Alarm(queue.executor)
        // The timer has the place of the source until it fires. It is stored before it can fire.
        hub.store(SourceHandle(timer), of: inlet.number)
        let start = Record.carried {
            if hub.isTerminated { return }
            inlet.perform()
            hub.submit { inlet.performed() }
        }
        timer.set(queue.now + delay, start)
    }

    func performed() {}
}

/// The inlet of a source that another one follows.
private final class RoundInlet<T, E, F>: SuccessorInlet<T, E, F, RoundsHub<T, E, F>> {
    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub, number] in hub.ended(number, end) } }
}

/// The inlet of the last source.
private final class LastInlet<T, F>: SuccessorInlet<T, F, F, LastRoundHub<T, F>> {
    override func end(_ end: End<F>) { hub.submit { [unowned(unsafe) hub, number] in hub.lastEnded(number, end) } }

    func takeOver(_ signal: Signal<T, F>) {
        hub.submit { [unowned(unsafe) hub, number] in hub.replaced(number, by: signal) }
    }
}

/// Decides which round counts for `then`, `catch`, `restart`, `retry` and `feedbackLoop`, without threads.
///
/// A round is a source from its start to its end. It gets its number before the start. If the source ends inside the
/// call that starts it, the next round is stored until that call returns. Thus a loop starts the rounds, and the stack
/// does not grow.
struct RoundMachine<Next> {
    private(set) var current: SourceNumber = 0
    private var isStarting = false
    private var hasEnded = true
    private var kept: Next?

    /// Returns whether events of this round count.
    func accepts(_ number: SourceNumber) -> Bool { number == current && !hasEnded }

    /// Gives the next round its number.
    mutating func begin() -> SourceNumber {
        current.advance()
        isStarting = true
        hasEnded = false
        return current
    }

    /// The source of a round has ended. Returns true if that counts, and the caller then asks for the next round.
    mutating func ended(_ number: SourceNumber) -> Bool {
        guard accepts(number) else { return false }
        hasEnded = true
        return true
    }

    /// The next round is known. Returns it if the caller must start it now.
    mutating func follows(_ number: SourceNumber, _ next: Next) -> Next? {
        guard number == current && hasEnded else { return nil }
        if !isStarting { return next }
        kept = .some(next)
        return nil
    }

    /// The call that starts a round has returned. Returns the next round if the caller must start it now.
    mutating func started(_ number: SourceNumber) -> Next? {
        guard number == current else { return nil }
        isStarting = false
        defer { kept = nil }
        return kept
    }
}
