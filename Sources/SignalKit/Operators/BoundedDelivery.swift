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
        Signal(attach: { sink in
            let delivery = BoundedDelivery(sink, queue, limit, overflow, counter ?? OverflowCounter())
            sink.attached(delivery)
            if !delivery.isTerminated { signal.attach(BoundedInlet(delivery)) }
        })
    }
}

/// Where values wait for a queue. Whoever finds nobody at it sends a turn to the queue; that delivers until nothing waits.
private final class BoundedDelivery<T, E>: Subscription, @unchecked Sendable {
    private let queue: Queue
    private let limit: Int
    private let overflow: OverflowPolicy<E>
    private let counter: OverflowCounter
    private let inside = ThreadMark()
    private let lock = SmallLock()
    // The rest belongs to the lock.
    @exclusivity(unchecked) private var sink: Sink<T, E>?
    @exclusivity(unchecked) private var source: Subscription?
    @exclusivity(unchecked) private var values = Fifo<T>()
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var end: SignalEvent<T, E>?
    /// The source has let go: nothing follows what waits.
    @exclusivity(unchecked) private var isAbandoned = false
    /// A turn is on its way to the queue, or running.
    @exclusivity(unchecked) private var hasTurn = false
    /// Threads that wait for room.
    @exclusivity(unchecked) private var suspended = Fifo<Latch>()

    init(_ sink: Sink<T, E>, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter) {
        self.sink = sink
        self.queue = queue
        self.limit = limit
        self.overflow = overflow
        self.counter = counter
    }

    // MARK: The source

    func hold(_ upstream: Subscription) {
        lock.lock()
        let isWanted = sink != nil && !isDisposed
        if isWanted { source = upstream }
        lock.unlock()
        if !isWanted { upstream.dispose() }
    }

    func next(_ value: T) {
        lock.lock()
        guard sink != nil && end == nil else { return lock.unlock() }
        if count < limit {
            add(value)
            startTurn()
        } else {
            overflow(with: value)
        }
    }

    private func add(_ value: T) {
        values.append(value)
        count += 1
    }

    /// There is no room. Leaves the lock.
    private func overflow(with value: T) {
        switch overflow {
        case .suspend:
            waitForRoom(value)
        case .dropOldest:
            let oldest = values.popFirst()
            values.append(value)
            lock.unlock()
            withExtendedLifetime(oldest) { counter.drop(1) }
        case .dropNewest:
            lock.unlock()
            counter.drop(1)
        case .keepLatest:
            var dropped = Fifo<T>()
            swap(&dropped, &values)
            let number = count
            count = 0
            add(value)
            lock.unlock()
            withExtendedLifetime(dropped) { counter.drop(number) }
        case let .fail(error):
            end = .Error(error)
            let stopped = source
            lock.unlock()
            counter.drop(1)
            stopped?.dispose()
        }
    }

    private func waitForRoom(_ value: T) {
        var mayWait = !queue.isCurrent() && !inside.isMine
        if mayWait { counter.suspend() }
        while mayWait && count >= limit && sink != nil && end == nil {
            let latch = Latch()
            suspended.append(latch)
            lock.unlock()
            queue.executor.wait(for: latch, .infinity)
            mayWait = latch.isOpen
            lock.lock()
        }
        guard sink != nil && end == nil else { return lock.unlock() }
        add(value)
        startTurn()
    }

    func finish(_ event: SignalEvent<T, E>) {
        lock.lock()
        guard sink != nil && end == nil else { return lock.unlock() }
        end = event
        startTurn()
    }

    func abandon() {
        lock.lock()
        isAbandoned = true
        if hasTurn || end != nil { return lock.unlock() }
        letGo()
    }

    // MARK: The queue

    /// Leaves the lock.
    private func startTurn() {
        let isFirst = !hasTurn
        hasTurn = true
        lock.unlock()
        if !isFirst { return }
        if queue.isCurrent() { deliver() } else { sendTurn() }
    }

    private func sendTurn() {
        let turn = Turn(self)
        queue.justDispatch { turn.run() }
    }

    /// A turn on its way. When the queue lets it go, nothing will be delivered any more.
    private final class Turn: @unchecked Sendable {
        private var delivery: BoundedDelivery?

        init(_ delivery: BoundedDelivery) { self.delivery = delivery }

        deinit { delivery?.isLost() }

        func run() {
            let delivery = delivery
            self.delivery = nil
            delivery?.deliver()
        }
    }

    func isLost() {
        lock.lock()
        letGo()
    }

    fileprivate func deliver() {
        var left = limit
        inside.run { while deliverFirst(isSpent: left == 0) { left -= 1 } }
    }

    /// Delivers what waits longest. False when the turn is over: there was nothing, or it has been the turn's share, and there will be another.
    @inline(never)
    private func deliverFirst(isSpent: Bool) -> Bool {
        lock.lock()
        guard let sink else {
            lock.unlock()
            return false
        }
        if isSpent && count > 0 {
            lock.unlock()
            sendTurn()
            return false
        }
        if let value = values.popFirst() {
            count -= 1
            let latch = suspended.popFirst()
            lock.unlock()
            latch?.open()
            sink.next(value)
            return true
        }
        if let event = end {
            finish(sink, event)
            return false
        }
        hasTurn = false
        if isAbandoned { letGo() } else { lock.unlock() }
        return false
    }

    /// Leaves the lock.
    private func finish(_ sink: Sink<T, E>, _ event: SignalEvent<T, E>) {
        let source = source
        self.source = nil
        self.sink = nil
        lock.unlock()
        _ = raise(Flag.terminated)
        switch event {
        case .Next: break
        case let .Error(error): sink.error(error)
        case .Completion: sink.completed()
        }
        withExtendedLifetime(source) {}
    }

    // MARK: The end

    override func dispose() {
        if raise(Flag.terminated | Flag.disposed) & Flag.disposed != 0 { return }
        lock.lock()
        let stopped = source
        source = nil
        lock.unlock()
        stopped?.dispose()
        lock.lock()
        letGo()
    }

    /// Nothing is delivered any more: everything goes. Leaves the lock.
    private func letGo() {
        _ = raise(Flag.terminated)
        var dropped = (sink, values, suspended)
        sink = nil
        values = Fifo()
        count = 0
        suspended = Fifo()
        lock.unlock()
        while let latch = dropped.2.popFirst() { latch.open() }
    }
}

private final class BoundedInlet<T, E>: Sink<T, E> {
    private let delivery: BoundedDelivery<T, E>

    init(_ delivery: BoundedDelivery<T, E>) { self.delivery = delivery }

    deinit { delivery.abandon() }

    override func attached(_ upstream: Subscription) { delivery.hold(upstream) }
    override func next(_ value: T) { delivery.next(value) }
    override func error(_ error: E) { delivery.finish(.Error(error)) }
    override func completed() { delivery.finish(.Completion) }
}
