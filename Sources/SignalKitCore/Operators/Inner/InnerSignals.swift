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
    let kinds = (
        hub: InnerHub<R, E>.self, outer: OuterSource<T, R, E, InnerHub<R, E>>.self,
        inner: Kind<InnerSource<R, E, InnerHub<R, E>>>()
    )
    return ComposedSignal(of: signal, as: operation) { sink in
        let hub = kinds.hub.init(sink, mode, kinds.inner)
        hub.open { signal.attach(kinds.outer.init(hub, f)) }
    }
}

final class InnerHub<T, E>: SuccessionHub<T, E> {
    private let inner: Kind<InnerSource<T, E, InnerHub>>
    @exclusivity(unchecked) private var machine: InnerMachine

    init(_ sink: Sink<T, E>, _ mode: InnerMachine.Mode, _ inner: Kind<InnerSource<T, E, InnerHub>> = Kind()) {
        self.inner = inner
        machine = InnerMachine(mode)
        super.init(sink, places: 1)
    }

    /// A signal of one value needs no subscription if no other signal is running. It ends before another event can
    /// arrive.
    @inline(__always)
    override func arrived(_ signal: Signal<T, E>) {
        if machine.isIdle && signal.emitAtOnce(in: self) { return }
        act(machine.outer(signal))
    }

    override func ended(_ end: End<E>, at place: Int) {
        if case .failed = end { self.end(end) } else { act(machine.outerCompleted()) }
    }

    override func counts(_ number: SourceNumber) -> Bool { machine.isCurrent(number) }
    override func started(_ number: SourceNumber) { act(machine.started(number)) }

    /// If another inner signal is started next, that start disposes this one before any other
    /// event. Otherwise this one disposes itself.
    override func ended(_ end: End<E>, of number: SourceNumber) {
        let isCurrent = machine.isCurrent(number)
        if case .failed = end {
            if isCurrent { self.end(end) }
            return
        }
        let action = machine.innerCompleted(number)
        if case .start = action {} else if isCurrent { takeCurrent().release() }
        act(action)
    }

    @inline(__always)
    private func act(_ action: InnerMachine.Action?) {
        switch action {
        case let .start(signal, number):
            afterwards(inner.type.init(self, unsafeDowncast(signal, to: Signal<T, E>.self), number))
        case .complete: end(.completed)
        case nil: break
        }
    }

    override func clear() {
        machine = InnerMachine(.latest)
    }
}

/// Decides which inner signals run, and when, for `switchToLatest`, `queue` and `throttled`, without threads.
///
/// An inner signal has a number, assigned before its start. Therefore a newer signal has a higher number even if it
/// arrives during that start. Events of other numbers than the current one are ignored. The inner signals are stored as
/// `AnyObject`, because generic code would look up their type at each event.
struct InnerMachine {
    enum Mode {
        /// A new inner replaces the current one.
        case latest
        /// A new inner waits for its turn.
        case queue
        /// A new inner signal is pending, and replaces the one that is pending already.
        case throttled
    }

    enum Action {
        case start(AnyObject, number: SourceNumber)
        case complete
    }

    private var pending = Fifo<AnyObject>()
    private var current: SourceNumber = 0
    private let mode: Mode
    private var isRunning = false
    private var isStarting = false
    private var isOuterDone = false

    init(_ mode: Mode) {
        self.mode = mode
    }

    /// True if a new inner signal is started immediately, and no other one must be disposed for it.
    var isIdle: Bool { !isRunning && !isStarting }

    func isCurrent(_ number: SourceNumber) -> Bool { isRunning && number == current }

    @inline(__always)
    mutating func outer(_ inner: AnyObject) -> Action? {
        if isIdle || mode == .latest { return start(inner) }
        if mode == .throttled { pending.removeAll() }
        pending.append(inner)
        return nil
    }

    mutating func outerCompleted() -> Action? {
        isOuterDone = true
        return isRunning || isStarting ? nil : .complete
    }

    /// The call that starts an inner signal has returned. If that signal ended inside the call, the next one is started
    /// only now. Thus a loop starts them, and the stack does not grow. The completion of the whole does not wait for
    /// this.
    mutating func started(_ number: SourceNumber) -> Action? {
        guard number == current else { return nil }
        isStarting = false
        return isRunning ? nil : proceed()
    }

    mutating func innerCompleted(_ number: SourceNumber) -> Action? {
        guard isCurrent(number) else { return nil }
        isRunning = false
        if isStarting { return isOuterDone && pending.isEmpty ? .complete : nil }
        return proceed()
    }

    private mutating func proceed() -> Action? {
        if let inner = pending.popFirst() { return start(inner) }
        return isOuterDone ? .complete : nil
    }

    @inline(__always)
    private mutating func start(_ inner: AnyObject) -> Action {
        current.advance()
        isRunning = true
        isStarting = true
        return .start(inner, number: current)
    }
}
