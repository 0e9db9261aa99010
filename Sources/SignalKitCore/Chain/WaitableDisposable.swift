import SignalKitShims
import Synchronization

extension Signal {
    /// Starts a subscription that can wait for its callbacks. When `disposeAndWait` of the result has returned true,
    /// none of them is running, and the program can release their resources.
    ///
    /// It costs two short locked sections per event, so `start` does not offer it. It waits for the callbacks of this
    /// call, not for the closures of upstream operators.
    @preconcurrency
    public func startWaitable(
        next: (@Sendable (T) -> Void)! = nil, error: (@Sendable (E) -> Void)! = nil,
        completed: (@Sendable () -> Void)! = nil
    ) -> WaitableDisposable {
        subscribeWaitable(CallbackSink(next, error, completed))
    }

    /// Starts a subscription that ends in `sink`. Its `started` counts as a callback.
    func subscribeWaitable(_ sink: FinalSink<T, E>) -> WaitableDisposable {
        let waitable = WaitableSink(sink)
        attachFinal(waitable)
        return waitable.takeRun()
    }
}

/// Cancels a subscription, and can wait for its callbacks (see `Signal.startWaitable`).
public final class WaitableDisposable: Disposable, @unchecked Sendable {
    let subscription: Subscription
    private let calls: CallsInProgress

    fileprivate init(_ subscription: Subscription, _ calls: CallsInProgress) {
        self.subscription = subscription
        self.calls = calls
    }

    /// True if there is nothing to dispose.
    var isOver: Bool { subscription.isOver }

    /// Cancels the subscription. No callback begins after this call has returned, on any thread. One may still be
    /// running on another thread.
    public func dispose() {
        calls.close()
        subscription.dispose()
    }

    /// Cancels the subscription and waits until none of its callbacks is running on another thread.
    ///
    /// It does not wait for a callback that waits for the caller. The caller may be inside of it, or be work for which
    /// it waits, or both may wait for each other's subscription.
    ///
    /// - Returns: true if no callback is running, and false if it did not wait for one.
    @discardableResult
    public func disposeAndWait() -> Bool {
        dispose()
        return calls.wait()
    }
}

/// The threads that are inside the callbacks of a subscription.
final class CallsInProgress: @unchecked Sendable {
    private let lock = SmallLock()
    /// It changes when a waiting thread must check again. Waiting threads sleep on it.
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

    /// Waits for the other threads. Returns when the remaining calls wait for this thread, or are calls of this thread.
    /// Returns true if there are none.
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
        let word = withUnsafePointer(to: changes) { $0 }
        let wait = Wait(for: thread, while: word, is: seen)
        if !wait.begin() { return false }
        sgk_shim_futex_wait(UInt(bitPattern: word), seen)
        wait.end()
        return true
    }

    private func wakeAll() {
        changes.add(1, ordering: .releasing)
        withUnsafePointer(to: changes) { sgk_shim_futex_wake_all(UInt(bitPattern: $0)) }
    }
}

/// The end of a chain that can wait for its callbacks.
private final class WaitableSink<T, E>: Sink<T, E> {
    private let sink: FinalSink<T, E>
    private let calls = CallsInProgress()
    /// Retained until `start` has taken it. Otherwise it would be a cycle.
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
