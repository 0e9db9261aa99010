import Synchronization

/// The policy for a value above the capacity of a buffer.
public enum OverflowPolicy<E> {
    /// The emitting thread is blocked until the buffer has space.
    ///
    /// If the thread would deadlock, the value exceeds the limit instead. This happens on the queue itself, inside the
    /// callback, and if one of these waits for the emitting thread. It also happens if all threads of the queue's
    /// thread pool wait for it.
    case suspend
    /// The value that has waited longest is dropped.
    case dropOldest
    /// The new value is dropped.
    case dropNewest
    /// All pending values are dropped. Only the new value is kept.
    case keepLatest
    /// The new value is dropped, and the source is disposed. The subscription fails after the pending values were
    /// delivered.
    case fail(E)
}

/// Counts the effects of overflow policies. Any number of subscriptions can share it.
public final class OverflowCounter: Sendable {
    private let drops = Synchronization.Atomic<Int>(0)
    private let suspensions = Synchronization.Atomic<Int>(0)

    /// Creates a counter at 0.
    public init() {}

    /// The number of dropped values.
    public var dropped: Int { drops.load(ordering: .relaxed) }
    /// The number of times that an emitting thread was blocked.
    public var suspended: Int { suspensions.load(ordering: .relaxed) }

    func drop(_ count: Int) { drops.add(count, ordering: .relaxed) }
    func suspend() { suspensions.add(1, ordering: .relaxed) }
}

/// Like `deliverOn`, but at most `limit` values are pending. `overflow` decides what happens to a further value.
///
/// Terminal events need no space. After every `limit` values the queue runs its other work.
///
/// - Parameters:
///   - queue: where the events are delivered.
///   - limit: the maximum number of pending values.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts the dropped values and the blocked threads.
public func deliverOn<T, E>(
    _ queue: Queue, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(limit > 0, "limit must be 1 or more")
    let kinds = (delivery: BoundedDelivery<T, E>.self, inlet: DeliveryInlet<T, E>.self)
    return { signal in
        ComposedSignal(of: signal, .several([.queue(queue), .count(limit)])) { sink in
            kinds.delivery.init(sink, queue, limit, overflow, counter ?? OverflowCounter())
                .start(signal, by: kinds.inlet)
        }
    }
}

/// A `Delivery` with a limit on pending values.
private final class BoundedDelivery<T, E>: Delivery<T, E>, @unchecked Sendable {
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter
    /// The threads that are blocked until there is space. Guarded by the lock.
    @exclusivity(unchecked) private var suspended = Fifo<Latch>()

    init(_ sink: Sink<T, E>, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter) {
        self.overflow = overflow
        self.counter = counter
        super.init(sink, queue, limit: limit, capacity: limit, share: 1)
    }

    override func overflow(with value: T) {
        switch overflow {
        case .suspend: addWhenThereIsRoom(value)
        case .dropOldest: add(value, leaving: limit - 1)
        case .dropNewest:
            counter.drop(1)
            Record.drop(1)
        case .keepLatest: add(value, leaving: 0)
        case let .fail(error):
            counter.drop(1)
            Record.drop(1)
            stop(with: error)
        }
    }

    /// If the buffer is full, drops the oldest values until `count` of them are left, then adds the value.
    private func add(_ value: T, leaving count: Int) {
        var dropped = Batch<T>()
        lock.lock()
        if isOpen && values.count >= limit { drop(values.count - count, into: &dropped) }
        let place = isOpen ? add(value) : nil
        lock.unlock()
        counter.drop(dropped.count)
        Record.drop(dropped.count)
        if let place { take(place) }
    }

    private func addWhenThereIsRoom(_ value: T) {
        var mayWait = !queue.isCurrent() && !inside.isMine
        var isNew = true
        while true {
            var latch: Latch?
            var place: DeliveryMachine.Place?
            lock.withLock {
                if !isOpen { return }
                if mayWait && values.count >= limit {
                    latch = Latch()
                    suspended.append(latch!)
                } else {
                    place = add(value)
                }
            }
            if let place { take(place) }
            guard let latch else { return }
            if let wait = beginWait(for: latch) {
                if isNew { counter.suspend() }
                isNew = false
                queue.executor.wait(for: latch, .infinity, wait)
                wait.end()
            }
            mayWait = latch.isOpen
            if !mayWait { latch.open() } // it is not to be told of room that others wait for
        }
    }

    /// Returns nil if the caller would deadlock. On a concurrent queue the thread in `inside` is the one that frees
    /// space.
    private func beginWait(for latch: Latch) -> Wait? {
        let inside = queue.executor.isConcurrent ? withUnsafePointer(to: inside) { $0 } : nil
        return queue.executor.beginWait(for: latch, inside: inside)
    }

    /// A thread that is woken adds one value. The removal of that value wakes the next thread, so all blocked threads
    /// are woken.
    override func hasTaken() {
        let latch: Latch? = lock.withLock {
            while let latch = suspended.popFirst() {
                if !latch.isOpen { return latch }
            }
            return nil
        }
        latch?.open()
    }

    override func isOver() {
        var all = lock.withLock {
            defer { suspended = Fifo() }
            return suspended
        }
        while let latch = all.popFirst() { latch.open() }
    }
}
