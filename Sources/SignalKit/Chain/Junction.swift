import Synchronization

/// What an event of a hub's leaves to be done outside the section, above all subscribing.
protocol Step: AnyObject {
    /// Several steps can be performed at once, by several threads or inside each other.
    func perform()
    /// What follows from it, in the section.
    func performed()
}

/// The part of a hub that knows nothing of types: its section, the subscriptions above, and how all of it ends.
class Junction: Subscription {
    /// What is to be done in the section. It holds the hub without counting, which outlives whatever waits in its section.
    typealias Event = () -> Void

    private let serial = Serial<Event>()
    private let queue: Queue?
    private let slotLock = SmallLock()
    private let inlets = Synchronization.Atomic<UInt32>(0)
    @exclusivity(unchecked) private var slots: Slots
    @exclusivity(unchecked) private var newest = 0
    // What follows is touched only in the section.
    /// What the event that is being handled has left to do.
    @exclusivity(unchecked) private var step: (any Step)?
    /// How many steps are being performed, and those that are left to whoever performs, the newest first.
    @exclusivity(unchecked) private var performing = 0
    @exclusivity(unchecked) private var left: [any Step] = []

    /// - Parameters:
    ///   - slots: how many subscriptions (or timers) above there can be at once. They are disposed in this order.
    ///   - queue: where the serial section is to be held; by default on whichever thread brings an event.
    init(slots: Int, on queue: Queue?) {
        self.queue = queue
        self.slots = Slots(count: slots)
    }

    /// Lets the operator's state go, in the serial section.
    func clear() {}

    /// Lets the stages below go, in the serial section.
    func releaseSink() {}

    /// Leaves something to be done outside the section. The last thing to do in it.
    final func afterwards(_ step: consuming any Step) { self.step = step }

    // MARK: The section

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
        var next = finishEvent()
        run(&next)
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

    /// Leaves an event to whoever holds the section, or handles it where that is to be held.
    @inline(never)
    final func wait(_ event: @escaping Event) {
        if isTerminated { return }
        if let queue, !queue.isCurrent() {
            // The section is taken here and handed over to the queue; it comes free when the queue has drained it.
            if serial.wait(event) { hop(to: queue) }
        } else if serial.wait(event) {
            drainAndRun()
        }
    }

    private func hop(to queue: Queue) {
        if raise(Flag.handedOver) & Flag.terminated != 0 {
            if takesBack() { _ = drain() }
            return
        }
        addInlet()
        queue.justDispatch {
            if self.takesBack() { self.drainAndRun() }
            self.removeInlet()
        }
    }

    /// Whether the section was handed over to the queue, which has not come to it yet, and is now the caller's.
    private func takesBack() -> Bool {
        state.bitwiseAnd(~Flag.handedOver, ordering: .acquiringAndReleasing).oldValue & Flag.handedOver != 0
    }

    /// After an event: its step, the section having been left; or what waits, up to the first step.
    private func finishEvent() -> (any Step)? {
        guard let step = takeStep() else { return drain() }
        serial.stepOutside()
        return step
    }

    /// Handles what waits, up to the first step (the section is left then as well).
    private func drain() -> (any Step)? {
        var next: (any Step)?
        _ = serial.drain { event in
            if isTerminated { empty() } else if let event { event() }
            next = takeStep()
            return next == nil
        }
        return next
    }

    private func drainAndRun() {
        var next = drain()
        run(&next)
    }

    // MARK: Steps

    /// The step that the event has left, to be performed. A step may be performed inside another: that is how a new inner signal stops one that
    /// is still busy in its generator. But not without end: beyond a few, the step is left to those who are at it already.
    private func takeStep() -> (any Step)? {
        guard let taken = step.take() else { return nil }
        if performing < 16 {
            performing += 1
            return taken
        }
        left.append(taken)
        return nil
    }

    /// Performs a step and whatever follows from it, in a loop: a million rounds need no more stack than one.
    @inline(never)
    private func run(_ next: inout (any Step)?) {
        while let step = next.take() {
            if !isTerminated { step.perform() }
            if serial.enter() {
                performed(step)
                next = finishEvent()
            } else {
                next = serial.wait({ [unowned(unsafe) self] in performed(step) }) ? drain() : nil
            }
        }
    }

    /// In the section.
    private func performed(_ done: any Step) {
        performing -= 1
        if isTerminated { return }
        done.performed()
        if step == nil { step = left.popLast() }
    }

    // MARK: Subscriptions above

    /// Puts a subscription into a slot and disposes what was there. When nobody wants it any more, because the end has come or a newer one
    /// has claimed the slot, it is disposed itself.
    final func store(_ disposable: any Disposable, in slot: Int, number: Int = Int.max) {
        slotLock.lock()
        var obsolete: (any Disposable)? = disposable
        if flags & Flag.closed == 0 && number >= newest { slots.exchange(slot, &obsolete) }
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
            slots.exchange(slot, &previous)
        }
        slotLock.unlock()
        return (isNewest, previous)
    }

    /// Takes what is in a slot: because it has ended, or to dispose it.
    @discardableResult
    final func take(from slot: Int) -> (any Disposable)? {
        slotLock.lock()
        var taken: (any Disposable)?
        slots.exchange(slot, &taken)
        slotLock.unlock()
        return taken
    }

    final func disposeSlots() {
        slotLock.lock()
        _ = raise(Flag.closed)
        var taken = Slots(count: 0)
        swap(&slots, &taken)
        slotLock.unlock()
        taken.dispose()
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

    final func empty() {
        if raise(Flag.emptied) & Flag.emptied != 0 { return }
        clear()
        let dropped = left
        left = []
        releaseSink()
        withExtendedLifetime(dropped) {}
    }
}
