/// Runs signals one at a time, in the order in which they are subscribed to. (SSignalKit's `SSignalQueue`.)
///
/// An error does not stop the queue. Whoever disposes while waiting is skipped; whoever disposes while running makes room for the next.
/// When the queue itself is let go, the running signal is disposed and the rest dropped, without an event.
public final class SignalQueue<T, E>: @unchecked Sendable {
    private let line = WaitingLine<T, E>()

    public init() {}

    deinit {
        line.close()
    }

    /// A signal each of whose subscriptions puts `signal` into the queue and gets its events when its turn has come.
    public func enqueue(_ signal: Signal<T, E>) -> Signal<T, E> {
        let line = line
        return Signal(attach: { sink in
            let ticket = Ticket(signal, sink, line)
            sink.attached(ticket)
            if !ticket.isTerminated { line.add(ticket) }
        })
    }
}

/// Who waits, and who runs.
private final class WaitingLine<T, E> {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var waiting = Fifo<Ticket<T, E>>()
    @exclusivity(unchecked) private var waitingCount = 0
    @exclusivity(unchecked) private var goneCount = 0
    @exclusivity(unchecked) private var running: Ticket<T, E>?
    /// Somebody is in `proceed`, who starts whatever is next.
    @exclusivity(unchecked) private var isStarting = false
    @exclusivity(unchecked) private var isClosed = false

    func add(_ ticket: Ticket<T, E>) {
        lock.lock()
        let late = isClosed
        if !late {
            waiting.append(ticket)
            waitingCount += 1
        }
        lock.unlock()
        if late { ticket.abandon() } else { proceed() }
    }

    /// Starts one after another as long as each ends inside its own start.
    private func proceed() {
        while let ticket = beginNext() {
            ticket.start()
            lock.lock()
            isStarting = false
            lock.unlock()
        }
    }

    private func beginNext() -> Ticket<T, E>? {
        lock.lock()
        var next: Ticket<T, E>?
        if !isStarting && running == nil {
            next = waiting.popFirst()
            if next != nil {
                waitingCount -= 1
                isStarting = true
                running = next
            }
        }
        lock.unlock()
        return next
    }

    /// The ticket has ended or was disposed.
    func left(_ ticket: Ticket<T, E>) {
        lock.lock()
        let wasRunning = running === ticket
        var removed = Fifo<Ticket<T, E>>()
        if wasRunning {
            running = nil
        } else {
            goneCount += 1
            if goneCount > 8 && goneCount * 2 > waitingCount { removed = removeGone() }
        }
        lock.unlock()
        withExtendedLifetime(removed) {}
        if wasRunning { proceed() }
    }

    /// Keeps what still waits; returns the line as it was, to be let go without the lock.
    private func removeGone() -> Fifo<Ticket<T, E>> {
        let before = waiting
        var rest = waiting
        waiting = Fifo()
        waitingCount = 0
        goneCount = 0
        while let ticket = rest.popFirst() {
            if ticket.isDisposed { continue }
            waiting.append(ticket)
            waitingCount += 1
        }
        return before
    }

    func close() {
        lock.lock()
        isClosed = true
        let current = running
        var rest = waiting
        waiting = Fifo()
        running = nil
        lock.unlock()
        current?.abandon()
        while let ticket = rest.popFirst() { ticket.abandon() }
    }
}

/// One subscription to a signal in the queue.
private final class Ticket<T, E>: Subscription {
    private let lock = SmallLock()
    private let line: WaitingLine<T, E>
    @exclusivity(unchecked) private var waiting: (signal: Signal<T, E>, sink: Sink<T, E>)?
    @exclusivity(unchecked) private var upstream: Subscription?

    init(_ signal: Signal<T, E>, _ sink: Sink<T, E>, _ line: WaitingLine<T, E>) {
        waiting = (signal, sink)
        self.line = line
    }

    func start() {
        lock.lock()
        let taken = waiting
        waiting = nil
        lock.unlock()
        if let taken { taken.signal.attach(TicketSink(taken.sink, self)) } else { line.left(self) }
    }

    func hold(_ upstream: Subscription) {
        lock.lock()
        let late = isTerminated
        if !late { self.upstream = upstream }
        lock.unlock()
        if late { upstream.dispose() }
    }

    func ended() {
        letGo(Flag.terminated)
        line.left(self)
    }

    override func dispose() {
        let before = flags
        letGo(Flag.terminated | Flag.disposed)?.dispose()
        if before & Flag.terminated == 0 { line.left(self) }
    }

    /// The queue is gone: the source is disposed, and nothing is told.
    func abandon() { letGo(Flag.terminated)?.dispose() }

    @discardableResult
    private func letGo(_ flags: UInt) -> Subscription? {
        lock.lock()
        _ = raise(flags)
        let taken = (waiting, upstream)
        waiting = nil
        upstream = nil
        lock.unlock()
        return withExtendedLifetime(taken.0) { taken.1 }
    }
}

private final class TicketSink<T, E>: PassingStage<T, E> {
    private let ticket: Ticket<T, E>

    init(_ downstream: Sink<T, E>, _ ticket: Ticket<T, E>) {
        self.ticket = ticket
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) { ticket.hold(upstream) }
    override func error(_ error: E) {
        downstream.error(error)
        ticket.ended()
    }

    override func completed() {
        downstream.completed()
        ticket.ended()
    }
}
