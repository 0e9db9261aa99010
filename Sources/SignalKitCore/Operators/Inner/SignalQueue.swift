/// Runs signals one at a time, in the order in which their wrappers were started, on any thread.
///
/// An error or a disposal ends the running signal, not the queue. A pending signal whose subscription is disposed is
/// not run. Releasing the queue disposes the running signal and releases the pending ones, without an event.
public final class SignalQueue: @unchecked Sendable {
    private let line = SignalLine()

    /// Creates an empty queue.
    public init() {}

    deinit {
        line.close()
    }

    /// Returns a signal that enqueues `signal` at each start, and runs it when its turn arrives.
    public func enqueue<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
        let line = line
        return ComposedSignal(of: signal) { sink in
            let run = QueuedRun(sink, line)
            run.open { line.append(run.position, run, InnerSource(run, signal, 0)) }
        }
    }
}

/// The queue of pending subscriptions, and the current one.
private final class SignalLine: @unchecked Sendable {
    /// The position of a subscription in the queue. Access only under the queue's lock.
    final class Position {
        /// The key among the pending subscriptions, or -1 if this one is not pending.
        @exclusivity(unchecked) fileprivate var key = -1
        @exclusivity(unchecked) fileprivate var isOver = false
    }

    private typealias Waiting = (position: Position, run: Subscription, start: any Effect)

    private let lock = SmallLock()
    private let waiting = Bag<Waiting>()
    @exclusivity(unchecked) private var current: (position: Position, run: Subscription)?
    /// True while a thread is starting signals. Another thread then leaves the next start to it.
    @exclusivity(unchecked) private var isAdvancing = false
    @exclusivity(unchecked) private var isClosed = false

    func append(_ position: Position, _ run: Subscription, _ start: any Effect) {
        lock.lock()
        if isClosed || position.isOver {
            lock.unlock()
            return
        }
        position.key = waiting.add((position, run, start))
        advance()
    }

    /// The subscription at `position` is over: it has ended, was disposed, or was released by its source.
    func leave(_ position: Position) {
        lock.lock()
        position.isOver = true
        let removed = waiting.take(position.key)
        position.key = -1
        var left: (position: Position, run: Subscription)?
        if current?.position === position { swap(&current, &left) }
        advance()
        withExtendedLifetime((removed, left)) {}
    }

    /// Starts the next one while no signal is running, in a loop. A million signals that end immediately need no more
    /// stack than one. Called with the lock, which it unlocks.
    private func advance() {
        let isMine = !isAdvancing
        isAdvancing = true
        lock.unlock()
        if isMine {
            while let next = takeNext() { next.start.perform() }
        }
    }

    private func takeNext() -> Waiting? {
        lock.lock()
        defer { lock.unlock() }
        guard current == nil, !isClosed, let (key, next) = waiting.first else {
            isAdvancing = false
            return nil
        }
        waiting.remove(key)
        next.position.key = -1
        current = (next.position, next.run)
        return next
    }

    func close() {
        lock.lock()
        isClosed = true
        let dropped = waiting.copyItems()
        for item in dropped { item.position.key = -1 }
        waiting.removeAll()
        let running = current
        current = nil
        lock.unlock()
        withExtendedLifetime(dropped) {}
        running?.run.dispose()
    }
}

/// One subscription to a queued signal. It is in the queue from its start to its end. If the signal is dropped before
/// its start, the downstream stages are released.
private final class QueuedRun<T, E>: SuccessionHub<T, E> {
    let position = SignalLine.Position()
    private let line: SignalLine

    init(_ sink: Sink<T, E>, _ line: SignalLine) {
        self.line = line
        super.init(sink, places: 0)
    }

    override func counts(_ number: SourceNumber) -> Bool { true }

    override func ended(_ end: End<E>, of number: SourceNumber) {
        takeCurrent().release()
        self.end(end)
    }

    override func clear() { line.leave(position) }
}
