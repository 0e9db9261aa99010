/// Follows the latest inner signal: a new one is started, then the one before it disposed. Completes when the outer signal and the
/// current inner have completed; the first error ends it.
public func switchToLatest<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .latest) { $0 } }

/// Runs the inner signals one after another, each to its end.
public func queue<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .queue) { $0 } }

/// Runs the inner signals one after another; of those that arrive while one runs only the latest is kept.
public func throttled<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .throttled) { $0 } }

/// Follows the signal that `f` makes of the latest value.
public func mapToSignal<T, R, E>(_ f: @escaping (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> { { inner($0, .latest, f) } }

/// Follows the signal that `f` makes of the latest value of a signal that cannot fail, although those signals can.
public func mapToSignalPromotingError<T, R, E>(_ f: @escaping (T) -> Signal<R, E>) -> (Signal<T, NoError>) -> Signal<R, E> {
    { inner($0 |> castError(E.self), .latest, f) }
}

/// Runs the signals that `f` makes of the values one after another. `f` is called when the value arrives.
public func mapToQueue<T, R, E>(_ f: @escaping (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> { { inner($0, .queue, f) } }

/// Runs the signals that `f` makes of the values one after another; of those that arrive while one runs only the latest is kept. `f` is
/// called for every value.
public func mapToThrottled<T, R, E>(_ f: @escaping (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> { { inner($0, .throttled, f) } }

/// When the signal has completed, goes on with `nextSignal`, which is started before the first is disposed. The first error ends it.
///
/// A successor that has successors of its own takes the place of the one before, so that a recursion by `then` and `deferred` can go on
/// for ever: neither the stack nor the chain grows.
public func then<T, E>(_ nextSignal: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        rounds { { (end: RoundEnd<E>) -> FollowUp<T, E, E> in
            switch end {
            case .begin: return .source(signal)
            case .completed: return .last(nextSignal)
            case let .failed(error): return .fail(error)
            }
        } }
    }
}

private func inner<T, R, E>(_ signal: Signal<T, E>, _ mode: InnerMachine<Signal<R, E>>.Mode, _ f: @escaping (T) -> Signal<R, E>) -> Signal<R, E> {
    Signal(attach: { sink in
        let hub = InnerHub<R, E>(sink, mode)
        hub.open { signal.attach(OuterInlet(hub, f)) }
    })
}

enum InnerEvent<T, E> {
    case outer(Signal<T, E>)
    case outerCompleted
    case next(Int, T)
    case started(Int)
    case completed(Int)
    case outerFailed(E)
    case failed(Int, E)
}

final class InnerHub<T, E>: Hub<InnerEvent<T, E>, InnerMachine<Signal<T, E>>.Action, T, E> {
    /// The slots: the current inner is disposed before the outer.
    static var innerSlot: Int { 0 }
    static var outerSlot: Int { 1 }

    @exclusivity(unchecked) private var machine: InnerMachine<Signal<T, E>>

    init(_ sink: Sink<T, E>, _ mode: InnerMachine<Signal<T, E>>.Mode) {
        machine = InnerMachine(mode)
        super.init(sink, slots: 2)
    }

    override func receive(_ event: InnerEvent<T, E>) -> InnerMachine<Signal<T, E>>.Action? {
        let action: InnerMachine<Signal<T, E>>.Action?
        switch event {
        case let .outer(signal): action = machine.outer(signal)
        case .outerCompleted: action = machine.outerCompleted()
        case let .started(number): action = machine.started(number)
        case let .completed(number):
            if machine.isCurrent(number) { take(from: InnerHub.innerSlot) }
            action = machine.innerCompleted(number)
        case let .next(number, value):
            if machine.isCurrent(number) { emit(value) }
            return nil
        case let .failed(number, error):
            if machine.isCurrent(number) { fail(error) }
            return nil
        case let .outerFailed(error):
            fail(error)
            return nil
        }
        guard case .complete? = action else { return action }
        complete()
        return nil
    }

    override func perform(_ step: InnerMachine<Signal<T, E>>.Action) -> InnerEvent<T, E>? {
        guard case let .start(signal, number) = step, !isTerminated else { return nil }
        let (isNewest, previous) = claim(InnerHub.innerSlot, for: number)
        if !isNewest { return nil }
        signal.attach(InnerInlet(self, number))
        previous?.dispose()
        return .started(number)
    }

    override func clear() { machine = InnerMachine(.latest) }
}

private final class OuterInlet<T, R, E>: Sink<T, E> {
    private let hub: InnerHub<R, E>
    private let f: (T) -> Signal<R, E>

    init(_ hub: InnerHub<R, E>, _ f: @escaping (T) -> Signal<R, E>) {
        self.hub = hub
        self.f = f
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: InnerHub<R, E>.outerSlot) }
    override func next(_ value: T) { hub.submit(.outer(f(value))) }

    override func error(_ error: E) {
        hub.take(from: InnerHub<R, E>.outerSlot)
        hub.submit(.outerFailed(error))
    }

    override func completed() {
        hub.take(from: InnerHub<R, E>.outerSlot)
        hub.submit(.outerCompleted)
    }
}

private final class InnerInlet<T, E>: Sink<T, E> {
    private let hub: InnerHub<T, E>
    private let number: Int

    init(_ hub: InnerHub<T, E>, _ number: Int) {
        self.hub = hub
        self.number = number
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: InnerHub<T, E>.innerSlot, number: number) }
    override func next(_ value: T) { hub.submit(.next(number, value)) }
    override func error(_ error: E) { hub.submit(.failed(number, error)) }
    override func completed() { hub.submit(.completed(number)) }
}
