import SignalKitShims
import Synchronization

/// The entry of a source's events into a chain. Only here does an event cost atomic operations.
///
///     source ──► Subscriber ──► Gate ──► Stage ──► … ──► CallbackSink ──► the user's callbacks
///                                ▲ │
///       the result of `start` ───┘ └──► the source's disposable
///
/// The source's disposable is disposed exactly once, by the first of these: the end (after the terminal callback), the
/// disposal, or the return of a generator that ended before it returned.
///
/// While a generator runs, its caller retains the gate and the downstream stages (`openGate`). So events that it emits
/// on its own thread are not counted.
@usableFromInline
final class Gate<T, E>: CountedSubscription<T, E> {
    @exclusivity(unchecked) private var inner: (any Disposable)?
    private let keptLock = SmallLock()
    @exclusivity(unchecked) private var kept: [AnyObject] = []
    /// Disposed with the source, before the disposable of the generator.
    @exclusivity(unchecked) private var beside: [any Disposable] = []
    /// Work for the end of the pauses.
    @exclusivity(unchecked) private var waiting: [(queue: Queue, action: () -> Void)] = []
    /// The thread that runs the generator, or 0. (A thread that reads its own number here has written it itself.)
    private let generating: Synchronization.Atomic<UInt>

    /// - Parameter isGenerating: whether the calling thread is about to run the generator.
    init(_ sink: Sink<T, E>, isGenerating: Bool = false) {
        generating = Synchronization.Atomic(isGenerating ? sgk_shim_thread_pointer() : 0)
        super.init(sink)
    }

    func generatorReturned() { generating.store(0, ordering: .relaxed) }

    // MARK: Events

    /// Forwards a value for a caller that does not retain the gate, because a callback may release every reference to
    /// the gate (see `abandon`). Returns whether the subscription is still active. So a generator that emits in a loop
    /// stops immediately.
    @inline(__always)
    static func next(_ value: T, through gate: Unmanaged<Gate>) -> Bool {
        gate._withUnsafeGuaranteedRef {
            if $0.generating.load(ordering: .relaxed) == sgk_shim_thread_pointer() { return $0.generate(value) }
            if $0.enter() & Flag.terminated == 0 { $0.sink._withUnsafeGuaranteedRef { $0.next(value) } }
            if $0.leaveUntouched() { return true }
            Gate.leaveHolding(gate)
            return false
        }
    }

    @inline(__always)
    private func generate(_ value: T) -> Bool {
        if !isTerminated { sink._withUnsafeGuaranteedRef { $0.next(value) } }
        return !isTerminated
    }

    /// Ends a call without accessing the gate afterwards, because it may be released then. Returns false if there is
    /// work left to do.
    @inline(__always)
    private func leaveUntouched() -> Bool { replaceFlags(where: { $0 & Flag.terminated == 0 }) { $0 &- Flag.call } }

    @inline(never)
    private static func leaveHolding(_ gate: Unmanaged<Gate>) {
        let held = gate.retain()
        held._withUnsafeGuaranteedRef { $0.leave() }
        held.release()
    }

    /// Handles a terminal event. It terminates, calls the callback, disposes the source's disposable, then releases the
    /// callbacks and the kept objects. An object that the callback keeps alive stays until the next terminal call, the
    /// disposal, or the release of the subscriber. Returns false if it had already ended.
    @discardableResult
    func end(_ end: End<E>) -> Bool {
        enter()
        let first = raiseDone(Flag.terminated) & Flag.terminated == 0
        let kept = takeKept()
        if first {
            sink._withUnsafeGuaranteedRef { $0.end(end) }
            _ = raise(Flag.closed)
            disposeSource()
        }
        leave()
        withExtendedLifetime(kept) {}
        return first
    }

    // MARK: The source's disposable

    /// Stores the disposable of the generator. After the end it is disposed immediately.
    func assign(_ disposable: any Disposable) {
        inner = disposable
        _ = raise(Flag.assigned)
        if flags & Flag.closed != 0 { disposeInner() }
    }

    /// Disposes the argument with the source, even if the generator has not returned. If the source was disposed
    /// already, the call disposes it immediately.
    func onDispose(_ disposable: any Disposable) {
        keptLock.lock()
        let isLate = flags & Flag.closed != 0
        if !isLate { beside.append(disposable) }
        keptLock.unlock()
        if isLate { disposable.dispose() }
    }

    private func disposeSource() {
        keptLock.lock()
        let taken = beside
        if !taken.isEmpty { beside = [] }
        keptLock.unlock()
        if flags & Flag.parked != 0 { callWaiting() }
        for disposable in taken { disposable.dispose() }
        disposeInner()
    }

    private func disposeInner() {
        guard flags & Flag.assigned != 0, raise(Flag.claimed) & Flag.claimed == 0 else { return }
        let taken = inner
        inner = nil
        if let taken { Turns.dispose(taken) }
    }

    /// Sets the flags first, so that events which the source emits during its disposal are dropped. The callbacks are
    /// released afterwards.
    override func dispose() {
        if isDisposed { return }
        enter()
        if raiseDone(Flag.terminated | Flag.disposed | Flag.closed) & Flag.disposed == 0 {
            disposeSource()
            leave()
            withExtendedLifetime(takeKept()) {}
        } else {
            leave()
        }
    }

    /// The source has released its subscriber, so no further event can be emitted. Releases the kept objects and the
    /// callbacks. The source's disposable stays until the disposal of the subscription.
    func abandon() {
        // Inside a disposal, the disposal releases the kept objects, after the callbacks.
        if flags < Flag.call { withExtendedLifetime(takeKept()) {} }
        if flags & Flag.parked != 0 { withExtendedLifetime(keptLock.withLock { takeWaiting() }) {} }
        terminate()
        handOverToCalls()
    }

    /// A running call may rely on the reference that is about to be released. So that reference is transferred to the
    /// last call to leave.
    private func handOverToCalls() {
        if flags < Flag.call { return }
        let owed = Unmanaged.passRetained(self)
        if !replaceFlags(where: { $0 >= Flag.call }, { $0 | Flag.owed }) { owed.release() }
    }

    override func lastCallReturned() {
        releaseSink()
        if replaceFlags(where: { $0 & Flag.owed != 0 && $0 < Flag.call }, { $0 & ~Flag.owed }) {
            Unmanaged.passUnretained(self).release()
        }
    }

    // MARK: Pauses

    // A generator cannot be stopped. It looks for pauses itself, and waits for their end.

    override func pause() { _ = addPause() }

    override func resume() {
        if takePause() && flags & Flag.parked != 0 { callWaiting() }
    }

    @inline(never)
    private func callWaiting() {
        keptLock.lock()
        let resumed = isPaused ? [] : takeWaiting()
        keptLock.unlock()
        for (queue, action) in resumed { queue.executor.enqueue(action) }
    }

    /// True while a stage asks for no further value.
    var isPaused: Bool { flags & Flag.pauses != 0 && !isTerminated }

    /// Runs `action` as work of the queue when no stage asks for a pause, or when the subscription is over. If the
    /// subscriber is released before, releases it.
    func onResume(_ queue: Queue, _ action: @escaping () -> Void) {
        keptLock.lock()
        // Before it looks for a pause, so that a thread that resumes later sees it.
        _ = raise(Flag.parked)
        let waits = isPaused
        if waits { waiting.append((queue, action)) }
        keptLock.unlock()
        if !waits { queue.executor.enqueue(action) }
    }

    /// Called with the lock.
    private func takeWaiting() -> [(queue: Queue, action: () -> Void)] {
        defer { waiting = [] }
        return waiting
    }

    // MARK: Keeping alive

    func keepAlive(_ object: AnyObject) {
        keptLock.lock()
        kept.append(object)
        keptLock.unlock()
    }

    private func takeKept() -> [AnyObject] {
        keptLock.lock()
        defer { keptLock.unlock() }
        if kept.isEmpty { return [] }
        defer { kept = [] }
        return kept
    }

    // MARK: Description

    /// The content of the gate at one moment.
    var contents: (callbacks: (next: Bool, error: Bool, completed: Bool), inner: Bool, isTerminated: Bool) {
        let flags = enter()
        defer { leave() }
        if flags & Flag.terminated != 0 { return ((false, false, false), false, true) }
        let callbacks = sink._withUnsafeGuaranteedRef { ($0 as? FinalSink<T, E>)?.callbacks } ?? (true, true, true)
        return (callbacks, flags & (Flag.assigned | Flag.claimed) == Flag.assigned, false)
    }
}
