/// Where a source's events enter a chain; the only place with atomic operations per event.
///
///     source ──► Subscriber ──► Gate ──► Stage ──► … ──► CallbackSink ──► the user's callbacks
///                                ▲ │
///       what `start` returned ───┘ └──► the source's disposable
///
/// The source's disposable is disposed exactly once, by whoever claims it first: the end (after the terminal callback), disposal, or
/// its own late arrival from a generator that has ended before it returned.
final class Gate<T, E>: CountedSubscription<T, E> {
    @exclusivity(unchecked) private var inner: (any Disposable)?
    private let keptLock = SmallLock()
    @exclusivity(unchecked) private var kept: [AnyObject] = []

    // MARK: Events

    func error(_ error: E) {
        end { $0.error(error) }
    }

    func completed() {
        end { $0.completed() }
    }

    /// The end by an event: terminated, then the callback, then the source's disposable, then the callbacks and what was kept alive go.
    @inline(__always)
    private func end(_ tell: (Sink<T, E>) -> Void) {
        enter()
        if raise(Flag.terminated) & Flag.terminated == 0 {
            sink._withUnsafeGuaranteedRef(tell)
            _ = raise(Flag.closed)
            disposeInner()
        }
        leave()
        releaseKept()
    }

    // MARK: The source's disposable

    /// What the generator returned. If the end has come already it is disposed now.
    func assign(_ disposable: any Disposable) {
        inner = disposable
        _ = raise(Flag.assigned)
        if flags & Flag.closed != 0 { disposeInner() }
    }

    private func disposeInner() {
        guard flags & Flag.assigned != 0, raise(Flag.claimed) & Flag.claimed == 0 else { return }
        let taken = inner
        inner = nil
        taken?.dispose()
    }

    /// Marks first, so that what the source emits from inside its own disposal goes nowhere; the callbacks are released after it.
    override func dispose() {
        enter()
        if raise(Flag.terminated | Flag.disposed | Flag.closed) & Flag.disposed == 0 {
            disposeInner()
            leave()
            releaseKept()
        } else {
            leave()
        }
    }

    /// The source has let its subscriber go without an end: nobody can emit any more, so the callbacks go.
    /// Its disposable stays until somebody disposes.
    func abandon() {
        letGo()
        releaseKept()
    }

    // MARK: Keeping alive

    func keepAlive(_ object: AnyObject) {
        keptLock.lock()
        kept.append(object)
        keptLock.unlock()
    }

    private func releaseKept() {
        keptLock.lock()
        let taken = kept
        if !taken.isEmpty { kept = [] }
        keptLock.unlock()
        withExtendedLifetime(taken) {}
    }

    var callbacks: (next: Bool, error: Bool, completed: Bool) {
        enter()
        defer { leave() }
        return isTerminated ? (false, false, false) : sink._withUnsafeGuaranteedRef { $0.callbacks }
    }

    /// Whether the source's disposable is here.
    var holdsInner: Bool { flags & (Flag.assigned | Flag.claimed) == Flag.assigned }
}
