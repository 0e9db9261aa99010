import Synchronization

/// What becomes of a value for which there is no room.
public enum OverflowPolicy<E> {
    /// The emitting thread is blocked until there is room. Not where that would wait for itself (on the queue, or inside the callback): there
    /// the bound is exceeded instead.
    case suspend
    /// The value that has waited longest is dropped.
    case dropOldest
    /// The new value is dropped.
    case dropNewest
    /// All that wait are dropped: the new value alone is kept.
    case keepLatest
    /// The new value is dropped, the source disposed, and the run fails when what waits has been delivered.
    case fail(E)
}

/// What has come of overflows; for any number of runs.
public final class OverflowCounter: Sendable {
    private let drops = Synchronization.Atomic<Int>(0)
    private let suspensions = Synchronization.Atomic<Int>(0)

    public init() {}

    /// How many values were dropped.
    public var dropped: Int { drops.load(ordering: .relaxed) }
    /// How often an emitting thread was blocked.
    public var suspended: Int { suspensions.load(ordering: .relaxed) }

    fileprivate func drop(_ count: Int) { drops.add(count, ordering: .relaxed) }
    fileprivate func suspend() { suspensions.add(1, ordering: .relaxed) }
}

/// `deliverOn` with a bound: at most `limit` values wait for the queue; what comes then goes by `overflow`. Ends need no room. The queue is given
/// to other work after every `limit` values.
/// - Parameter counter: told of what overflows.
public func deliverOn<T, E>(
    _ queue: Queue, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(limit > 0, "nothing could wait")
    return { signal in
        ComposedSignal(of: signal) { sink in
            BoundedDelivery(sink, queue, limit, overflow, counter ?? OverflowCounter()).start(signal)
        }
    }
}

/// A `Delivery` in which no more than so many values wait.
private final class BoundedDelivery<T, E>: Delivery<T, E>, @unchecked Sendable {
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter
    private let inside = ThreadMark()
    /// Threads that wait for room. Belongs to the lock.
    @exclusivity(unchecked) private var suspended = Fifo<Latch>()

    init(_ sink: Sink<T, E>, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter) {
        self.overflow = overflow
        self.counter = counter
        super.init(sink, queue, limit: limit)
    }

    override func overflow(with value: T) {
        switch overflow {
        case .suspend:
            waitForRoom(value)
        case .dropOldest:
            let oldest = values.takeFirst()
            values.append(value)
            lock.unlock()
            withExtendedLifetime(oldest) { counter.drop(1) }
        case .dropNewest:
            lock.unlock()
            counter.drop(1)
        case .keepLatest:
            var dropped = Batch<T>()
            swap(&dropped, &values)
            values.append(value)
            lock.unlock()
            counter.drop(dropped.count)
        case let .fail(error):
            stop(with: error)
            counter.drop(1)
        }
    }

    private func waitForRoom(_ value: T) {
        var mayWait = !queue.isCurrent() && !inside.isMine
        if mayWait { counter.suspend() }
        while mayWait && values.count >= limit && isOpen {
            let latch = Latch()
            suspended.append(latch)
            lock.unlock()
            queue.executor.wait(for: latch, .infinity)
            mayWait = latch.isOpen
            lock.lock()
        }
        if isOpen { admit(value) } else { lock.unlock() }
    }

    override func deliver(isSent: Bool) {
        var left = limit
        inside.run { while deliverFirst(isSpent: left == 0) { left -= 1 } }
    }

    /// Delivers what waits longest. False when the turn is over: there was nothing, or it has been the turn's share, and there will be another.
    @inline(never)
    private func deliverFirst(isSpent: Bool) -> Bool {
        lock.lock()
        guard let sink, values.count > 0 else {
            endTurn()
            return false
        }
        if isSpent {
            lock.unlock()
            sendTurn()
            return false
        }
        let value = values.takeFirst()
        let latch = suspended.popFirst()
        lock.unlock()
        latch?.open()
        sink.next(value)
        return true
    }

    override func clear() {
        var dropped = suspended
        suspended = Fifo()
        lock.unlock()
        while let latch = dropped.popFirst() { latch.open() }
    }
}
