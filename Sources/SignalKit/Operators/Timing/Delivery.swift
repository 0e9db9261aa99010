import SignalKitShims

/// How often a turn of a `Delivery` looks what has come: each look takes the cache line from the threads that write it.
/// And to wake the queue's thread for the next one would take longer.
private var timeBetweenLooks: Double { 2e-6 }

/// Where events wait for a queue: what `deliverOn` is made of. The machine says which of them may be delivered when a
/// place that they have in the queue has its turn; here they lie in a row, and are delivered by one turn at a time, a
/// batch at once.
class Delivery<T, E>: BufferingSubscription<T, E>, @unchecked Sendable {
    // Belongs to the lock; beside the values.
    @exclusivity(unchecked) private var machine: DeliveryMachine
    final let queue: Queue
    private let tickets: Tickets
    /// The thread that delivers at this moment.
    final let inside = ThreadMark()
    /// How many values a turn takes at once.
    private let share: Int
    final let limit: Int

    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - capacity: how many events a place in the queue takes.
    ///   - share: how many values a turn takes at once.
    init(_ sink: Sink<T, E>, _ queue: Queue, limit: Int = .max, capacity: Int = 1024, share: Int = .max) {
        self.queue = queue
        self.limit = limit
        self.share = share
        tickets = queue.executor.tickets
        machine = DeliveryMachine(capacity: capacity, limit: limit)
        super.init(sink)
    }

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
    private func put(_ value: T) {
        lock.lock()
        let overflows = isOpen && values.count >= limit
        let place = isOpen && !overflows ? add(value) : nil
        lock.unlock()
        if let place { take(place) } else if overflows { overflow(with: value) }
    }

    /// A value has come for which there may be no room.
    func overflow(with value: T) {}

    /// Called with the lock. Returns the place to be taken for the value, unless it has one.
    final func add(_ value: T) -> DeliveryMachine.Place? {
        let place = machine.add(behind: values.count, at: tickets.current) { inside.isMine }
        values.append(value)
        return place
    }

    /// How many events wait. Called with the lock.
    private var waiting: Int { end == nil ? values.count : values.count + 1 }

    /// Called with the lock: takes out values that have waited longest, not to be delivered.
    final func drop(_ count: Int, into dropped: inout Batch<T>) {
        machine.drop(count)
        for _ in 0..<count { dropped.append(values.takeFirst()) }
    }

    /// The last event. What waits is delivered before it.
    override final func finish(_ end: End<E>) {
        let place: DeliveryMachine.Place? = lock.withLock {
            if !isOpen { return nil }
            setEnd(end)
            return machine.end(behind: values.count, at: tickets.current) { inside.isMine }
        }
        if let place { take(place) }
    }

    /// Ends the run when what waits has been delivered, and stops the source now.
    final func stop(with error: E) {
        let stopped = takeSource()
        finish(.error(error))
        stopped?.dispose()
    }

    override final var isIdle: Bool { machine.isIdle(waiting) }

    // MARK: The queue

    /// Takes a place in the queue; or, where that is current and nothing else of the run is on its way, delivers at
    /// once.
    @inline(never)
    final func take(_ place: DeliveryMachine.Place) {
        if place.mayBeInline && queue.isCurrent() { return deliver(place, inline: true) }
        let turn = Turn(self, place)
        let ticket = queue.executor.enqueueWithTicket { turn.run() }
        lock.withLock { machine.isPut(place, ticket: ticket) }
    }

    /// A turn on its way. When the queue lets it go, nothing will be delivered any more.
    private final class Turn: @unchecked Sendable {
        private var delivery: Delivery?
        private let place: DeliveryMachine.Place

        init(_ delivery: Delivery, _ place: DeliveryMachine.Place) {
            self.delivery = delivery
            self.place = place
        }

        deinit { delivery?.discard() }

        func run() {
            let delivery = delivery
            self.delivery = nil
            delivery?.deliver(place, inline: false)
        }
    }

    private func deliver(_ place: DeliveryMachine.Place, inline: Bool) {
        if lock.withLock({ machine.begin(place, inline: inline) }) { inside.run { deliverWhatIsDue() } }
    }

    private func deliverWhatIsDue() {
        var batch = Batch<T>()
        let rests = share == .max && queue.executor.canStay
        turn: while true {
            let time = rests ? DeadlineClock.now : 0
            switch takeWhatIsDue(&batch) {
            case let .values(sink):
                hasTaken()
                // What is left after disposal is let go with the batch.
                while batch.count > 0 && !isDisposed { sink.next(batch.takeFirst()) }
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

    private func takeWhatIsDue(_ batch: inout Batch<T>) -> Due {
        lock.lock()
        defer { lock.unlock() }
        guard let sink, !isDisposed else { return .nothing }
        let due = machine.due(of: waiting)
        if due == 0 { return isAbandoned && isIdle ? .abandonment : .nothing }
        let count = min(due, values.count, share)
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
