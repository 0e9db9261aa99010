/// The result of a read.
public enum Reading<T, E> {
    /// A value.
    case value(T)
    /// The signal has failed, and there is nothing left to read. Every further read returns the same.
    case failed(E)
    /// The signal has completed, or its source was released, and there is nothing left to read. Every further read
    /// returns the same.
    case completed
    /// The read timed out.
    case timeout
    /// The reader has been closed.
    case closed
    /// There is nothing to read yet, and the caller must not block. It runs on a serial queue, which would be blocked,
    /// and the signal may need that queue.
    case refused
}

/// Subscribes to a signal and buffers its values until a thread reads them: a bounded queue.
///
/// Any number of threads may read. Each value is returned to one of them. While the main thread is blocked, it runs the
/// work of the main queue. Work of a virtual clock advances that clock while it waits. Work of a serial queue must not
/// block (`Reading.refused`), because the source may need that queue. A thread that blocks inside a callback of the
/// same source deadlocks.
///
/// The deinitializer closes the reader.
public final class SignalReader<T, E>: @unchecked Sendable {
    private let buffer: ReadingBuffer<T, E>

    /// Subscribes to `signal`.
    ///
    /// - Parameters:
    ///   - signal: started immediately.
    ///   - limit: the maximum number of pending values.
    ///   - overflow: the policy for a value above `limit`. `.suspend` does not block the thread that read last or
    ///     created the reader, because it would deadlock. There, and inside this call, values exceed the limit.
    ///   - counter: counts the dropped values and the blocked threads.
    public convenience init(
        _ signal: Signal<T, E>, limit: Int, overflow: OverflowPolicy<E> = .suspend, counter: OverflowCounter? = nil
    ) {
        precondition(limit > 0, "limit must be 1 or more")
        self.init(signal, ReadingBuffer(limit, overflow, counter ?? OverflowCounter(), true))
    }

    /// Reads `signal` until a deadline. If the source releases its subscriber, it is silent until then. Without a
    /// deadline it counts as completed, because otherwise the wait would never end.
    convenience init(_ signal: Signal<T, E>, limit: Int, until seconds: Double) {
        self.init(signal, ReadingBuffer(limit, .suspend, OverflowCounter(), seconds == .infinity))
    }

    private init(_ signal: Signal<T, E>, _ buffer: ReadingBuffer<T, E>) {
        self.buffer = buffer
        signal.attachFinal(ReaderInlet(buffer))
    }

    deinit {
        if buffer.isInItsProcess { buffer.close() } else { _ = Unmanaged.passRetained(buffer) }
    }

    /// Returns the next value, or the reason why there is none. Blocks at most `seconds`.
    #if !hasFeature(Embedded)
    @available(*, noasync)
    #endif
    public func next(timeout seconds: Double) -> Reading<T, E> {
        var patience = Patience(seconds)
        return next(&patience)
    }

    func next(_ patience: inout Patience) -> Reading<T, E> { buffer.next(&patience) }

    /// Like `next`, but never blocks.
    func nextNow() -> Reading<T, E> {
        var none = Patience(0)
        return next(&none)
    }

    /// Returns a pollable descriptor that is readable while there is something to read: a value or the end. Do not read
    /// or close it. It is valid as long as the reader exists. The result is negative if the system provides none, and
    /// nil if the reader is closed.
    public func descriptor() -> Int32? { buffer.descriptor() }

    /// Calls `f` once, as soon as there is something to read. The call is immediate, or on the thread that emits the
    /// event or closes the reader.
    @preconcurrency
    public func whenReady(_ f: @escaping @Sendable () -> Void) { buffer.whenReady(f) }

    /// Disposes the subscription and drops the pending values. Wakes every thread that waits to read or to emit.
    public func close() { buffer.close() }
}
