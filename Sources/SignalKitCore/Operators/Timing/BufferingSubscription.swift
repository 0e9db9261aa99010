/// A subscription that buffers its events under its lock, for a queue or for a delay. Subclasses decide when and where
/// events are delivered.
class BufferingSubscription<T, E>: FeedingSubscription, @unchecked Sendable {
    // The lock guards the following fields.
    @exclusivity(unchecked) final private var source = Slot.empty
    @exclusivity(unchecked) final private(set) var sink: Sink<T, E>?
    @exclusivity(unchecked) final private var hasEnded = false
    /// The source was released without an end. Nothing follows the pending events.
    @exclusivity(unchecked) final private(set) var isAbandoned = false
    /// A pause from below has stopped the deliveries. Its resumption continues them.
    @exclusivity(unchecked) final var isParked = false
    @exclusivity(unchecked) final private var hasWarned = false
    /// The maximum number of pending values, `.max` without a limit.
    final let limit: Int
    /// The number of pending values at which the source is paused. See `OverflowPolicy.marks`.
    @exclusivity(unchecked) final private var high: Int
    /// The gap separates the fields that each value writes from the cache line that each delivery reads. The fields
    /// that a value needs are adjacent.
    private let gap: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
    final let lock = SmallLock()
    @exclusivity(unchecked) final var values = Batch<T>()
    @exclusivity(unchecked) final private(set) var end: End<E>?

    init(_ sink: Sink<T, E>, _ limit: Int, high: Int) {
        self.sink = sink
        self.limit = limit
        self.high = high
    }

    // MARK: The source

    fileprivate final func store(_ upstream: Subscription) {
        isFed(by: upstream)
        let obsolete: (any Disposable)? = lock.withLock {
            prepare(upstream)
            return source.store(upstream)
        }
        obsolete?.dispose()
    }

    // MARK: Pauses

    /// A governed run has no buffer without a limit. But a source that cannot be paused may exceed this one.
    override final func govern() {
        lock.withLock {
            if limit == .max {
                high = 1024
                bound(high - 1)
            }
            _ = raise(Flag.governed)
            source.subscription?.govern()
        }
    }

    /// Called with the lock. A value that finds `count` values or more must now pass `pauseIfFull`.
    func bound(_ count: Int) { mustOverride() }

    override final func pause() { forwardPause(to: source.subscription, lock) }

    override final func resume() {
        lock.lock()
        let isLast = takePause(), continues = isLast && isParked
        if isLast { isParked = false }
        let paused = isLast ? source.subscription : nil
        lock.unlock()
        if continues { goOn() }
        paused?.resume()
    }

    /// Continues the deliveries on the queue, never inside this call.
    func goOn() { mustOverride() }

    /// Called before the start: a buffer that pauses its source governs it.
    final func governSource() {
        if high < .max { govern() }
    }

    /// True if this buffer has no limit, or pauses the source at its limit.
    final var mayExceed: Bool { limit == .max || high < .max }

    /// Called with the lock, after a value was added to a buffer that is nearly full. Pauses the source at the limit.
    /// Returns true if the caller must warn after unlocking.
    final func pauseIfFull() -> Bool {
        if values.count >= high && raise(Flag.ownPause) & Flag.ownPause == 0 { source.subscription?.pause() }
        if values.count <= Record.many || hasWarned { return false }
        hasWarned = true
        return true
    }

    /// Called after values were taken out: resumes the source if there is space again. A full buffer has values, so
    /// this is called again if the buffer becomes full at this moment.
    @inline(__always)
    final func resumeSource() {
        if _slowPath(flags & Flag.ownPause != 0) { resumePausedSource() }
    }

    @inline(never)
    final private func resumePausedSource() {
        let paused: Subscription? = lock.withLock {
            let low = lowMark(limit: limit == .max ? high : limit, high: high)
            guard flags & Flag.ownPause != 0, values.count <= low else { return nil }
            lower(Flag.ownPause)
            return source.subscription
        }
        paused?.resume()
    }

    /// The source has ended.
    func finish(_ end: End<E>) { mustOverride() }

    /// Called with the lock: returns whether the source may still emit an event.
    @inline(__always)
    final var isOpen: Bool { sink != nil && !hasEnded }

    /// Called with the lock while the subscription is open. Only this event follows the values.
    final func setEnd(_ end: End<E>) {
        self.end = end
        hasEnded = true
    }

    /// Returns the source, which the caller disposes, if it may still emit an event.
    final func takeSource() -> (any Disposable)? { lock.withLock { isOpen ? source.take() : nil } }

    fileprivate final func abandon() {
        let isOver = lock.withLock {
            isAbandoned = true
            return isIdle
        }
        if isOver { discard() }
    }

    /// Called with the lock: returns whether no event is pending or in flight.
    var isIdle: Bool { mustOverride() }

    // MARK: The end

    /// Called with the lock. Returns the terminal event, and the source, which the caller releases after delivering
    /// that event.
    final func takeEnd() -> (End<E>, (any Disposable)?) {
        defer {
            sink = nil
            end = nil
        }
        return (end!, source.close())
    }

    final func deliver(_ end: End<E>, to sink: Sink<T, E>) {
        raiseDone(Flag.terminated)
        sink.end(end)
        isOver()
    }

    override final func dispose() {
        if raiseDone(Flag.terminated | Flag.disposed) & Flag.disposed != 0 { return }
        lock.withLock { source.close() }?.dispose()
        discard()
    }

    /// Stops all deliveries and releases everything.
    final func discard() {
        _ = raise(Flag.terminated)
        var dropped = Batch<T>()
        lock.lock()
        isDiscarding()
        values.exchange(&dropped)
        // The types of the objects themselves would be looked up.
        let below: AnyObject? = sink, failure: AnyObject? = end?.failure
        sink = nil
        end = nil
        // Nothing resumes a source that is still paused.
        let paused = flags & (Flag.pauses | Flag.ownPause) == 0 ? nil : source.close()
        lock.unlock()
        paused?.dispose()
        isOver()
        dropped.close()
        withExtendedLifetime(below) {}
        withExtendedLifetime(failure) {}
    }

    /// Called with the lock, before the values go.
    func isDiscarding() {}

    /// The subscription has ended or was disposed.
    func isOver() {}
}

/// The inlet of the buffer. A subclass defines how a value is added.
class BufferInlet<Buffer: BufferingSubscription<T, E>, T, E>: Sink<T, E> {
    final let buffer: Buffer

    init(_ buffer: Buffer) { self.buffer = buffer }

    deinit { buffer.abandon() }

    override final func attached(_ upstream: Subscription) { buffer.store(upstream) }
    override final func end(_ end: End<E>) { buffer.finish(end) }
}
