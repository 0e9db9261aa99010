/// Emits each value and the completion on `queue`, `seconds` after its arrival. (Other libraries call this delay.)
///
/// An error is emitted on `queue` without the delay. It drops the pending values.
///
/// At most `limit` values are pending. `overflow` decides what happens to a further value. It must not be `.suspend`,
/// alone or after a pause, because the emitting thread would then wait for the delay itself.
///
/// - Parameters:
///   - seconds: the delay of each value and of the completion.
///   - queue: where the events are delivered, and whose clock measures `seconds`.
///   - limit: the maximum number of pending values.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts the dropped values.
public func delayEach<T, E>(
    _ seconds: Double, queue: Queue, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(limit > 0, "limit must be 1 or more")
    if case .suspend? = overflow.atLimit {
        preconditionFailure("overflow must not be .suspend: the emitting thread would block until a timer fires")
    }
    return { signal in
        ComposedSignal(of: signal, .several([.seconds(seconds), .count(limit)])) { sink in
            let line = DelayLine(sink, seconds, queue, limit, overflow, counter)
            sink.attached(line)
            if !line.isTerminated { signal.attach(DelayInlet(line)) }
        }
    }
}

/// The buffer of the delayed events. Its timer is set for the first event. When it fires, all expired events are
/// delivered.
private final class DelayLine<T, E>: BufferingSubscription<T, E>, @unchecked Sendable {
    private let queue: Queue
    private let seconds: Double
    /// The policy at the limit. Nil: the limit may be exceeded.
    private let overflow: OverflowPolicy<E>?
    private let counter: OverflowCounter?
    private let alarm: Alarm
    // The lock guards the following fields.
    /// See `Record.checked`.
    @exclusivity(unchecked) private var checked: Int
    /// The delivery time of each value.
    @exclusivity(unchecked) private var times = Batch<Double>()
    /// The delivery time of the terminal event, after all values.
    @exclusivity(unchecked) private var endTime = 0.0
    @exclusivity(unchecked) private var isSet = false
    /// True while the expired events are delivered. The timer is set again afterwards.
    @exclusivity(unchecked) private var isPassing = false

    init(
        _ sink: Sink<T, E>, _ seconds: Double, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>,
        _ counter: OverflowCounter?
    ) {
        self.seconds = seconds
        self.queue = queue
        self.overflow = overflow.atLimit
        self.counter = counter
        alarm = Alarm(queue.executor)
        let high = overflow.marks(limit: limit).high
        checked = Record.checked(limit, high)
        super.init(sink, limit, high: high)
        governSource()
    }

    override func bound(_ count: Int) { checked = count }

    // MARK: The source

    func next(_ value: T) {
        let due = queue.now + seconds
        lock.lock()
        let isFull = isOpen && values.count >= checked
        if isOpen && !isFull { add(value, due) }
        let time = takeTimeToSet()
        lock.unlock()
        set(time)
        if isFull { addToFull(value, due) }
    }

    private func addToFull(_ value: T, _ due: Double) {
        if mayExceed && addAndPause(value, due) { return }
        switch overflow {
        case .dropOldest: add(value, due, instead: 1)
        case .keepLatest: add(value, due, instead: limit)
        case .dropNewest, .suspend, .pause, nil:
            counter?.drop(1)
            Record.drop(1)
        case let .fail(error):
            counter?.drop(1)
            Record.drop(1)
            let stopped = takeSource()
            finish(.error(error), at: -.infinity)
            stopped?.dispose()
        }
    }

    /// Adds a value to a buffer that has no limit, or that pauses its source. Returns false if the policy at the limit
    /// decides about the value.
    private func addAndPause(_ value: T, _ due: Double) -> Bool {
        lock.lock()
        if !isOpen || limit != .max && overflow != nil && values.count >= limit {
            defer { lock.unlock() }
            return !isOpen
        }
        add(value, due)
        let warns = pauseIfFull(), exceeds = values.count > limit
        let time = takeTimeToSet()
        lock.unlock()
        if exceeds { counter?.exceed() }
        if warns { Record.tellOfMany() }
        set(time)
        return true
    }

    /// If the buffer is still full, the new value replaces the `count` oldest values.
    private func add(_ value: T, _ due: Double, instead count: Int) {
        var dropped = Batch<T>()
        lock.lock()
        if isOpen {
            if values.count >= limit {
                for _ in 0..<count {
                    dropped.append(values.takeFirst())
                    _ = times.takeFirst()
                }
            }
            add(value, due)
        }
        let time = takeTimeToSet()
        lock.unlock()
        counter?.drop(dropped.count)
        Record.drop(dropped.count)
        set(time)
    }

    private func add(_ value: T, _ due: Double) {
        values.append(value)
        times.append(due)
    }

    override func finish(_ end: End<E>) {
        if case .completed = end { return finish(end, at: queue.now + seconds) }
        finish(end, at: -.infinity, drops: true)
        // The timer may be set for later.
        queue.justDispatch { self.pass() }
    }

    private func finish(_ end: End<E>, at time: Double, drops: Bool = false) {
        var dropped = Batch<T>()
        lock.lock()
        if isOpen {
            setEnd(end)
            endTime = time
            if drops {
                values.exchange(&dropped)
                times = Batch()
            }
        }
        let time = takeTimeToSet()
        lock.unlock()
        set(time)
    }

    override var isIdle: Bool { isOpen && values.count == 0 }

    // MARK: The queue

    /// The time of the next delivery.
    private var due: Double? { values.count > 0 ? times.head : end == nil ? nil : endTime }

    /// Returns the time for which the caller must set the timer, or nil if it is set. Called with the lock. The caller
    /// sets the timer after it has released the lock.
    private func takeTimeToSet() -> Double? {
        if isSet || isPassing || isParked { return nil }
        let time = due
        isSet = time != nil
        return time
    }

    private func set(_ time: Double?) {
        if let time { alarm.set(time) { self.pass() } }
    }

    /// Delivers the expired events, on the queue.
    private func pass() {
        let isFirst = lock.withLock {
            isSet = false
            defer { isPassing = true }
            return !isPassing
        }
        if isFirst { while passOne() {} }
    }

    override func goOn() { queue.justDispatch { self.pass() } }

    /// Returns false if no other event has expired.
    private func passOne() -> Bool {
        let now = queue.now
        lock.lock()
        isParked = flags & Flag.pauses != 0 && values.count > 0 && times.head <= now
        guard !isParked, let sink, let due, due <= now, !isDisposed else {
            isPassing = false
            let time = isDisposed ? nil : takeTimeToSet()
            let isOver = isAbandoned && isIdle
            lock.unlock()
            set(time)
            if isOver { discard() }
            return false
        }
        if values.count > 0 {
            let value = values.takeFirst()
            _ = times.takeFirst()
            lock.unlock()
            resumeSource()
            sink.next(value)
            return true
        }
        let (end, last) = takeEnd()
        lock.unlock()
        deliver(end, to: sink)
        return withExtendedLifetime(last) { false }
    }

    override func isOver() { alarm.dispose() }
}

private final class DelayInlet<T, E>: BufferInlet<DelayLine<T, E>, T, E> {
    override func next(_ value: T) { buffer.next(value) }
}
