/// Follows the latest inner signal. A new one is started, then the previous one is disposed.
///
/// Completes when the outer signal and the current inner signal have completed. The first error ends it.
public func switchToLatest<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .latest) { $0 } }

/// Runs the inner signals one after another, each to its end.
public func queue<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .queue) { $0 } }

/// Runs the inner signals one after another. While one runs, only the latest of the new ones is pending.
public func throttled<T, E>(_ signal: Signal<Signal<T, E>, E>) -> Signal<T, E> { inner(signal, .throttled) { $0 } }

/// Follows the signal that `f` makes of the latest value (switch-map).
@preconcurrency
public func mapToSignal<T, R, E>(_ f: @escaping @Sendable (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> {
    { inner($0, .latest, f) }
}

/// Like `mapToSignal`, for a signal that cannot fail. The signals that `f` makes can fail.
@preconcurrency
public func mapToSignalPromotingError<T, R, E>(
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, NoError>) -> Signal<R, E> {
    { inner($0 |> castError(E.self), .latest, f) }
}

/// Runs the signals that `f` makes of the values, one after another (concat-map). `f` is called when the value arrives.
@preconcurrency
public func mapToQueue<T, R, E>(_ f: @escaping @Sendable (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> {
    { inner($0, .queue, f) }
}

/// Runs the signals that `f` makes of the values, one after another. While one runs, only the latest of the new ones is
/// pending. `f` is called for every value.
@preconcurrency
public func mapToThrottled<T, R, E>(_ f: @escaping @Sendable (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> {
    { inner($0, .throttled, f) }
}

private func inner<T, R, E>(
    _ signal: Signal<T, E>, _ mode: InnerMachine.Mode, as operation: CString = #function,
    _ f: @escaping (T) -> Signal<R, E>
) -> Signal<R, E> {
    let kinds = (hub: InnerHub<R, E>.self, outer: OuterInlet<T, R, E>.self, inner: Kind<InnerInlet<R, E>>())
    return ComposedSignal(of: signal, as: operation) { sink in
        let hub = kinds.hub.init(sink, mode, kinds.inner)
        hub.open { signal.attach(kinds.outer.init(hub, f)) }
    }
}

/// The outer source is in the other slot, so the current inner source is disposed first.
final class InnerHub<T, E>: SuccessionHub<T, E> {
    private let inner: Kind<InnerInlet<T, E>>
    @exclusivity(unchecked) private var machine: InnerMachine

    init(_ sink: Sink<T, E>, _ mode: InnerMachine.Mode, _ inner: Kind<InnerInlet<T, E>> = Kind()) {
        self.inner = inner
        machine = InnerMachine(mode)
        super.init(sink)
    }

    /// An inner signal has arrived.
    func outer(_ signal: Signal<T, E>) {
        if enter() {
            arrived(signal)
            leaveWithEffect()
        } else {
            enqueue { [unowned(unsafe) self] in arrived(signal) }
        }
    }

    /// A signal of one value needs no subscription if no other signal is running. It ends before another event can
    /// arrive.
    @inline(__always)
    private func arrived(_ signal: Signal<T, E>) {
        if machine.isIdle && signal.emitAtOnce(in: self) { return }
        act(machine.outer(signal))
    }

    func outerEnded(_ end: End<E>) {
        if case .failed = end { self.end(end) } else { act(machine.outerCompleted()) }
    }

    override func counts(_ number: SourceNumber) -> Bool { machine.isCurrent(number) }
    override func started(_ number: SourceNumber) { act(machine.started(number)) }

    /// Called in the section. If another inner signal is started next, that start disposes this one before any other
    /// event. Otherwise this one disposes itself.
    func innerEnded(_ number: SourceNumber, _ end: End<E>) {
        let isCurrent = machine.isCurrent(number)
        if case .failed = end {
            if isCurrent { self.end(end) }
            return
        }
        let action = machine.innerCompleted(number)
        if case .start = action {} else if isCurrent { take(from: SuccessionSlot.source) }
        act(action)
    }

    @inline(__always)
    private func act(_ action: InnerMachine.Action?) {
        switch action {
        case let .start(signal, number):
            afterwards(inner.type.init(self, unsafeDowncast(signal, to: Signal<T, E>.self), number: number))
        case .complete: end(.completed)
        case nil: break
        }
    }

    override func clear() {
        machine = InnerMachine(.latest)
    }
}

private final class OuterInlet<T, R, E>: Inlet<InnerHub<R, E>, T, E> {
    private let f: (T) -> Signal<R, E>

    init(_ hub: InnerHub<R, E>, _ f: @escaping (T) -> Signal<R, E>) {
        self.f = f
        super.init(hub)
    }

    override var slot: Int { SuccessionSlot.other }

    override func next(_ value: T) { hub.outer(f(value)) }

    override func end(_ end: End<E>) {
        hub.take(from: slot)
        hub.submit { [unowned(unsafe) hub] in hub.outerEnded(end) }
    }
}

final class InnerInlet<T, E>: SuccessorInlet<T, E, E, InnerHub<T, E>> {
    override func end(_ end: End<E>) {
        if hub.enter() {
            hub.innerEnded(number, end)
            hub.leaveWithEffect()
        } else {
            hub.enqueue { [unowned(unsafe) hub, number] in hub.innerEnded(number, end) }
        }
    }
}
