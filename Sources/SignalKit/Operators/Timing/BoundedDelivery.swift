import Synchronization

/// What becomes of a value for which there is no room.
public enum OverflowPolicy<E> {
    /// The emitting thread is blocked until there is room. Where it would wait for itself, the bound is exceeded
    /// instead: on the queue, inside the callback, and where one of these waits for the emitting thread. The same holds
    /// if all threads of the queue's thread pool wait for it.
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

    /// Begins with nothing counted.
    public init() {}

    /// How many values were dropped.
    public var dropped: Int { drops.load(ordering: .relaxed) }
    /// How often an emitting thread was blocked.
    public var suspended: Int { suspensions.load(ordering: .relaxed) }

    func drop(_ count: Int) { drops.add(count, ordering: .relaxed) }
    func suspend() { suspensions.add(1, ordering: .relaxed) }
}

/// `deliverOn` with a bound: at most `limit` values wait for the queue; what comes then goes by `overflow`. Ends need
/// no room. The queue is given to other work after every `limit` values.
/// - Parameters:
///   - queue: where the events are delivered.
///   - limit: how many values may wait for the queue.
///   - overflow: what becomes of a value for which there is no room.
///   - counter: told of what overflows.
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

/// A `Delivery` in which no more than so many values wait.
private final class BoundedDelivery<T, E>: Delivery<T, E>, @unchecked Sendable {
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter
    /// Threads that wait for room. Belongs to the lock.
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

    /// If there is no room, no more than so many stay of those that wait.
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
            if let wait = beginWait() {
                if isNew { counter.suspend() }
                isNew = false
                queue.executor.wait(for: latch, .infinity, wait)
                wait.end()
            }
            mayWait = latch.isOpen
            if !mayWait { latch.open() }  // it is not to be told of room that others wait for
        }
    }

    /// Nil where the caller would wait for itself. On a concurrent queue the thread inside is the one that makes room.
    private func beginWait() -> Wait? {
        queue.executor.beginWait(inside: queue.executor.isConcurrent ? withUnsafePointer(to: inside) { $0 } : nil)
    }

    /// Who is told of room puts a value, which is taken in its turn: so all who wait are told.
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
