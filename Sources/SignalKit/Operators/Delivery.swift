/// Where values wait for a queue: what `deliverOn` is made of. Whoever finds nobody at it sends a turn to the queue (or takes it, where the
/// queue is current), which delivers until nothing waits: so a burst of values costs one dispatch, and each of them a place in a row.
class Delivery<T, E>: FeedingSubscription, @unchecked Sendable {
    final let queue: Queue
    @exclusivity(unchecked) private var source: Subscription?
    // The queue's turns alone look at these.
    /// When the last turn came to its end.
    @exclusivity(unchecked) private var lastTurn = -Double.infinity
    @exclusivity(unchecked) private var nextTurn = NextTurn.none
    /// Whether more values could follow the batch that was taken.
    @exclusivity(unchecked) private var mayFollow = true
    /// What the source writes with each value stays out of the cache line that is read with each delivery.
    private let gap: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

    final let lock = SmallLock()
    final let limit: Int
    // What follows, and the source, belongs to the lock.
    @exclusivity(unchecked) final var values = Batch<T>()
    @exclusivity(unchecked) final private(set) var sink: Sink<T, E>?
    @exclusivity(unchecked) private var hasEnded = false
    /// The source has let go: nothing follows what waits.
    @exclusivity(unchecked) private var isAbandoned = false
    /// A turn is on its way to the queue, or running.
    @exclusivity(unchecked) private var hasTurn = false
    @exclusivity(unchecked) private var end: SignalEvent<T, E>?

    /// - Parameter limit: how many values may wait.
    init(_ sink: Sink<T, E>, _ queue: Queue, limit: Int = .max) {
        self.sink = sink
        self.queue = queue
        self.limit = limit
    }

    final func start(_ signal: Signal<T, E>) {
        sink!.attached(self)
        if !isTerminated { signal.attach(DeliveryInlet(self)) }
    }

    /// A value has come for which there is no room. Called with the lock, which it leaves.
    func overflow(with value: T) { lock.unlock() }

    /// A turn: delivers until nothing waits. So what was put before other work of the queue is delivered before it, as with one dispatch each.
    /// - Parameter isSent: whether it is the queue's, and not one that the source takes where the queue is current.
    func deliver(isSent: Bool) {
        var batch = Batch<T>()
        if isSent && queue.executor.isSerial { return share(&batch) }
        repeat {
            while let sink = takeAll(&batch) { pass(&batch, to: sink) }
        } while !endTurnIfIdle()
    }

    /// A turn that lets the queue's other work in when it takes long.
    private func share(_ batch: inout Batch<T>) {
        if nextTurn == .sent { return nextTurn = .cameEarly }
        var pace = Pace(canStay: queue.executor.canStay, since: lastTurn)
        repeat {
            while let sink = takeAll(&batch) {
                let count = batch.count
                pass(&batch, to: sink)
                lastTurn = pace.delivered(count)
                if pace.isSpent && passOn(&batch) { return }
                if mayFollow { pace.rest() }
            }
        } while !endTurnIfIdle()
    }

    /// Sends the next turn; what other work before that may count on to be delivered before it waits by now, and is delivered in this one. False
    /// when the next turn has come meanwhile, in a loop inside a callback: it has left everything to this one.
    private func passOn(_ batch: inout Batch<T>) -> Bool {
        nextTurn = .sent
        sendTurn()
        if let sink = takeAll(&batch) { pass(&batch, to: sink) }
        let isPassedOn = nextTurn == .sent
        nextTurn = .none
        return isPassedOn
    }

    /// What is left after disposal is let go with the batch.
    @inline(__always)
    private func pass(_ batch: inout Batch<T>, to sink: Sink<T, E>) {
        while batch.count > 0 && !isDisposed { sink.next(batch.takeFirst()) }
    }

    /// Lets go of what a subclass has, once it is all over. Called with the lock, which it leaves.
    func clear() { lock.unlock() }

    // MARK: The source

    final var isOpen: Bool { sink != nil && !hasEnded }

    fileprivate func hold(_ upstream: Subscription) {
        isFed(by: upstream)
        lock.lock()
        let isWanted = sink != nil && !isDisposed
        if isWanted { source = upstream }
        lock.unlock()
        if !isWanted { upstream.dispose() }
    }

    @inline(__always)
    fileprivate func next(_ value: T) {
        lock.lock()
        if !isOpen { return lock.unlock() }
        if values.count < limit { admit(value) } else { overflow(with: value) }
    }

    /// Leaves the lock.
    @inline(__always)
    final func admit(_ value: T) {
        values.append(value)
        startTurn()
    }

    fileprivate func finish(_ event: SignalEvent<T, E>) {
        lock.lock()
        guard isOpen else { return lock.unlock() }
        end = event
        hasEnded = true
        startTurn()
    }

    /// Ends the run when what waits has been delivered, and stops the source now. Leaves the lock.
    final func stop(with error: E) {
        end = .Error(error)
        hasEnded = true
        let stopped = source
        lock.unlock()
        stopped?.dispose()
    }

    fileprivate func abandon() {
        lock.lock()
        isAbandoned = true
        if hasTurn || hasEnded { return lock.unlock() }
        letGo()
    }

    // MARK: The queue

    /// Leaves the lock.
    @inline(__always)
    private func startTurn() {
        let isFirst = !hasTurn
        hasTurn = true
        lock.unlock()
        if isFirst { takeTurn() }
    }

    @inline(never)
    private func takeTurn() {
        if queue.isCurrent() { deliver(isSent: false) } else { sendTurn() }
    }

    final func sendTurn() {
        let turn = Turn(self)
        queue.justDispatch { turn.run() }
    }

    /// A turn on its way. When the queue lets it go, nothing will be delivered any more.
    private final class Turn: @unchecked Sendable {
        private var delivery: Delivery?

        init(_ delivery: Delivery) { self.delivery = delivery }

        deinit { delivery?.isLost() }

        func run() {
            let delivery = delivery
            self.delivery = nil
            delivery?.deliver(isSent: true)
        }
    }

    private func isLost() {
        lock.lock()
        letGo()
    }

    /// Takes all that waits, and returns who is to get it. Nobody when nothing waits, or nothing is to be delivered any more.
    private func takeAll(_ batch: inout Batch<T>) -> Sink<T, E>? {
        lock.lock()
        defer { lock.unlock() }
        guard let sink, values.count > 0, !isDisposed else { return nil }
        swap(&values, &batch)
        mayFollow = !hasEnded && !isAbandoned
        return sink
    }

    private func endTurnIfIdle() -> Bool {
        lock.lock()
        let isIdle = values.count == 0 || isDisposed
        if isIdle { endTurn() } else { lock.unlock() }
        return isIdle
    }

    /// Nothing waits: the end, if it has come, is told. Called with the lock, which it leaves.
    final func endTurn() {
        guard let sink, !isDisposed else { return lock.unlock() }
        if let event = end {
            let source = source
            self.source = nil
            self.sink = nil
            end = nil
            lock.unlock()
            raiseDone(Flag.terminated)
            switch event {
            case .Next: break
            case let .Error(error): sink.error(error)
            case .Completion: sink.completed()
            }
            return withExtendedLifetime(source) {}
        }
        hasTurn = false
        if isAbandoned { letGo() } else { lock.unlock() }
    }

    // MARK: The end

    override func dispose() {
        if raiseDone(Flag.terminated | Flag.disposed) & Flag.disposed != 0 { return }
        lock.lock()
        let stopped = source
        source = nil
        lock.unlock()
        stopped?.dispose()
        lock.lock()
        letGo()
    }

    /// Nothing is delivered any more: everything goes. Called with the lock, which it leaves.
    private func letGo() {
        _ = raise(Flag.terminated)
        let droppedTail = (sink, end)
        sink = nil
        end = nil
        var dropped = Batch<T>()
        swap(&values, &dropped)
        clear()
        _ = consume dropped
        withExtendedLifetime(droppedTail) {}
    }
}

/// What has become of the turn that a turn has sent.
private enum NextTurn { case none, sent, cameEarly }

private final class DeliveryInlet<T, E>: Sink<T, E> {
    private let delivery: Delivery<T, E>

    init(_ delivery: Delivery<T, E>) { self.delivery = delivery }

    deinit { delivery.abandon() }

    override func attached(_ upstream: Subscription) { delivery.hold(upstream) }
    override func next(_ value: T) { delivery.next(value) }
    override func error(_ error: E) { delivery.finish(.Error(error)) }
    override func completed() { delivery.finish(.Completion) }
}
