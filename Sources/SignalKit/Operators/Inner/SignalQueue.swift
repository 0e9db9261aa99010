/// Runs signals one at a time, in the order in which their wrappers were started, on any thread.
///
/// An error or a disposal ends the signal that runs, not the queue. A signal whose subscription is disposed while it
/// waits is not run. When the queue goes, the signal that runs is disposed and those that wait are released, without an
/// event.
public final class SignalQueue: @unchecked Sendable {
    private let line = SignalLine()

    /// Begins empty.
    public init() {}

    deinit {
        line.close()
    }

    /// A signal that runs `signal` when its turn has come, each time that it is started.
    public func enqueue<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
        let line = line
        return ComposedSignal(of: signal) { sink in
            let run = QueuedRun(sink, line)
            run.open { line.append(run.place, run, QueuedInlet(run, signal, number: 0)) }
        }
    }
}

/// The line of those that wait for their turn, and the one whose turn it is.
private final class SignalLine: @unchecked Sendable {
    /// The place of a run in the line. Only under the line's lock.
    final class Place {
        /// Of those that wait; -1, which none of them has, while it is not among them.
        @exclusivity(unchecked) fileprivate var key = -1
        @exclusivity(unchecked) fileprivate var isOver = false
    }

    private typealias Waiting = (place: Place, run: Subscription, start: any Effect)

    private let lock = SmallLock()
    private let waiting = Bag<Waiting>()
    @exclusivity(unchecked) private var current: (place: Place, run: Subscription)?
    /// A thread is starting signals, one after another: another thread that finds the turn free leaves it to that one.
    @exclusivity(unchecked) private var isAdvancing = false
    @exclusivity(unchecked) private var isClosed = false

    func append(_ place: Place, _ run: Subscription, _ start: any Effect) {
        lock.lock()
        if isClosed || place.isOver {
            lock.unlock()
            return
        }
        place.key = waiting.add((place, run, start))
        advance()
    }

    /// The one at `place` is over: it has ended, was disposed, or was abandoned by its source.
    func leave(_ place: Place) {
        lock.lock()
        place.isOver = true
        let removed = waiting.take(place.key)
        place.key = -1
        var left: (place: Place, run: Subscription)?
        if current?.place === place { swap(&current, &left) }
        advance()
        withExtendedLifetime((removed, left)) {}
    }

    /// Starts the next one as long as the turn is free, in a loop: a million signals that end at once need no more
    /// stack than one. Called with the lock held, which it gives back.
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
        next.place.key = -1
        current = (next.place, next.run)
        return next
    }

    func close() {
        lock.lock()
        isClosed = true
        let dropped = waiting.copyItems()
        for item in dropped { item.place.key = -1 }
        waiting.removeAll()
        let running = current
        current = nil
        lock.unlock()
        withExtendedLifetime(dropped) {}
        running?.run.dispose()
    }
}

/// One subscription to a queued signal: it stands in the line from the start to the end.
private final class QueuedRun<T, E>: SuccessionHub<T, E> {
    let place = SignalLine.Place()
    private let line: SignalLine

    init(_ sink: Sink<T, E>, _ line: SignalLine) {
        self.line = line
        super.init(sink)
    }

    override func counts(_ number: SourceNumber) -> Bool { true }
    override func clear() { line.leave(place) }
}

/// What starts the signal when its turn has come. When it is dropped instead, the stages below are released.
private final class QueuedInlet<T, E>: SuccessorInlet<T, E, E, QueuedRun<T, E>> {
    override func end(_ end: End<E>) {
        hub.take(from: slot)
        hub.end(end, of: number)
    }
}
