import SignalKitShims
import Synchronization

/// The buffer between a subscription and its readers. Any number of threads emit and read.
///
/// In the child of a fork it is not used, because another thread of the parent may have been changing it.
final class ReadingBuffer<T, E>: @unchecked Sendable {
    private let limit: Int
    /// The policy at the limit. Nil: the limit may be exceeded.
    private let overflow: OverflowPolicy<E>?
    /// See `OverflowPolicy.marks`.
    private let marks: (high: Int, low: Int)
    /// See `Record.checked`.
    private let checked: Int
    private let counter: OverflowCounter
    private let endsWithSource: Bool
    private let process = ProcessMark()
    /// The critical sections may be long. They update the descriptor, so that it always shows the current state.
    private let lock = FutexLock()
    // The lock guards the following fields.
    private var values = Batch<T>()
    private var end: End<E>?
    private var isClosed = false
    private var source = Slot.empty
    private var isPausing = false
    private var hasWarned = false
    /// The thread that read last. If it emits, no other thread is known to read.
    private var reader = CurrentWork.thread
    /// The threads that wait for a value (each value wakes one), for readiness, and for space.
    private var askers: [Latch] = []
    private var watchers: [Latch] = []
    private var suspended = Fifo<Latch>()
    /// -1 before the first request.
    private var event: sgk_shim_event = -1
    private var isRaised = false

    init(_ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter, _ endsWithSource: Bool) {
        self.limit = limit
        self.overflow = overflow.atLimit
        marks = overflow.marks(limit: limit)
        checked = Record.checked(limit, marks.high)
        self.counter = counter
        self.endsWithSource = endsWithSource
    }

    deinit {
        if event >= 0 { sgk_shim_event_close(event) }
    }

    var isInItsProcess: Bool { process.isCurrent }

    private var isOpen: Bool { !isClosed && end == nil }

    private var hasSomethingToRead: Bool { values.count > 0 || !isOpen }

    // MARK: The source

    func store(_ upstream: Subscription) {
        lock.lock()
        if marks.high < .max { upstream.govern() }
        let late = source.store(upstream)
        lock.unlock()
        late?.dispose()
    }

    func put(_ value: T) {
        if !isInItsProcess { return }
        lock.lock()
        if values.count >= checked && isOpen { return overflow(with: value) }
        appendAndUnlock(value)
    }

    /// Called with the lock.
    private func overflow(with value: T) {
        if overflow == nil || values.count < limit { return pauseAndAppend(value) }
        switch overflow {
        case nil, .pause: appendAndUnlock(value)
        case .suspend:
            waitForRoom()
            appendAndUnlock(value)
        case .dropOldest: appendAndUnlock(value, leaving: limit - 1)
        case .keepLatest: appendAndUnlock(value, leaving: 0)
        case .dropNewest:
            lock.unlock()
            counter.drop(1)
        case let .fail(error):
            counter.drop(1)
            endAndUnlock(.error(error))?.dispose()
        }
    }

    /// Called with the lock, when the buffer is nearly full, or has no limit and many values.
    private func pauseAndAppend(_ value: T) {
        if values.count + 1 >= marks.high && !isPausing {
            isPausing = true
            source.subscription?.pause()
        }
        if values.count >= limit { counter.exceed() }
        let warns = values.count >= Record.many && !hasWarned
        hasWarned = hasWarned || warns
        appendAndUnlock(value)
        if warns { Record.tellOfMany() }
    }

    /// Called with the lock: takes the pause back, if there is space again. The caller resumes the result after
    /// unlocking.
    private func sourceToResume() -> Subscription? {
        guard isPausing, values.count <= marks.low else { return nil }
        isPausing = false
        return source.subscription
    }

    /// Called with the lock: drops the oldest values until `count` are left, then adds the value if the buffer is open.
    private func appendAndUnlock(_ value: T, leaving count: Int = .max) {
        if !isOpen { return lock.unlock() }
        var dropped = Batch<T>()
        while values.count > count { dropped.append(values.takeFirst()) }
        values.append(value)
        showWhatThereIs()
        let asker = askers.isEmpty ? nil : askers.removeFirst()
        let told = takeWatchers()
        lock.unlock()
        asker?.open()
        for watcher in told { watcher.open() }
        if dropped.count > 0 { counter.drop(dropped.count) }
    }

    /// Called with the lock, which it unlocks while it waits.
    private func waitForRoom() {
        var isNew = true
        while values.count >= limit && isOpen {
            let wait = Wait(for: reader), latch = Latch()
            if !wait.begin(isKnown: false) { return } // others may read
            if isNew { counter.suspend() }
            isNew = false
            suspended.append(latch)
            lock.unlock()
            latch.wait(.infinity)
            wait.end()
            lock.lock()
        }
    }

    /// Adds the terminal event after the pending values.
    func finish(_ end: End<E>) {
        if !isInItsProcess { return }
        lock.lock()
        _ = endAndUnlock(end)
    }

    /// The source has released its subscriber. It is disposed, because it did not end. Without a deadline the reading
    /// completes.
    func abandon() {
        if !isInItsProcess { return }
        lock.lock()
        let stopped: (any Disposable)?
        if endsWithSource {
            stopped = endAndUnlock(.completed)
        } else {
            stopped = source.close()
            lock.unlock()
        }
        stopped?.dispose()
    }

    /// Called with the lock. Returns the source. The caller must dispose it if it has not ended.
    private func endAndUnlock(_ end: End<E>) -> (any Disposable)? {
        if isOpen { self.end = end }
        return tellAllAndUnlock()
    }

    /// Called with the lock, after the end.
    private func tellAllAndUnlock() -> (any Disposable)? {
        let stopped = source.close()
        showWhatThereIs()
        let woken = askers + takeWatchers()
        askers = []
        var freed = suspended
        suspended = Fifo()
        lock.unlock()
        for latch in woken { latch.open() }
        while let latch = freed.popFirst() { latch.open() }
        return stopped
    }

    // MARK: The reader

    /// Returns the next value or the end, and waits for it if necessary.
    func next(_ patience: inout Patience) -> Reading<T, E> {
        if !isInItsProcess { return .closed }
        while true {
            lock.lock()
            reader = CurrentWork.thread
            if let reading = takeAndUnlock() { return reading }
            lock.unlock()
            guard patience.isLeft else { return .timeout }
            guard let latch = patience.makeLatch() else { return .refused }
            if let reading = wait(latch, &patience) { return reading }
        }
    }

    private func wait(_ latch: Latch, _ patience: inout Patience) -> Reading<T, E>? {
        lock.lock()
        if let reading = takeAndUnlock() { return reading }
        askers.append(latch)
        lock.unlock()
        patience.wait(for: latch)
        lock.lock()
        askers.removeAll { $0 === latch }
        if let reading = takeAndUnlock() { return reading }
        lock.unlock()
        return latch.isOpen ? nil : .timeout
    }

    /// Called with the lock, which it unlocks if the result is not nil.
    private func takeAndUnlock() -> Reading<T, E>? {
        if values.count > 0 {
            let value = values.takeFirst()
            showWhatThereIs()
            let emitter = suspended.popFirst()
            let paused = sourceToResume()
            lock.unlock()
            emitter?.open()
            paused?.resume()
            return .value(value)
        }
        if isOpen { return nil }
        let (isClosed, end) = (isClosed, end)
        lock.unlock()
        if isClosed { return .closed }
        if case let .failed(failure) = end { return .failed(failure.error) }
        return .completed
    }

    /// Returns a descriptor that is readable when there is something to read. The result is negative if the system
    /// provides none, and nil if the reader is closed.
    func descriptor() -> Int32? {
        if !isInItsProcess { return nil }
        lock.lock()
        defer { lock.unlock() }
        if isClosed { return nil }
        if event < 0 { event = sgk_shim_event_make() }
        showWhatThereIs()
        return sgk_shim_event_descriptor(event)
    }

    /// Calls `f` once, when there is something to read, immediately if possible.
    func whenReady(_ f: @escaping () -> Void) {
        if !isInItsProcess { return }
        lock.lock()
        let isReady = hasSomethingToRead
        if !isReady { watchers.append(Latch(f)) }
        lock.unlock()
        if isReady { f() }
    }

    /// Called with the lock.
    private func takeWatchers() -> [Latch] {
        if watchers.isEmpty { return [] }
        defer { watchers = [] }
        return watchers
    }

    /// Called with the lock, after each change.
    private func showWhatThereIs() {
        if event < 0 || isRaised == hasSomethingToRead { return }
        isRaised = !isRaised
        if isRaised { sgk_shim_event_raise(event) } else { sgk_shim_event_clear(event) }
    }

    /// Drops the pending values and disposes the source.
    func close() {
        if !isInItsProcess { return }
        var dropped = Batch<T>()
        lock.lock()
        isClosed = true
        values.exchange(&dropped)
        tellAllAndUnlock()?.dispose()
    }
}

/// The inlet of the buffer.
final class ReaderInlet<T, E>: Sink<T, E> {
    private let buffer: ReadingBuffer<T, E>

    init(_ buffer: ReadingBuffer<T, E>) { self.buffer = buffer }

    /// The source was released. No further event can arrive.
    deinit { buffer.abandon() }

    override func attached(_ upstream: Subscription) { buffer.store(upstream) }
    override func next(_ value: T) { buffer.put(value) }
    override func end(_ end: End<E>) { buffer.finish(end) }
}
