/// A hub whose sources follow each other. A source gets its number before its start.
class SuccessionHub<T, E>: StartingHub<T, E> {
    /// The current source. The lock of the hub guards this and the next property.
    @exclusivity(unchecked) final private var current = SourceHandle.empty
    /// The number of the newest source. Subscriptions of older ones are disposed.
    @exclusivity(unchecked) final private var newest: SourceNumber = 0

    deinit { current.release() }

    // MARK: The current source

    /// Makes way for the next source. If two threads are about to start sources at the same time, the newer one wins.
    /// The other receives false here and must not start, or `store` disposes its subscription.
    final func begin(_ number: SourceNumber) -> (isWanted: Bool, previous: SourceHandle) {
        lock.lock()
        defer { lock.unlock() }
        if isTerminated || number.isOlder(than: newest) { return (false, .empty) }
        newest = number
        return (true, current.take())
    }

    /// Stores the handle of a source, and disposes the previous one. After the end, or if a newer source has begun, it
    /// disposes the new one instead.
    final func store(_ new: SourceHandle, of number: SourceNumber) {
        var obsolete = new
        lock.lock()
        if !isTerminated && number == newest {
            prepare(new.source)
            current.exchange(&obsolete)
        }
        lock.unlock()
        obsolete.dispose()
    }

    /// Returns the source with this number, if it is the current one. Called with the lock.
    final func source(of number: SourceNumber) -> Subscription? { number == newest ? current.source : nil }

    override final func forEachSource(_ body: (Subscription) -> Void) {
        if let source = current.source { body(source) }
        super.forEachSource(body)
    }

    /// Takes the current source, because it has ended, or to dispose it.
    final func takeCurrent() -> SourceHandle {
        lock.lock()
        defer { lock.unlock() }
        return current.take()
    }

    override func disposeSources() {
        takeCurrent().dispose()
        super.disposeSources()
    }

    /// True to dispose a source before the start of the next one. By default it is disposed after that start.
    var disposesFirst: Bool { false }

    // MARK: In the section

    /// Returns whether a source with this number still counts.
    func counts(_ number: SourceNumber) -> Bool { mustOverride() }

    /// Emits a value of a source, if the source counts.
    @inline(__always)
    func next(_ value: T, of number: SourceNumber) {
        if counts(number) { emit(value) }
    }

    /// Ends with the end of a source, if the source counts.
    func ended(_ end: End<E>, of number: SourceNumber) {
        if counts(number) { self.end(end) }
    }

    /// The call that starts a source has returned.
    func started(_ number: SourceNumber) {}
}

/// The inlet of such a source. It is also the effect that starts the source. (`F` is the error of the hub.)
class SuccessorInlet<T, E, F, Owner: SuccessionHub<T, F>>: Inlet<Owner, T, E>, Effect {
    final let number: SourceNumber
    /// Nil after the start. It is untyped, because its type would be looked up when it is taken out.
    @exclusivity(unchecked) final private var signal: AnyObject?

    init(_ hub: Owner, _ signal: Signal<T, E>, _ number: SourceNumber) {
        self.number = number
        self.signal = signal
        super.init(hub)
    }

    override final func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(SourceHandle(upstream), of: number)
    }

    override final var source: Subscription? { hub.source(of: number) }

    override final func next(_ value: T) {
        if hub.enter() {
            hub.next(value, of: number)
            hub.leave()
        } else {
            enqueue { [unowned(unsafe) hub, number] in hub.next(value, of: number) }
        }
    }

    /// Starts the source, unless a newer one has been started by another thread. Disposes the one before it.
    final func perform() {
        guard let taken = signal.take() else { return }
        let (isWanted, previous) = hub.begin(number)
        if !isWanted { return }
        // Not by `unsafeDowncast`, which would count it up.
        let signal = Unmanaged<Signal<T, E>>.fromOpaque(Unmanaged.passUnretained(taken).toOpaque())
        if hub.disposesFirst { previous.dispose() }
        withExtendedLifetime(taken) { signal._withUnsafeGuaranteedRef { $0.attach(self) } }
        if !hub.disposesFirst { previous.dispose() }
    }

    final func performed() { hub.started(number) }
}

/// A source whose errors are those of the hub.
final class InnerSource<T, E, Owner: SuccessionHub<T, E>>: SuccessorInlet<T, E, E, Owner> {
    override func end(_ end: End<E>) {
        if hub.enter() {
            hub.ended(end, of: number)
            hub.leaveWithEffect()
        } else {
            hub.enqueue { [unowned(unsafe) hub, number] in hub.ended(end, of: number) }
        }
    }
}
