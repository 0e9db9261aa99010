/// Why it is asked what comes next.
enum RoundEnd<E> {
    case begin
    case completed
    case failed(E)
}

/// What comes next.
enum FollowUp<T, E, F> {
    /// Run this source; at its end there will be another question.
    case source(Signal<T, E>)
    /// The same, on the queue, after so many seconds.
    case later(Double, Queue, Signal<T, E>)
    /// Run this source, whose end is the end of all.
    case last(Signal<T, F>)
    case complete
    case fail(F)
}

/// Runs one source after another. `follow` is made once per subscription, and says at the end of each what comes next: on the thread that
/// brought the end, one question at a time, outside of any lock.
///
/// The next source is started before the one before is disposed, unless that has ended inside its own start: then the next is started
/// when that call has returned, in the same loop, and a million such rounds need no more stack than one.
func rounds<T, E, F>(_ makeFollow: @escaping () -> (RoundEnd<E>) -> FollowUp<T, E, F>) -> Signal<T, F> {
    Signal(attach: { sink in
        let hub = RoundsHub<T, E, F>(sink, makeFollow())
        hub.open {
            hub.submit { [unowned(unsafe) hub] in hub.begin() }
        }
    })
}

final class RoundsHub<T, E, F>: Hub<T, F> {
    static var sourceSlot: Int { 0 }
    private static var timerSlot: Int { 1 }

    @exclusivity(unchecked) private var machine = RoundMachine<FollowUp<T, E, F>>()
    @exclusivity(unchecked) private var follow: ((RoundEnd<E>) -> FollowUp<T, E, F>)?

    init(_ sink: Sink<T, F>, _ follow: @escaping (RoundEnd<E>) -> FollowUp<T, E, F>) {
        self.follow = follow
        super.init(sink, slots: 2)
    }

    // MARK: Events

    func accepts(_ number: Int) -> Bool { machine.accepts(number) }
    func begin() { ask(.begin, 0) }

    func ended(_ number: Int, _ end: RoundEnd<E>) {
        if machine.ended(number) { ask(end, number) }
    }

    /// The last source has ended; nil is completion.
    func lastEnded(_ number: Int, _ error: F?) {
        guard machine.ended(number) else { return }
        if let error { fail(error) } else { complete() }
    }

    /// The last source leaves the rest to another.
    func replaced(_ number: Int, by signal: Signal<T, F>) {
        if machine.ended(number) { proceed(machine.follows(number, .last(signal))) }
    }

    private func answered(_ number: Int, _ answer: FollowUp<T, E, F>) {
        switch answer {
        case let .fail(error): fail(error)
        case .complete: complete()
        default: proceed(machine.follows(number, answer))
        }
    }

    // MARK: Steps

    private func ask(_ end: RoundEnd<E>, _ number: Int) {
        // Outside the section the hub may let go of whom to ask.
        guard let follow else { return }
        afterwards {
            if self.isTerminated { return nil }
            let answer = follow(end)
            return { self.answered(number, answer) }
        }
    }

    private func proceed(_ next: FollowUp<T, E, F>?) {
        guard let next else { return }
        if case let .last(signal) = next, yield(to: signal) { return }
        let number = machine.begin()
        afterwards { self.isTerminated ? nil : self.perform(next, number) }
    }

    private func perform(_ next: FollowUp<T, E, F>, _ number: Int) -> Event? {
        switch next {
        case let .source(signal): return run(signal, RoundInlet(self, slot: RoundsHub.sourceSlot, number: number), number)
        case let .last(signal): return run(signal, LastInlet(self, slot: RoundsHub.sourceSlot, number: number), number)
        case let .later(delay, queue, signal): wait(delay, queue, signal, number)
        case .complete, .fail: break
        }
        return nil
    }

    private func run<X>(_ signal: Signal<T, X>, _ inlet: Sink<T, X>, _ number: Int) -> Event {
        let previous = claim(RoundsHub.sourceSlot, for: number).previous
        signal.attach(inlet)
        previous?.dispose()
        return { self.proceed(self.machine.started(number)) }
    }

    /// The timer starts the source itself, so that this happens on the queue, whoever is in the serial section then.
    private func wait(_ delay: Double, _ queue: Queue, _ signal: Signal<T, E>, _ number: Int) {
        take(from: RoundsHub.sourceSlot)?.dispose()
        _ = claim(RoundsHub.timerSlot, for: number)
        addInlet()
        let timer = queue.after(delay) {
            if !self.isTerminated { self.submit(self.run(signal, RoundInlet(self, slot: RoundsHub.sourceSlot, number: number), number)) }
            self.removeInlet()
        }
        // If it has fired by now, and the timer of another round is here, that one stays.
        store(timer, in: RoundsHub.timerSlot, number: number)
    }

    override func clear() {
        follow = nil
        machine = RoundMachine()
    }
}

/// The inlet of a source whose end is not the end of all.
private final class RoundInlet<T, E, F>: Inlet<RoundsHub<T, E, F>, T, E> {
    override func next(_ value: T) {
        if hub.enter() {
            if hub.accepts(number) { hub.emit(value) }
            hub.leave()
        } else {
            hub.wait { [unowned(unsafe) hub, number] in if hub.accepts(number) { hub.emit(value) } }
        }
    }

    override func error(_ error: E) { hub.submit { [unowned(unsafe) hub, number] in hub.ended(number, .failed(error)) } }
    override func completed() { hub.submit { [unowned(unsafe) hub, number] in hub.ended(number, .completed) } }
}

/// The inlet of the last source.
private final class LastInlet<T, E, F>: Inlet<RoundsHub<T, E, F>, T, F> {
    override func next(_ value: T) {
        if hub.enter() {
            if hub.accepts(number) { hub.emit(value) }
            hub.leave()
        } else {
            hub.wait { [unowned(unsafe) hub, number] in if hub.accepts(number) { hub.emit(value) } }
        }
    }

    override func error(_ error: F) { hub.submit { [unowned(unsafe) hub, number] in hub.lastEnded(number, .some(error)) } }
    override func completed() { hub.submit { [unowned(unsafe) hub, number] in hub.lastEnded(number, nil) } }

    override func takeOver(_ signal: Signal<T, F>) -> Bool {
        hub.submit { [unowned(unsafe) hub, number] in hub.replaced(number, by: signal) }
        return true
    }
}
