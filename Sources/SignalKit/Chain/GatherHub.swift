/// A hub of a source that brings others: the outer one, and any number of inner ones that run at the same time.
///
/// An inner source has its number before it is started. They are disposed in the order of their numbers, the outer
/// source after them. The first error ends all; it completes when the outer and all inner ones have.
class GatherHub<T, E>: Hub<T, E> {
    static var outerSlot: Int { -1 }

    private let lock = SmallLock()
    @exclusivity(unchecked) private var outer = Slot.empty
    private let inners = Bag<Slot>()
    // What follows is touched only in the section.
    @exclusivity(unchecked) private var effect: (any Effect)?
    @exclusivity(unchecked) private var running = 0
    @exclusivity(unchecked) private var isOuterDone = false

    // MARK: Slots

    override final func store(_ upstream: Subscription, in slot: Int) {
        let obsolete: (any Disposable)? = lock.withLock {
            if slot == GatherHub.outerSlot { return outer.store(upstream) }
            return inners.change(slot) { $0.store(upstream) } ?? upstream
        }
        obsolete?.dispose()
    }

    override final func disposeSlots() {
        var (all, outer) = lock.withLock {
            defer { inners.removeAll() }
            return (inners.copyItems(), self.outer.close())
        }
        for index in all.indices {
            if let inner = all[index].take() { Turns.dispose(inner) }
        }
        if let outer { Turns.dispose(outer) }
    }

    /// Takes an inner source out: because it has ended, or to dispose it.
    @discardableResult
    fileprivate final func take(_ number: Int) -> (any Disposable)? {
        var slot = lock.withLock { inners.remove(number) }
        return slot?.take()
    }

    fileprivate final func isOpen(_ number: Int) -> Bool { lock.withLock { inners.get(number) != nil } }

    // MARK: In the section

    /// Leaves an inner source to be started. The last thing to do.
    /// - Parameter previous: the number of one that it takes the place of: that is disposed after the start.
    /// - Returns: its number.
    @discardableResult
    final func start(_ signal: Signal<T, E>, inPlaceOf previous: Int? = nil) -> Int {
        let number = lock.withLock { outer.isClosed ? -1 : inners.add(.empty) }
        if previous == nil { running += 1 }
        effect = GatheredInlet(self, signal, number, inPlaceOf: previous)
        return number
    }

    /// Whether the events of an inner source still count.
    func counts(_ number: Int) -> Bool { true }

    /// An inner source has completed.
    func completed(_ number: Int) {}

    /// What started an inner source has returned, and the source has completed: another may follow. (It follows in a
    /// loop: a million sources that end inside their own starts need no more stack than one.)
    func left() {}

    /// Whether an inner source is still to be started.
    var hasWaiting: Bool { false }

    fileprivate final func ended(_ inlet: GatheredInlet<T, E>, _ end: End<E>) {
        if !counts(inlet.number) { return }
        if case .failed = end { return self.end(end) }
        inlet.hasCompleted = true
        running -= 1
        completed(inlet.number)
        if isComplete { self.end(.completed) } else if inlet.hasStarted { left() }
    }

    fileprivate final func started(_ inlet: GatheredInlet<T, E>) {
        inlet.hasStarted = true
        if inlet.hasCompleted { left() }
    }

    fileprivate final func outerEnded(_ end: End<E>) {
        isOuterDone = true
        if case .failed = end { self.end(end) } else if isComplete { self.end(end) }
    }

    private var isComplete: Bool { isOuterDone && running == 0 && !hasWaiting }

    // MARK: Effects

    override final func takeEffect() -> (any Effect)? { effect.take() }

    override final func performed(_ done: any Effect) {
        if !isTerminated { done.performed() }
    }
}

/// The inlet of an inner source, which is the effect that starts it as well.
private final class GatheredInlet<T, E>: Inlet<GatherHub<T, E>, T, E>, Effect {
    let number: Int
    private let previous: Int?
    /// Gone once it is started.
    @exclusivity(unchecked) private var signal: Signal<T, E>?
    // Touched only in the section.
    @exclusivity(unchecked) fileprivate var hasStarted = false
    @exclusivity(unchecked) fileprivate var hasCompleted = false

    init(_ hub: GatherHub<T, E>, _ signal: Signal<T, E>, _ number: Int, inPlaceOf previous: Int?) {
        self.number = number
        self.previous = previous
        self.signal = signal
        super.init(hub)
    }

    override var slot: Int { number }

    /// Starts the source, unless another has taken its place meanwhile.
    func perform() {
        guard let signal = signal.take() else { return }
        if hub.isOpen(number) { signal.attach(self) }
        if let previous { hub.take(previous)?.dispose() }
    }

    func performed() { hub.started(self) }

    override func next(_ value: T) {
        if hub.enter() {
            if hub.counts(number) { hub.emit(value) }
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, number] in if hub.counts(number) { hub.emit(value) } }
        }
    }

    override func end(_ end: End<E>) {
        hub.take(number)
        if hub.enter() {
            hub.ended(self, end)
            hub.leaveForEffect()
        } else {
            hub.enqueue { [unowned(unsafe) hub, self] in hub.ended(self, end) }
        }
    }
}

/// The inlet of the outer source: what is left to say is what a value means.
class OuterSourceInlet<T, R, E, Owner: GatherHub<R, E>>: Inlet<Owner, T, E> {
    override final var slot: Int { GatherHub<R, E>.outerSlot }

    override final func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.outerEnded(end) } }
}
