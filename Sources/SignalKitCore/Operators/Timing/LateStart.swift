import SignalKitShims

/// A subscription whose source is started later, once, on a queue or after a delay. Earlier disposal prevents the
/// start, and releases the source and the downstream stages immediately.
final class LateStart<T, E>: FeedingSubscription {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var waiting: (signal: Signal<T, E>, sink: Sink<T, E>)?
    /// The timer that will start the source, then the subscription to the source.
    @exclusivity(unchecked) private var slot = Slot.empty
    @exclusivity(unchecked) private var hasSource = false

    /// Passes itself downstream, then calls `schedule` to arrange for `start`, unless it was disposed.
    static func run(_ signal: Signal<T, E>, _ sink: Sink<T, E>, _ schedule: (LateStart<T, E>) -> Void) {
        let late = LateStart(signal, sink)
        sink.attached(late)
        if !late.isTerminated { schedule(late) }
    }

    private init(_ signal: Signal<T, E>, _ sink: Sink<T, E>) {
        waiting = (signal, sink)
    }

    /// Starts the source on this thread. A second call has no effect.
    func start() {
        guard let (signal, sink) = takeWaiting() else { return }
        Watch.with(sink) { signal.attach(LateSink(sink, self)) }
    }

    /// Stores the timer, which is disposed if the subscription is disposed before the source starts.
    func store(timer: any Disposable) {
        // It may have started the source by now.
        lock.withLock { waiting == nil ? timer : slot.store(timer) }?.dispose()
    }

    private func takeWaiting() -> (Signal<T, E>, Sink<T, E>)? {
        lock.withLock {
            defer { waiting = nil }
            return waiting
        }
    }

    fileprivate func store(_ upstream: Subscription) {
        isFed(by: upstream)
        // This disposes the expired timer. If the subscription was disposed earlier, it disposes the source.
        let obsolete: (any Disposable)? = lock.withLock {
            prepare(upstream)
            hasSource = true
            return slot.store(upstream)
        }
        obsolete?.dispose()
    }

    /// Called with the lock. A source that has not started yet starts paused.
    private var source: Subscription? { hasSource ? slot.subscription : nil }

    override func govern() {
        lock.withLock {
            _ = raise(Flag.governed)
            source?.govern()
        }
    }

    override func pause() { forwardPause(to: source, lock) }
    override func resume() { forwardResumption(to: source, lock) }

    private func close(_ flags: UInt32) -> (any Disposable)? {
        raiseDone(flags)
        return lock.withLock { slot.close() }
    }

    fileprivate func ended() { withExtendedLifetime(close(Flag.terminated)) {} }

    override func dispose() {
        let taken = close(Flag.terminated | Flag.disposed)
        withExtendedLifetime(takeWaiting()) {
            if let taken { Turns.dispose(taken) }
        }
    }
}

/// If the stack is low, events take turns here, because many of these stages can follow each other.
private final class LateSink<T, E>: Sink<T, E> {
    private let downstream: Unmanaged<Sink<T, E>>
    private let late: LateStart<T, E>

    init(_ downstream: Sink<T, E>, _ late: LateStart<T, E>) {
        self.downstream = .passRetained(downstream)
        self.late = late
    }

    deinit {
        Turns.release(downstream.toOpaque())
    }

    override func attached(_ upstream: Subscription) { late.store(upstream) }
    override func next(_ value: T) { pass { $0.next(value) } }

    override func end(_ end: End<E>) {
        pass { [late] in
            $0.end(end)
            late.ended()
        }
    }

    private func pass(_ event: @escaping (Sink<T, E>) -> Void) {
        if Turns.hasRoom { return downstream._withUnsafeGuaranteedRef(event) }
        Turns.pass { [self] in
            if !late.isDisposed { downstream._withUnsafeGuaranteedRef(event) }
        }
    }
}

extension Signal {
    /// Starts a signal that was made for this start, possibly inside another such start. Such a chain grows while it
    /// runs. From time to time it gets a place at which starts and events take turns.
    final func attachMade(_ sink: Sink<T, E>) {
        let here = sgk_shim_turns_here()!
        let above = here.pointee.stages
        let stages = UInt32(truncatingIfNeeded: depth + 1)
        if Turns.hasRoom && above + stages <= Depth.most / 16 {
            here.pointee.stages = above + stages
            attach(sink)
        } else {
            here.pointee.stages = 0
            LateStart.run(self, sink) { late in
                if Turns.hasRoom { late.start() } else { Turns.startDeeply { late.start() } }
            }
        }
        here.pointee.stages = above
    }
}
