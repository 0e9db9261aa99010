import SignalKitShims

/// The interval at which a turn of a `Delivery` checks for new events. Each check takes the cache line from the
/// emitting threads. Waking the queue's thread for the next event would take longer than this interval.
private var timeBetweenLooks: Double { 2e-6 }

/// The buffer of `deliverOn`. Its machine decides which events a turn in the queue may deliver. One turn at a time
/// delivers them, in batches.
class Delivery<T, E>: BufferingSubscription<T, E>, @unchecked Sendable {
    // Guarded by the lock. It is next to the values.
    @exclusivity(unchecked) final private var machine: DeliveryMachine
    final let queue: Queue
    private let tickets: Tickets
    /// The thread that delivers at this moment.
    final let inside = ThreadMark()
    /// The maximum number of values that a turn takes at a time.
    private let share: Int

    /// - Parameters:
    ///   - limit: the maximum number of pending values.
    ///   - high: the number of pending values at which the source is paused.
    ///   - capacity: the maximum number of events of a place in the queue.
    ///   - share: the maximum number of values that a turn takes at a time.
    init(
        _ sink: Sink<T, E>, _ queue: Queue, limit: Int = .max, high: Int = .max,
        capacity: Int = 1024, share: Int = .max
    ) {
        self.queue = queue
        self.share = share
        tickets = queue.executor.tickets
        // Above that number of events none joins without `put`.
        machine = DeliveryMachine(capacity: capacity, limit: Record.checked(limit, high))
        super.init(sink, limit, high: high)
    }

    override final func bound(_ count: Int) { machine.bound(count) }

    final func start(_ signal: Signal<T, E>, by inlet: DeliveryInlet<T, E>.Type) {
        sink!.attached(self)
        if !isTerminated { signal.attach(inlet.init(self)) }
    }

    // MARK: The source

    @inline(__always)
    fileprivate final func next(_ value: T) {
        lock.lock()
        if machine.joins(behind: values.count, at: tickets.current) {
            values.append(value)
            lock.unlock()
        } else {
            lock.unlock()
            put(value)
        }
    }

    @inline(never)
    final private func put(_ value: T) {
        lock.lock()
        let isFull = isOpen && machine.isFull(values.count)
        let place = isOpen && !isFull ? add(value) : nil
        lock.unlock()
        if let place { take(place) } else if isFull { addToFull(value) }
    }

    /// Adds a value to a buffer that is full, or nearly full.
    func addToFull(_ value: T) { addAndPause(value, to: .max) }

    /// Adds a value to a buffer that pauses its source. Returns false if `count` values are pending. Then the second
    /// policy decides about the value.
    @discardableResult
    final func addAndPause(_ value: T, to count: Int, _ counter: OverflowCounter? = nil) -> Bool {
        lock.lock()
        if !isOpen || values.count >= count {
            defer { lock.unlock() }
            return !isOpen
        }
        let place = add(value), warns = pauseIfFull(), exceeds = values.count > limit
        lock.unlock()
        if exceeds { counter?.exceed() }
        if warns { Record.tellOfMany() }
        if let place { take(place) }
        return true
    }

    /// Called with the lock. Returns the place to be taken for the value, unless it has one.
    final func add(_ value: T) -> DeliveryMachine.Place? {
        let place = machine.add(behind: values.count, at: tickets.current) { inside.isMine }
        values.append(value)
        return place
    }

    /// The number of pending events. Called with the lock.
    final private var waiting: Int { end == nil ? values.count : values.count + 1 }

    /// Called with the lock: removes the oldest values without delivering them.
    final func drop(_ count: Int, into dropped: inout Batch<T>) {
        machine.drop(count)
        for _ in 0..<count { dropped.append(values.takeFirst()) }
    }

    /// Adds the terminal event. The pending events are delivered before it.
    override final func finish(_ end: End<E>) {
        let place: DeliveryMachine.Place? = lock.withLock {
            if !isOpen { return nil }
            setEnd(end)
            return machine.end(behind: values.count, at: tickets.current) { inside.isMine }
        }
        if let place { take(place) }
    }

    /// Disposes the source now, and fails after the pending events were delivered.
    final func stop(with error: E) {
        let stopped = takeSource()
        finish(.error(error))
        stopped?.dispose()
    }

    override final var isIdle: Bool { machine.isIdle(waiting) }

    // MARK: The queue

    /// Takes a place in the queue. If the queue is current and no event of the subscription is in flight, it delivers
    /// immediately instead.
    @inline(never)
    final func take(_ place: DeliveryMachine.Place) {
        if place.mayBeInline && queue.isCurrent() { return deliver(place, inline: true) }
        let turn = Turn(self, place)
        let ticket = queue.executor.enqueueWithTicket { turn.run() }
        lock.withLock { machine.isPut(place, ticket: ticket) }
    }

    /// An enqueued turn. If the queue releases it without running it, nothing is delivered afterwards.
    private final class Turn: @unchecked Sendable {
        private var delivery: Delivery?
        /// Nil for a turn that continues.
        private let place: DeliveryMachine.Place?

        init(_ delivery: Delivery, _ place: DeliveryMachine.Place?) {
            self.delivery = delivery
            self.place = place
        }

        deinit { delivery?.discard() }

        func run() {
            let delivery = delivery
            self.delivery = nil
            guard let delivery else { return }
            if let place { return delivery.deliver(place, inline: false) }
            delivery.inside.run { delivery.deliverWhatIsDue() }
        }
    }

    override final func goOn() {
        let turn = Turn(self, nil)
        queue.justDispatch { turn.run() }
    }

    private func deliver(_ place: DeliveryMachine.Place, inline: Bool) {
        if lock.withLock({ machine.begin(place, inline: inline) }) { inside.run { deliverWhatIsDue() } }
    }

    private func deliverWhatIsDue() {
        var batch = Batch<T>()
        let rests = share == .max && queue.executor.canStay && flags & Flag.governed == 0
        turn: while true {
            let time = rests ? DeadlineClock.now : 0
            switch takeWhatIsDue(&batch) {
            case let .values(sink):
                resumeSource()
                hasTaken()
                // After disposal the remaining values are released with the batch.
                while batch.count > 0 {
                    if _slowPath(flags & (Flag.disposed | Flag.pauses) != 0) && stops(&batch) { break turn }
                    sink.next(batch.takeFirst())
                }
                while rests && DeadlineClock.now - time < timeBetweenLooks { sgk_shim_yield() }
            case let .end(sink, end, source):
                deliver(end, to: sink)
                withExtendedLifetime(source) {}
                break turn
            case .abandonment:
                discard()
                break turn
            case .nothing:
                break turn
            }
        }
        batch.close()
    }

    private enum Due {
        case values(Sink<T, E>)
        case end(Sink<T, E>, End<E>, (any Disposable)?)
        case abandonment
        /// The turn is over.
        case nothing
    }

    /// The turn stops: after disposal, or because of a pause.
    @inline(never)
    private func stops(_ batch: inout Batch<T>) -> Bool { lock.withLock { isDisposed || parks(&batch) } }

    /// Called with the lock. A pause stops the turn if values are pending. It stays the only turn, and the resumption
    /// continues it.
    private func parks(_ batch: inout Batch<T>) -> Bool {
        if sink == nil || flags & Flag.pauses == 0 { return false }
        machine.putBack(batch.count)
        values.exchange(&batch)
        while batch.count > 0 { values.append(batch.takeFirst()) }
        isParked = values.count > 0
        return isParked
    }

    private func takeWhatIsDue(_ batch: inout Batch<T>) -> Due {
        lock.lock()
        defer { lock.unlock() }
        guard let sink, !isDisposed else { return .nothing }
        var most = share
        if _slowPath(flags & (Flag.governed | Flag.pauses) != 0) {
            if parks(&batch) { return .nothing }
            // A pause puts the rest of a batch back.
            most = 1
        }
        let due = machine.due(of: waiting)
        if due == 0 { return isAbandoned && isIdle ? .abandonment : .nothing }
        let count = min(due, values.count, most)
        machine.take(max(count, 1))
        if count == 0 {
            let (end, source) = takeEnd()
            return .end(sink, end, source)
        }
        if count == values.count {
            values.exchange(&batch)
        } else {
            for _ in 0..<count { batch.append(values.takeFirst()) }
        }
        return .values(sink)
    }

    /// Values have been taken.
    func hasTaken() {}

    // MARK: The end

    override final func isDiscarding() { machine.close(behind: values.count) }
}

final class DeliveryInlet<T, E>: BufferInlet<Delivery<T, E>, T, E> {
    override func next(_ value: T) { buffer.next(value) }
}
