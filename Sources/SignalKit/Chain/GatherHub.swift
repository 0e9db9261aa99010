import Synchronization

/// A hub of an outer source, which emits inner sources. Any number of inner sources run at the same time.
///
/// An inner source gets its number before its start. They are disposed in the order of their numbers, and the outer
/// source last. The first error ends the hub. It completes when the outer and all inner sources have completed.
class GatherHub<T, E>: Hub<T, E> {
    private let inner: Kind<GatheredInlet<T, E>>
    private let lock = SmallLock()
    @exclusivity(unchecked) private var outer = Slot.empty
    private let inners = Bag<Slot>()
    private let running = Synchronization.Atomic<Int>(0)
    // Access the following only in the section.
    @exclusivity(unchecked) private var effect: (any Effect)?
    @exclusivity(unchecked) private var isOuterDone = false

    init(_ sink: Sink<T, E>, _ inner: Kind<GatheredInlet<T, E>> = Kind()) {
        self.inner = inner
        super.init(sink)
    }

    // MARK: Slots

    override final func store(_ upstream: Subscription, in slot: Int) {
        let obsolete: (any Disposable)? = lock.withLock {
            if slot == Place.outer { return outer.store(upstream) }
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

    /// Removes an inner source, because it has ended, or to dispose it.
    @discardableResult
    fileprivate final func take(_ number: Int) -> (any Disposable)? {
        var slot = lock.withLock { inners.take(number) }
        return slot?.take()
    }

    fileprivate final func isOpen(_ number: Int) -> Bool { lock.withLock { inners.get(number) != nil } }

    // MARK: Inner sources

    /// Schedules the start of an inner source. Call it in the section, as the last action there.
    ///
    /// - Parameters:
    ///   - place: the place of the source. From now on only its events count there.
    ///   - previous: the numbers of the sources that it replaces. They are disposed after the start.
    final func start(_ signal: Signal<T, E>, at place: Place? = nil, inPlaceOf previous: [Int] = []) {
        effect = inlet(signal, at: place, inPlaceOf: previous)
    }

    /// Starts an inner source before this returns. Outside of the section.
    final func startAtOnce(_ signal: Signal<T, E>, at place: Place) {
        inlet(signal, at: place, inPlaceOf: []).perform()
    }

    private func inlet(
        _ signal: Signal<T, E>, at place: Place?, inPlaceOf previous: [Int]
    ) -> GatheredInlet<T, E> {
        let number = lock.withLock { outer.isClosed ? Place.nobody : inners.add(.empty) }
        running.add(1 - previous.count, ordering: .relaxed)
        place?.number = number
        return inner.type.init(self, signal, number, at: place, inPlaceOf: previous)
    }

    // MARK: In the section

    /// The inner source that counts at a place has completed.
    func completed(_ place: Place) {}

    /// The call that started an inner source has returned, and the source has completed. The next one may start. (It
    /// starts in a loop. A million sources that end inside their starts need no more stack than one.)
    func left() {}

    /// True if an inner source is pending.
    var hasWaiting: Bool { false }

    fileprivate final func ended(_ inlet: GatheredInlet<T, E>, _ end: End<E>) {
        if !inlet.counts { return }
        if case .failed = end { return self.end(end) }
        inlet.hasCompleted = true
        running.subtract(1, ordering: .relaxed)
        if let place = inlet.place { completed(place) }
        if isComplete { self.end(.completed) } else if inlet.hasStarted { left() }
    }

    fileprivate final func started(_ inlet: GatheredInlet<T, E>) {
        inlet.hasStarted = true
        if inlet.hasCompleted { left() }
    }

    final func outerEnded(_ end: End<E>) {
        isOuterDone = true
        if case .failed = end { self.end(end) } else if isComplete { self.end(end) }
    }

    private var isComplete: Bool { isOuterDone && running.load(ordering: .relaxed) == 0 && !hasWaiting }

    // MARK: Effects

    override final func takeEffect() -> (any Effect)? { effect.take() }

    override final func performed(_ done: any Effect) {
        if !isTerminated { done.performed() }
    }
}

/// A place where inner sources follow each other. Only the newest one counts.
class Place {
    static var nobody: Int { -1 }
    /// The slot of the outer source, which has no number.
    static var outer: Int { -1 }

    /// The number of the source whose events count. Set before that source is started. Afterwards access only in the
    /// section.
    @exclusivity(unchecked) final var number = Place.nobody
}

/// The inlet of an inner source, which is the effect that starts it as well.
final class GatheredInlet<T, E>: Inlet<GatherHub<T, E>, T, E>, Effect {
    let number: Int
    /// If there is none, nothing follows the source, which so counts to its end.
    let place: Place?
    private let previous: [Int]
    /// Nil after the start.
    // Untyped, because its type would be looked up when it is taken out.
    @exclusivity(unchecked) private var signal: AnyObject?
    // Touched only in the section.
    @exclusivity(unchecked) fileprivate var hasStarted = false
    @exclusivity(unchecked) fileprivate var hasCompleted = false

    init(
        _ hub: GatherHub<T, E>, _ signal: Signal<T, E>, _ number: Int, at place: Place?, inPlaceOf previous: [Int]
    ) {
        self.number = number
        self.place = place
        self.previous = previous
        self.signal = signal
        super.init(hub)
    }

    override var slot: Int { number }

    /// In the section.
    @inline(__always)
    var counts: Bool { place.map { $0.number == number } ?? true }

    /// Starts the source, unless it was replaced in the meantime.
    func perform() {
        guard let signal = signal.take() else { return }
        if hub.isOpen(number) { unsafeDowncast(signal, to: Signal<T, E>.self).attach(self) }
        for number in previous { hub.take(number)?.dispose() }
    }

    func performed() { hub.started(self) }

    override func next(_ value: T) {
        if hub.enter() {
            if counts { hub.emit(value) }
            hub.leave()
        } else {
            hub.enqueue { [self] in if counts { hub.emit(value) } }
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

/// The inlet of the outer source. A subclass handles its values.
class OuterSourceInlet<T, R, E, Owner: GatherHub<R, E>>: Inlet<Owner, T, E> {
    override final var slot: Int { Place.outer }

    override final func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.outerEnded(end) } }
}
