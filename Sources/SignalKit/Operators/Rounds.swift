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
            hub.submit(.ended(0, .begin))
        }
    })
}

enum RoundEvent<T, E, F> {
    case next(Int, T)
    /// A source has ended; or, as number 0, the beginning.
    case ended(Int, RoundEnd<E>)
    case answered(Int, FollowUp<T, E, F>)
    case started(Int)
    /// The last source has ended; nil is completion.
    case lastEnded(Int, F?)
    /// The last source leaves the rest to another.
    case replaced(Int, Signal<T, F>)
}

enum RoundStep<T, E, F> {
    /// Carries whom to ask, because a step is done outside the section in which the hub lets go of it.
    case ask((RoundEnd<E>) -> FollowUp<T, E, F>, RoundEnd<E>, Int)
    case run(FollowUp<T, E, F>, Int)
}

final class RoundsHub<T, E, F>: Hub<RoundEvent<T, E, F>, RoundStep<T, E, F>, T, F> {
    static var sourceSlot: Int { 0 }
    private static var timerSlot: Int { 1 }

    @exclusivity(unchecked) private var machine = RoundMachine<FollowUp<T, E, F>>()
    @exclusivity(unchecked) private var follow: ((RoundEnd<E>) -> FollowUp<T, E, F>)?

    init(_ sink: Sink<T, F>, _ follow: @escaping (RoundEnd<E>) -> FollowUp<T, E, F>) {
        self.follow = follow
        super.init(sink, slots: 2)
    }

    override func receive(_ event: RoundEvent<T, E, F>) -> RoundStep<T, E, F>? {
        switch event {
        case let .next(number, value):
            if machine.accepts(number) { emit(value) }
        case let .ended(number, end):
            guard number == 0 || machine.ended(number) else { return nil }
            return follow.map { .ask($0, end, number) }
        case let .answered(_, .fail(error)): fail(error)
        case .answered(_, .complete): complete()
        case let .answered(number, next): return proceed(machine.follows(number, next))
        case let .started(number): return proceed(machine.started(number))
        case let .lastEnded(number, error):
            guard machine.ended(number) else { return nil }
            if let error { fail(error) } else { complete() }
        case let .replaced(number, signal):
            if machine.ended(number) { return proceed(machine.follows(number, .last(signal))) }
        }
        return nil
    }

    private func proceed(_ next: FollowUp<T, E, F>?) -> RoundStep<T, E, F>? {
        guard let next else { return nil }
        if case let .last(signal) = next, yield(to: signal) { return nil }
        return .run(next, machine.begin())
    }

    override func perform(_ step: RoundStep<T, E, F>) -> RoundEvent<T, E, F>? {
        guard !isTerminated else { return nil }
        switch step {
        case let .ask(follow, end, number): return .answered(number, follow(end))
        case let .run(.source(signal), number): return run(signal, RoundInlet(self, number), number)
        case let .run(.last(signal), number): return run(signal, LastInlet(self, number), number)
        case let .run(.later(delay, queue, signal), number): wait(delay, queue, signal, number)
        case .run(.complete, _), .run(.fail, _): break
        }
        return nil
    }

    override func clear() {
        follow = nil
        machine = RoundMachine()
    }

    private func run<X>(_ signal: Signal<T, X>, _ inlet: Sink<T, X>, _ number: Int) -> RoundEvent<T, E, F> {
        let previous = claim(RoundsHub.sourceSlot, for: number).previous
        signal.attach(inlet)
        previous?.dispose()
        return .started(number)
    }

    /// The timer starts the source itself, so that this happens on the queue, whoever is in the serial section then.
    private func wait(_ delay: Double, _ queue: Queue, _ signal: Signal<T, E>, _ number: Int) {
        take(from: RoundsHub.sourceSlot)?.dispose()
        _ = claim(RoundsHub.timerSlot, for: number)
        addInlet()
        let timer = queue.after(delay) {
            if !self.isTerminated { self.submit(self.run(signal, RoundInlet(self, number), number)) }
            self.removeInlet()
        }
        // If it has fired by now, and the timer of another round is here, that one stays.
        store(timer, in: RoundsHub.timerSlot, number: number)
    }
}

/// The inlet of a source whose end is not the end of all.
private final class RoundInlet<T, E, F>: Sink<T, E> {
    private let hub: RoundsHub<T, E, F>
    private let number: Int

    init(_ hub: RoundsHub<T, E, F>, _ number: Int) {
        self.hub = hub
        self.number = number
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: RoundsHub<T, E, F>.sourceSlot, number: number) }
    override func next(_ value: T) { hub.submit(.next(number, value)) }
    override func error(_ error: E) { hub.submit(.ended(number, .failed(error))) }
    override func completed() { hub.submit(.ended(number, .completed)) }
}

/// The inlet of the last source.
private final class LastInlet<T, E, F>: Sink<T, F> {
    private let hub: RoundsHub<T, E, F>
    private let number: Int

    init(_ hub: RoundsHub<T, E, F>, _ number: Int) {
        self.hub = hub
        self.number = number
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: RoundsHub<T, E, F>.sourceSlot, number: number) }
    override func next(_ value: T) { hub.submit(.next(number, value)) }
    override func error(_ error: F) { hub.submit(.lastEnded(number, .some(error))) }
    override func completed() { hub.submit(.lastEnded(number, nil)) }

    override func takeOver(_ signal: Signal<T, F>) -> Bool {
        hub.submit(.replaced(number, signal))
        return true
    }
}
