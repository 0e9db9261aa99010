import Synchronization

/// The meeting point of several sources, or of one source and time: what joins, switches, repeats, delays.
///
///     source ─► Gate ─► inlet ─┐            ┌─► the stages below
///     source ─► Gate ─► inlet ─┼──► Hub ────┤
///     timer ───────────────────┘     │      └── what they (and `start`'s caller) dispose
///                                    └──► the subscriptions above, in slots
///
/// Every event from above is handled in one serial section: there it touches the operator's state and tells the stages below, one event at a
/// time, in order, without a lock. An event is a method of the operator's; it becomes a closure only when it has to wait. What has to happen
/// outside of the section, above all subscribing, is left as a step.
///
/// An inlet owns the hub; the hub owns the subscriptions, which own the inlets. The end, disposal, or the going of the last inlet cuts
/// all of it.
class Hub<T, E>: Subscription, InletOwner {
    /// What is to be done in the section. It holds the hub without counting, which outlives whatever waits in its section.
    typealias Event = () -> Void
    /// What is to be done outside the section, and the event that follows from it, which is handled next, without growing the stack. Several
    /// steps can be performed at once, by several threads or inside each other; a step that subscribes asks `isTerminated` first.
    typealias Step = () -> Event?

    private let serial = Serial<Event>()
    private let sink: Unmanaged<Sink<T, E>>
    private let queue: Queue?
    private let slotLock = SmallLock()
    private let inlets = Synchronization.Atomic<UInt32>(0)
    @exclusivity(unchecked) private var slots: [(any Disposable)?]
    @exclusivity(unchecked) private var newest = 0
    /// What the event that is being handled has left to do. Only in the section.
    @exclusivity(unchecked) private var step: Step?
    /// How many steps are being performed, and those that are left to whoever performs; under the slots' lock as well.
    @exclusivity(unchecked) private var performing = 0
    @exclusivity(unchecked) private var steps = Fifo<Step>()

    /// - Parameters:
    ///   - slots: how many subscriptions (or timers) above there can be at once. They are disposed in this order.
    ///   - queue: where the serial section is to be held; by default on whichever thread brings an event.
    init(_ sink: Sink<T, E>, slots: Int, on queue: Queue? = nil) {
        self.sink = Unmanaged.passRetained(sink)
        self.queue = queue
        self.slots = Array(repeating: nil, count: slots)
    }

    deinit {
        if flags & Flag.emptied == 0 { sink.release() }
    }

    /// Lets the operator's state go, in the serial section.
    func clear() {}

    // MARK: What an operator calls in the section

    @inline(__always)
    final func emit(_ value: T) {
        if flags & (Flag.disposed | Flag.emptied) == 0 { sink._withUnsafeGuaranteedRef { $0.next(value) } }
    }

    /// The last thing to do in the section.
    final func fail(_ error: E) {
        end { $0.error(error) }
    }

    /// The last thing to do in the section.
    final func complete() {
        end { $0.completed() }
    }

    /// Leaves the rest, which is what `signal` emits, to the stage below, if that wants it. Then the hub is done, without an event.
    /// The last thing to do in the section.
    final func yield(to signal: Signal<T, E>) -> Bool {
        guard !isDisposed, sink._withUnsafeGuaranteedRef({ $0.takeOver(signal) }) else { return false }
        if raise(Flag.terminated) & Flag.terminated == 0 { disposeSlots() }
        empty()
        return true
    }

    /// Leaves something to be done outside the section. The last thing to do in it.
    final func afterwards(_ step: @escaping Step) { self.step = step }

    private func end(_ tell: (Sink<T, E>) -> Void) {
        guard raise(Flag.terminated) & Flag.terminated == 0 else { return }
        sink._withUnsafeGuaranteedRef(tell)
        disposeSlots()
        empty()
    }

    // MARK: What an operator calls from anywhere

    /// Hands this hub down as the subscription, then lets `start` attach to what is above, if anybody still wants it.
    final func open(_ start: () -> Void) {
        sink._withUnsafeGuaranteedRef { $0.attached(self) }
        // Holds the hub open even if an inlet comes and goes before the next one comes.
        addInlet()
        if !isTerminated { start() }
        removeInlet()
    }

    /// Enters the section, if it is free and may be held on this thread. The caller is an inlet, or holds one's place (`addInlet`); it
    /// handles its event and calls `leave`. Otherwise, and also after the end, it leaves the event to `wait`.
    @inline(__always)
    final func enter() -> Bool {
        if let queue, !queue.isCurrent() { return false }
        guard serial.enter() else { return false }
        if !isTerminated { return true }
        leave()
        return false
    }

    /// Handles what has come meanwhile, leaves the section, and performs the step that was left.
    @inline(__always)
    final func leave() {
        if step != nil || !serial.leave() { leaveSlowly() }
    }

    @inline(never)
    private func leaveSlowly() {
        if let step = finishEvent() { run(from: step) }
    }

    /// Handles an event in the section, now or when its turn has come.
    final func submit(_ event: @escaping Event) {
        if enter() {
            event()
            leave()
        } else {
            wait(event)
        }
    }

    /// Emits a value in the section, now or when its turn has come.
    @inline(__always)
    final func pass(_ value: T) {
        if enter() {
            emit(value)
            leave()
        } else {
            wait { [unowned(unsafe) self] in emit(value) }
        }
    }

    /// Leaves an event to whoever holds the section, or handles it where that is to be held.
    @inline(never)
    final func wait(_ event: @escaping Event) {
        if isTerminated { return }
        if let queue, !queue.isCurrent() {
            // The section is taken here and handed over to the queue; it comes free when the queue has drained it.
            if serial.wait(event) { hop(to: queue) }
        } else if serial.wait(event), let step = drain() {
            run(from: step)
        }
    }

    private func hop(to queue: Queue) {
        if raise(Flag.handedOver) & Flag.terminated != 0 {
            if takesBack() { _ = drain() }
            return
        }
        addInlet()
        queue.justDispatch {
            if self.takesBack(), let step = self.drain() { self.run(from: step) }
            self.removeInlet()
        }
    }

    /// Whether the section was handed over to the queue, which has not come to it yet, and is now the caller's.
    private func takesBack() -> Bool {
        state.bitwiseAnd(~Flag.handedOver, ordering: .acquiringAndReleasing).oldValue & Flag.handedOver != 0
    }

    /// Handles an event, and what waits, up to the first step.
    private func handle(_ event: @escaping Event) -> Step? {
        guard serial.enter() else { return serial.wait(event) ? drain() : nil }
        if !isTerminated { event() }
        return finishEvent()
    }

    /// After an event: its step, the section having been left; or what waits, up to the first step.
    private func finishEvent() -> Step? {
        guard let step = takeStep() else { return drain() }
        serial.stepOutside()
        return step
    }

    /// Performs a step and whatever follows from it, in a loop: a million rounds need no more stack than one.
    private func run(from first: @escaping Step) {
        var mayPerform = false
        var next: Step? = first
        while true {
            // Not by `??`, which is generic: it would put another closure around the step.
            if next == nil && mayPerform { next = takeLeftStep() }
            guard let step = next else { return }
            if !mayPerform {
                mayPerform = startsPerforming(orLeaves: step)
                if !mayPerform {
                    next = serial.resume() ? drain() : nil
                    continue
                }
            }
            if let followUp = step() {
                next = handle(followUp)
            } else {
                next = serial.resume() ? drain() : nil
            }
        }
    }

    /// A step may be performed inside another: that is how a new inner signal stops one that is still busy in its generator. But not without
    /// end: beyond a few, the step is left to those who are at it already.
    private func startsPerforming(orLeaves step: @escaping Step) -> Bool {
        slotLock.lock()
        defer { slotLock.unlock() }
        if performing < 16 {
            performing += 1
            return true
        }
        steps.append(step)
        return false
    }

    /// The next step that was left to the caller; when there is none, the caller performs no longer.
    private func takeLeftStep() -> Step? {
        slotLock.lock()
        defer { slotLock.unlock() }
        if !steps.isEmpty { return steps.popFirst() }
        performing -= 1
        return nil
    }

    /// Handles what waits, up to the first step (the section is left then as well).
    private func drain() -> Step? {
        var left: Step?
        _ = serial.drain { event in
            if isTerminated { empty() } else if let event { event() }
            left = takeStep()
            return left == nil
        }
        return left
    }

    private func takeStep() -> Step? {
        guard let taken = step else { return nil }
        step = nil
        return taken
    }

    // MARK: Subscriptions above

    /// Puts a subscription into a slot and disposes what was there. When nobody wants it any more, because the end has come or a newer one
    /// has claimed the slot, it is disposed itself.
    final func store(_ disposable: any Disposable, in slot: Int, number: Int = Int.max) {
        slotLock.lock()
        var obsolete: (any Disposable)? = disposable
        if flags & Flag.closed == 0 && number >= newest { swap(&slots[slot], &obsolete) }
        slotLock.unlock()
        obsolete?.dispose()
    }

    /// Makes way in a slot for what is started next. Of two that two threads are about to start at once the newer stays: the other learns
    /// here that it must not start, or in `store` that it is not wanted.
    final func claim(_ slot: Int, for number: Int) -> (isNewest: Bool, previous: (any Disposable)?) {
        slotLock.lock()
        let isNewest = flags & Flag.closed == 0 && number >= newest
        var previous: (any Disposable)?
        if isNewest {
            newest = number
            swap(&slots[slot], &previous)
        }
        slotLock.unlock()
        return (isNewest, previous)
    }

    /// Takes what is in a slot: because it has ended, or to dispose it.
    @discardableResult
    final func take(from slot: Int) -> (any Disposable)? {
        slotLock.lock()
        var taken: (any Disposable)?
        if slot < slots.count { swap(&slots[slot], &taken) }
        slotLock.unlock()
        return taken
    }

    private func disposeSlots() {
        slotLock.lock()
        _ = raise(Flag.closed)
        var taken: [(any Disposable)?] = []
        swap(&slots, &taken)
        slotLock.unlock()
        for disposable in taken { disposable?.dispose() }
    }

    // MARK: The end

    override final func dispose() {
        let before = raise(Flag.terminated | Flag.disposed)
        if before & Flag.disposed != 0 { return }
        disposeSlots()
        if before & Flag.emptied == 0 { wake() }
    }

    final func addInlet() { inlets.add(1, ordering: .relaxed) }

    /// When the last inlet goes without an end, nobody can emit any more: the stages below are let go. What is in the slots stays, for
    /// disposal.
    final func removeInlet() {
        if inlets.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 && raise(Flag.terminated) & Flag.terminated == 0 { wake() }
    }

    /// Empties the hub in its section: now, or when whoever is in there is done. A queue that the section was handed over to is not waited
    /// for: who knows when it runs.
    private func wake() {
        if serial.enter() {
            empty()
            _ = drain()
        } else if serial.wait(nil) || takesBack() {
            _ = drain()
        }
    }

    private func empty() {
        if raise(Flag.emptied) & Flag.emptied != 0 { return }
        clear()
        sink.release()
    }
}
