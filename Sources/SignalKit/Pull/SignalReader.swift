/// What has come of reading.
public enum Reading<T, E> {
    /// A value.
    case value(T)
    /// The signal has failed, and nothing else is left to read. Every further reading says the same.
    case failed(E)
    /// The signal has completed, or its source is gone, and nothing is left to read. Every further reading says the
    /// same.
    case completed
    /// The time was over before.
    case timeout
    /// The reader has been closed.
    case closed
    /// There is nothing to read yet, and the caller must not wait: it is in the work of a serial queue, which stands
    /// still meanwhile, and may be what the signal needs.
    case refused
}

/// Runs a signal and keeps its values until a thread asks for them: a bounded queue.
///
/// Any threads may ask; each value goes to one of them. Where the thread that waits is the main one, the work of the
/// main queue is done meanwhile; in work of virtual time that is moved on, as far as it takes; in work of a serial
/// queue nobody may wait (`Reading.refused`), as that may be what the source needs. (A thread that waits inside a
/// callback of the very source that it waits for does wait for ever.)
///
/// When the reader goes it is closed.
public final class SignalReader<T, E>: @unchecked Sendable {
    private let buffer: ReadingBuffer<T, E>

    /// Starts a run.
    /// - Parameters:
    ///   - signal: what is started at once, and read.
    ///   - limit: how many values may wait.
    ///   - overflow: what becomes of more. `.suspend` does not hold up the thread that has asked last, or has made the
    ///     reader: it would wait for itself. There, as inside this start, the bound is exceeded instead.
    ///   - counter: is told of what overflows.
    public convenience init(
        _ signal: Signal<T, E>, limit: Int, overflow: OverflowPolicy<E> = .suspend, counter: OverflowCounter? = nil
    ) {
        precondition(limit > 0, "limit must be 1 or more")
        self.init(signal, ReadingBuffer(limit, overflow, counter ?? OverflowCounter(), true))
    }

    /// Reads `signal` until a deadline: a source that releases its subscriber is silent. Without a deadline it counts
    /// as completed, as nothing else could end the wait.
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

    /// The next value, or what stands in its place. Waits for it at most so many seconds.
    #if !hasFeature(Embedded)
    @available(*, noasync)
    #endif
    public func next(timeout seconds: Double) -> Reading<T, E> {
        var patience = Patience(seconds)
        return next(&patience)
    }

    func next(_ patience: inout Patience) -> Reading<T, E> { buffer.next(&patience) }

    /// A descriptor that can be polled, and is readable while there is something to read: a value, or that the run is
    /// over. It is not to be read or closed, and lives as long as the reader. Negative when the system has none, nil
    /// when the reader is closed.
    public func descriptor() -> Int32? { buffer.descriptor() }

    /// Calls `f` once, as soon as there is something to read: now, if there is; otherwise on the thread that brings
    /// it, or closes the reader.
    public func whenReady(_ f: @escaping () -> Void) { buffer.whenReady(f) }

    /// Disposes the run and lets go of what waits. Whoever waits, here or to emit, is woken.
    public func close() { buffer.close() }
}
