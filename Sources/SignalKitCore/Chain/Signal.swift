import SignalKitShims

/// Marks a signal that never emits a value.
public enum NoValue {}

/// The error of a signal that cannot fail. No value of this type exists.
public typealias NoError = Never

precedencegroup PipeRight {
    associativity: left
    higherThan: DefaultPrecedence
}

infix operator |> : PipeRight

/// Applies `function` to `value`: `source |> map { … } |> take(1)`.
public func |> <T, U>(value: T, function: (T) -> U) -> U { function(value) }

/// Returns its argument.
public func identity<A>(a: A) -> A { a }

/// A cold stream of values: a description that runs again at every start.
///
/// The events of one subscription are `next* (error | completed)?`. Creating and composing signals runs nothing. The
/// generator runs inside `start`, on the caller's thread. Callbacks run on the thread that the source emits on.
///
/// A signal has at most 500 stages in a row. Composing a chain of more than 512 stages stops the program. The
/// difference allows for operators that consist of several stages. Successors (`then`) do not count.
public class Signal<T, E>: SignalRecipe, @unchecked Sendable {
    private let starter: (Sink<T, E>) -> Void

    /// For a subclass, which overrides `run`.
    override init() { starter = { _ in mustOverride() } }

    @usableFromInline init(attach: @escaping (Sink<T, E>) -> Void) {
        starter = attach
    }

    /// Starts one subscription that feeds `sink`. Passes the subscription to the sink before an event is generated.
    @inline(__always)
    final func attach(_ sink: Sink<T, E>) {
        if sgk_shim_is_seen() { attachSeen(sink) } else { run(to: sink) }
    }

    /// How that is done.
    func run(to sink: Sink<T, E>) { starter(sink) }

    /// If the signal consists of two signals, one after the other, returns them.
    var successors: (first: Signal, next: Signal)? { nil }

    /// Returns the generated signal, if the signal is a generator.
    func generated() -> Signal? { nil }

    /// Emits in the hub's section, instead of being started, if the whole signal is one value and its completion.
    func emitAtOnce(in hub: Hub<T, E>) -> Bool { false }

    /// Creates a signal that runs `generator` at each start.
    ///
    /// - Parameter generator: emits into its subscriber, now or later, on any thread. It returns a disposable, which is
    ///   disposed exactly once: at the end (after the terminal callback) or at the disposal of the subscription. A
    ///   generator that emits many values in a loop checks `subscriber.isActive`.
    @inlinable
    @preconcurrency
    public convenience init(_ generator: @escaping @Sendable (Subscriber<T, E>) -> Disposable) {
        self.init(Gate<T, E>.self, Subscriber<T, E>.self, generator)
    }

    @usableFromInline
    init(
        _ gate: Gate<T, E>.Type, _ subscriber: Subscriber<T, E>.Type,
        _ generator: @escaping (Subscriber<T, E>) -> Disposable
    ) {
        starter = { sink in openGate(gate, to: sink) { generator(subscriber.init($0)) } }
    }

    /// Starts the signal.
    ///
    /// Releasing the result has no effect: the subscription continues as long as its source lives. Events that are
    /// emitted after `dispose` of the result has returned are dropped. A value that another thread is delivering may
    /// still arrive (see `startWaitable`).
    ///
    /// - Returns: disposes the subscription. It retains neither the source's subscriber nor, after the end, the
    ///   callbacks.
    @inlinable
    @preconcurrency
    public final func start(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil
    ) -> Disposable {
        subscribe(NextCallbackSink<T, E>.self, CallbackSink<T, E>.self, next, error, completed)
    }

    /// Like `start`. Its name shows that the subscription may outlive the object that starts it.
    @inlinable
    @preconcurrency
    public final func startStandalone(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil
    ) -> Disposable {
        subscribe(NextCallbackSink<T, E>.self, CallbackSink<T, E>.self, next, error, completed)
    }

    /// Like `start`, but reports a result that is released before it was disposed and before the signal has ended (see
    /// `StrictDisposable`).
    @preconcurrency
    public final func startStrict(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil, file: String = #file, line: Int = #line
    ) -> Disposable {
        subscribe(NextCallbackSink<T, E>.self, CallbackSink<T, E>.self, next, error, completed)
            .strict(file: file, line: line)
    }

    /// (The callbacks are passed on unchanged, because unwrapping a closure wraps it in another one.)
    @usableFromInline
    final func subscribe(
        _ nextSink: NextCallbackSink<T, E>.Type, _ sink: CallbackSink<T, E>.Type, _ next: ((T) -> Void)?,
        _ error: ((E) -> Void)?, _ completed: (() -> Void)?
    ) -> Subscription {
        error == nil && completed == nil
            ? subscribe(nextSink.init(next)) : subscribe(sink.init(next, error, completed))
    }

    /// Starts a subscription that ends in `sink`.
    final func subscribe(_ sink: FinalSink<T, E>) -> Subscription {
        attachFinal(sink)
        return sink.takeUpstream()
    }

    /// Values that are generated inside the start have arrived when this returns, even if the start is nested deeply in
    /// others.
    final func attachFinal(_ sink: Sink<T, E>) {
        if sgk_shim_is_seen() { attachFinalSeen(sink) } else { attachFinal(to: sink) }
    }

    @inline(__always)
    final func attachFinal(to sink: Sink<T, E>) {
        if Turns.hasRoom { attach(sink) } else { Turns.completely { attach(sink) } }
    }
}

/// Opens a gate upstream of `sink`, for a generator that emits into it. (It is not a method, because the signal's type
/// would then be looked up.)
@inline(__always)
func openGate<T, E>(
    _ gate: Gate<T, E>.Type = Gate<T, E>.self, to sink: Sink<T, E>, _ generator: (Gate<T, E>) -> any Disposable
) {
    let gate = gate.init(sink, isGenerating: true)
    sink.attached(gate)
    if gate.isTerminated { return }
    let inner = Turns.hasRoom ? generator(gate) : Turns.generate { generator(gate) }
    withExtendedLifetime(sink as AnyObject) { gate.generatorReturned() } // as it is, its type would be looked up
    gate.assign(inner)
}
