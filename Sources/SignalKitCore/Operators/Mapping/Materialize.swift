/// Emits each event as a value, the last one as `.Error` or `.Completion`, then completes. (Rx calls this
/// `materialize`.)
///
/// Omit the label after `|>`: `signal |> toEvents`.
public func toEvents<T, E>(signal: Signal<T, E>) -> Signal<SignalEvent<T, E>, NoError> {
    let stage = EventsToValuesSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

/// Converts values back to events, the reverse of `toEvents`. If the source completes without a terminal event, the
/// result completes.
public func fromEvents<T, E>(signal: Signal<SignalEvent<T, E>, NoError>) -> Signal<T, E> {
    let stage = ValuesToEventsSink<T, E, NoError>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

/// The name of `toEvents` in SwiftSignalKit.
public func dematerialize<T, E>(signal: Signal<T, E>) -> Signal<SignalEvent<T, E>, NoError> { toEvents(signal: signal) }

/// The name of `fromEvents` in SwiftSignalKit.
public func materialize<T, E>(signal: Signal<SignalEvent<T, E>, NoError>) -> Signal<T, E> { fromEvents(signal: signal) }

/// Serial, so that no value follows the value of the terminal event.
private final class EventsToValuesSink<T, E>: SerialSink<T, E> {
    private let downstream: Sink<SignalEvent<T, E>, NoError>

    init(_ downstream: Sink<SignalEvent<T, E>, NoError>) { self.downstream = downstream }

    override func attachedBelow(_ upstream: Subscription) { downstream.attached(upstream) }
    override func receive(_ value: T) { downstream.next(.Next(value)) }

    override func receiveEnd(_ end: End<E>) {
        if case let .failed(failure) = end {
            downstream.next(.Error(failure.error))
        } else {
            downstream.next(.Completion)
        }
        if isWanted { downstream.end(.completed) }
    }
}

/// Generic over the impossible error, like `CastErrorSink`.
private final class ValuesToEventsSink<T, E, Impossible>: SerialSink<SignalEvent<T, E>, Impossible> {
    private let downstream: Sink<T, E>

    init(_ downstream: Sink<T, E>) { self.downstream = downstream }

    override func attachedBelow(_ upstream: Subscription) { downstream.attached(upstream) }

    override func receive(_ event: SignalEvent<T, E>) {
        switch event {
        case let .Next(value): downstream.next(value)
        case let .Error(error): stop(downstream, .error(error))
        case .Completion: stop(downstream, .completed)
        }
    }

    override func receiveEnd(_ end: End<Impossible>) {
        if case .failed = end { fatalError("a signal with error type NoError failed") }
        downstream.end(.completed)
    }
}
