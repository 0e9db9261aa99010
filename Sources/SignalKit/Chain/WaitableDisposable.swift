import SignalKitShims
import Synchronization

extension Signal {
    /// Starts a run whose callbacks can be waited for: when `disposeAndWait` of the result has returned, none of them
    /// runs any more, and what they use can be torn down.
    ///
    /// It costs two short locked sections per event, which is why `start` does not do it. What is waited for is the
    /// callbacks given here, not the closures of operators further up.
    @preconcurrency
    public func startWaitable(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil
    ) -> WaitableDisposable {
        subscribeWaitable(CallbackSink(next, error, completed))
    }

    /// Starts a run that ends in `sink`, whose `started` is a callback like the others.
    func subscribeWaitable(_ sink: FinalSink<T, E>) -> WaitableDisposable {
        let waitable = WaitableSink(sink)
        attachFinal(waitable)
        return waitable.takeRun()
    }
}

/// Stops a run, and can wait for its callbacks (see `Signal.startWaitable`).
public final class WaitableDisposable: Disposable, @unchecked Sendable {
    let subscription: Subscription
    private let calls: CallsInProgress

    fileprivate init(_ subscription: Subscription, _ calls: CallsInProgress) {
        self.subscription = subscription
        self.calls = calls
    }

    /// Whether nothing is left to dispose.
    var isOver: Bool { subscription.isOver }

    /// Stops the run. No callback begins after this has returned, on any thread; one may still be running elsewhere.
    public func dispose() {
        calls.close()
        subscription.dispose()
    }

    /// Stops the run and waits until no callback of it runs on any other thread.
    ///
    /// It does not wait for a callback that waits for the caller: the caller is inside of it, or is work for which it
    /// waits, or both wait for each other's run.
    /// - Returns: whether no callback runs any more. False where it has not waited for one.
    @discardableResult
    public func disposeAndWait() -> Bool {
        dispose()
        return calls.wait()
    }
}

/// Which threads are inside a run's callbacks.
final class CallsInProgress: @unchecked Sendable {
    private let lock = SmallLock()
    /// Changes when a waiting thread has to look again: it sleeps on this.
    private let changes = Synchronization.Atomic<UInt32>(0)
    @exclusivity(unchecked) private var calls: [UInt] = []
    @exclusivity(unchecked) private var isClosed = false

    func close() {
        lock.lock()
        isClosed = true
        lock.unlock()
    }

    @inline(__always)
    func during(_ call: () -> Void) {
        let thread = CurrentWork.thread
        lock.lock()
        let begins = !isClosed
        if begins { calls.append(thread) }
        lock.unlock()
        if !begins { return }
        call()
        lock.lock()
        calls.remove(at: calls.lastIndex(of: thread)!)
        let isAwaited = isClosed
        lock.unlock()
        if isAwaited { wakeAll() }
    }

    /// Returns when the calls that are left wait for this thread, or are its own: whether there are none.
    func wait() -> Bool {
        while true {
            lock.lock()
            let calls = calls
            let seen = changes.load(ordering: .relaxed)
            lock.unlock()
            var left = calls.count
            while left > 0 && !wait(for: calls[left - 1], seen) { left -= 1 }
            if left == 0 { return calls.isEmpty }
        }
    }

    /// False where the calling thread would wait for itself.
    private func wait(for thread: UInt, _ seen: UInt32) -> Bool {
        let wait = Wait(for: thread)
        if !wait.begin() { return false }
        withUnsafePointer(to: changes) { sgk_shim_futex_wait(UInt(bitPattern: $0), seen) }
        wait.end()
        return true
    }

    private func wakeAll() {
        changes.add(1, ordering: .releasing)
        withUnsafePointer(to: changes) { sgk_shim_futex_wake_all(UInt(bitPattern: $0)) }
    }
}

/// The end of a chain whose callbacks can be waited for.
private final class WaitableSink<T, E>: Sink<T, E> {
    private let sink: FinalSink<T, E>
    private let calls = CallsInProgress()
    /// Kept until the start has picked it up, no longer: it would be a cycle.
    @exclusivity(unchecked) private var run: WaitableDisposable?

    init(_ sink: FinalSink<T, E>) {
        self.sink = sink
    }

    func takeRun() -> WaitableDisposable {
        defer { run = nil }
        _ = sink.takeUpstream()
        return run!
    }

    override func attached(_ upstream: Subscription) {
        let run = WaitableDisposable(upstream, calls)
        self.run = run
        calls.during { sink.begin(upstream, as: run) }
    }

    override func next(_ value: T) { calls.during { sink.next(value) } }
    override func end(_ end: End<E>) { calls.during { sink.end(end) } }
}
