/// The sink that a generator emits into, from any thread.
///
/// The first terminal event wins; whatever comes after it, or after disposal, is dropped. Two threads that put values
/// at once run the callback at once: a plain chain does not queue (operators that join sources or keep state do).
public final class Subscriber<T, E>: @unchecked Sendable {
    let gate: Gate<T, E>

    init(_ gate: Gate<T, E>) {
        self.gate = gate
    }

    /// A subscriber of its own, outside any signal, with the same rules.
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

    /// Whether values still arrive anywhere: false after the end and after disposal. For generators that emit many
    /// values in one go.
    public var isActive: Bool { !gate.isTerminated }

    /// Emits a value. After the end, or the disposal of the run, it goes nowhere.
    @inline(__always)
    public func putNext(_ next: T) { _ = Gate.next(next, through: .passUnretained(gate)) }

    /// Ends the run with an error: the callback first, then the generator's disposable.
    public func putError(_ error: E) { gate.end(.error(error)) }

    /// Ends the run: the callback first, then the generator's disposable.
    public func putCompletion() { gate.end(.completed) }

    /// Holds `object` until the end, the disposal of the run, or the end of this subscriber, whichever is first. What
    /// is registered after the end stays until the next terminal call, the disposal, or the end of this subscriber.
    public func keepAlive(_ object: AnyObject) { gate.keepAlive(object) }

    /// Calls `action` once when the run is torn down: at the end, after the terminal callback, or at disposal, before
    /// the generator's disposable is disposed; now, if that has happened already. It need not wait for the generator to
    /// return: a generator that blocks is woken by it.
    @preconcurrency
    public func onDispose(_ action: @escaping @Sendable () -> Void) { gate.onDispose(ActionDisposable(action: action)) }
}
