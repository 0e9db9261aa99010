/// The sink that a generator emits into, from any thread.
///
/// The first terminal event wins. Events after it, or after disposal, are dropped. Two threads that send values at the
/// same time run the callback at the same time. A plain chain does not queue them. Operators that combine sources or
/// have state do.
public final class Subscriber<T, E>: @unchecked Sendable {
    let gate: Gate<T, E>

    init(_ gate: Gate<T, E>) {
        self.gate = gate
    }

    /// Creates a separate subscriber, outside any signal, with the same rules.
    @preconcurrency
    public init(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil
    ) {
        gate = Gate(CallbackSink(next, error, completed))
    }

    deinit {
        gate.abandon()
    }

    /// True if values are still delivered: false after the end and after disposal. A generator that emits many values
    /// in a loop should check it.
    public var isActive: Bool { !gate.isTerminated }

    /// Emits a value. It is dropped after the end and after disposal.
    @inline(__always)
    public func putNext(_ next: T) { _ = Gate.next(next, through: .passUnretained(gate)) }

    /// Fails the subscription: calls the callback, then disposes the generator's disposable.
    public func putError(_ error: E) { gate.end(.error(error)) }

    /// Completes the subscription: calls the callback, then disposes the generator's disposable.
    public func putCompletion() { gate.end(.completed) }

    /// Retains `object` until the end, the disposal, or the release of this subscriber. An object that is added after
    /// the end stays until the next terminal call, the disposal, or the release of this subscriber.
    public func keepAlive(_ object: AnyObject) { gate.keepAlive(object) }

    /// Calls `action` once when the subscription ends or is disposed. At the end, it follows the terminal callback. At
    /// disposal, it precedes the disposal of the generator's disposable. If that has happened already, the call is
    /// immediate. It does not wait for the generator to return, so it can wake a generator that blocks.
    @preconcurrency
    public func onDispose(_ action: @escaping @Sendable () -> Void) { gate.onDispose(ActionDisposable(action: action)) }

    /// True while a stage asks for a pause, because a buffer with the policy `.pause` is full behind it, or because
    /// the program holds the subscription. A generator that goes on loses no value, but its values exceed the limit, or
    /// a second policy decides about them.
    public var isPaused: Bool { gate.isPaused }

    /// Calls `resumed` once on the queue, as soon as no stage asks for a pause. The end and the disposal of the
    /// subscription also count as a resumption. If nobody asks for a pause now, it is enqueued at once, so none is
    /// missed after `isPaused`. If the subscriber is released before, `resumed` is released without a call.
    @preconcurrency
    public func onResume(_ queue: Queue, _ resumed: @escaping @Sendable () -> Void) { gate.onResume(queue, resumed) }
}
