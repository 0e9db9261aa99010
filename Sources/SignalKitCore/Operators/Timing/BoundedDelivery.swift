/// Like `deliverOn`, but at most `limit` values are pending. `overflow` decides what happens to a further value.
///
/// Terminal events need no space. After every `limit` values the queue runs its other work.
///
/// - Parameters:
///   - queue: where the events are delivered.
///   - limit: the maximum number of pending values.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts the dropped values, the blocked threads and the values above a limit.
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
    /// The policy at the limit. Nil: the limit may be exceeded. Its type would be looked up for each value, so the
    /// values below contain what most values need.
    private let overflow: OverflowPolicy<E>?
    private let isSuspending, isFailing: Bool
    /// The number of pending values at which the policy decides.
    private let most: Int
    /// The number of values that the policy leaves before it adds a value. Nil: it drops none of them.
    private let left: Int?
    private let counter: OverflowCounter
    /// The threads that are blocked until there is space. Guarded by the lock.
    @exclusivity(unchecked) private var suspended = Fifo<Latch>()

    init(_ sink: Sink<T, E>, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter) {
        self.counter = counter
        self.overflow = overflow.atLimit
        var (isSuspending, isFailing, most, left) = (false, false, limit, Int?.none)
        switch self.overflow {
        case nil: most = .max
        case .suspend: isSuspending = true
        case .dropOldest: left = limit - 1
        case .keepLatest: left = 0
        case .fail: isFailing = true
        case .dropNewest, .pause: break
        }
        (self.isSuspending, self.isFailing, self.most, self.left) = (isSuspending, isFailing, most, left)
        super.init(sink, queue, limit: limit, high: overflow.marks(limit: limit).high, capacity: limit, share: 1)
        governSource()
    }

    override func addToFull(_ value: T) {
        if mayExceed && addAndPause(value, to: most, counter) { return }
        if let left { return add(value, leaving: left) }
        if isSuspending { return addWhenThereIsRoom(value) }
        counter.drop(1)
        Record.drop(1)
        if isFailing { fail() }
    }

    @inline(never)
    private func fail() {
        if case let .fail(error) = overflow { stop(with: error) }
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
        dropped.close()
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
        guard isSuspending else { return }
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
