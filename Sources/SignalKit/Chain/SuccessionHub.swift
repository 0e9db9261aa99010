/// A hub whose sources follow each other. A source gets its number before its start.
///
/// The first slot contains the current source. The second one is for another source or a timer. They are disposed in
/// this order.
class SuccessionHub<T, E>: Hub<T, E> {
    private let slotLock = SmallLock()
    @exclusivity(unchecked) private var slots = (source: Slot.empty, other: Slot.empty)
    /// The number of the newest source. Subscriptions of older ones are disposed.
    @exclusivity(unchecked) private var newest: SourceNumber = 0
    /// The effect of the current event. Access only in the section.
    @exclusivity(unchecked) private var effect: (any Effect)?

    // MARK: Slots

    override final func store(_ upstream: Subscription, in slot: Int) { store(upstream, in: slot, number: nil) }

    /// Stores a subscription in a slot and disposes the previous one. After the end, or if a newer source has claimed
    /// the slot, it disposes the new subscription instead.
    final func store(_ disposable: any Disposable, in slot: Int, number: SourceNumber? = nil) {
        let obsolete: (any Disposable)? = slotLock.withLock {
            if let number, number.isOlder(than: newest) { return disposable }
            return slot == SuccessionSlot.source ? slots.source.store(disposable) : slots.other.store(disposable)
        }
        obsolete?.dispose()
    }

    /// Empties a slot for the next source. If two threads are about to start sources at the same time, the newer one
    /// wins. The other receives false here and must not start, or `store` disposes its subscription.
    final func claim(_ slot: Int, for number: SourceNumber) -> (isNewest: Bool, previous: (any Disposable)?) {
        slotLock.withLock {
            if slots.source.isClosed || number.isOlder(than: newest) { return (false, nil) }
            newest = number
            return (true, takeLocked(slot))
        }
    }

    /// Takes the content of a slot, because it has ended, or to dispose it.
    @discardableResult
    final func take(from slot: Int) -> (any Disposable)? { slotLock.withLock { takeLocked(slot) } }

    override final func disposeSlots() {
        let (source, other) = slotLock.withLock { (slots.source.close(), slots.other.close()) }
        if let source { Turns.dispose(source) }
        if let other { Turns.dispose(other) }
    }

    @inline(__always)
    private func takeLocked(_ slot: Int) -> (any Disposable)? {
        slot == SuccessionSlot.source ? slots.source.take() : slots.other.take()
    }

    // MARK: Events

    /// Returns whether a source with this number still counts. Called in the section, like the following methods.
    func counts(_ number: SourceNumber) -> Bool { mustOverride() }

    /// The call that starts a source has returned.
    func started(_ number: SourceNumber) {}

    /// Emits a value of a source, if the source counts at the value's turn.
    @inline(__always)
    final func forward(_ value: T, of number: SourceNumber) {
        if enter() {
            if counts(number) { emit(value) }
            leave()
        } else {
            enqueue { [unowned(unsafe) self] in if counts(number) { emit(value) } }
        }
    }

    /// Ends with the end of a source, if the source counts at the turn of that event.
    final func end(_ end: End<E>, of number: SourceNumber) {
        submit { [unowned(unsafe) self] in if counts(number) { self.end(end) } }
    }

    // MARK: Effects

    /// Leaves an effect for outside the section. Call it as the last action in the section.
    final func afterwards(_ effect: consuming any Effect) { self.effect = effect }

    /// Leaves the section after an event that may have left an effect.
    @inline(__always)
    final func leaveWithEffect() {
        if effect == nil { leave() } else { leaveForEffect() }
    }

    override final func takeEffect() -> (any Effect)? { effect.take() }

    override final func performed(_ done: any Effect) {
        if !isTerminated { done.performed() }
    }
}

/// (It is not nested in the hub, because the hub's type would then be looked up.)
enum SuccessionSlot {
    static var source: Int { 0 }
    static var other: Int { 1 }
}

/// The inlet of such a source. It is also the effect that starts the source. (`F` is the error of the hub.)
class SuccessorInlet<T, E, F, Owner: SuccessionHub<T, F>>: Inlet<Owner, T, E>, Effect {
    final let number: SourceNumber
    /// Nil after the start. It is untyped, because its type would be looked up when it is taken out.
    @exclusivity(unchecked) private var signal: AnyObject?

    init(_ hub: Owner, _ signal: Signal<T, E>, number: SourceNumber) {
        self.number = number
        self.signal = signal
        super.init(hub)
    }

    override final func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(upstream, in: slot, number: number)
    }
    override func next(_ value: T) { hub.forward(value, of: number) }

    /// Starts the source, unless a newer one has been started by another thread.
    final func perform() {
        guard let taken = signal.take() else { return }
        let (isNewest, previous) = hub.claim(slot, for: number)
        if !isNewest { return }
        // Not by `unsafeDowncast`, which would count it up.
        let signal = Unmanaged<Signal<T, E>>.fromOpaque(Unmanaged.passUnretained(taken).toOpaque())
        withExtendedLifetime(taken) { signal._withUnsafeGuaranteedRef { start($0, after: previous) } }
    }

    /// Starts the source, and disposes the one before it.
    func start(_ signal: Signal<T, E>, after previous: (any Disposable)?) {
        signal.attach(self)
        previous?.dispose()
    }

    final func performed() { hub.started(number) }
}
