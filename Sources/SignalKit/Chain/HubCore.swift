import Synchronization

/// The part of a hub that knows nothing of types: its section, and how all of it ends.
class HubCore: FeedingSubscription {
    /// What is to be done in the section. It holds the hub without counting, which outlives whatever waits in its
    /// section.
    typealias Event = () -> Void

    private let inlets = Synchronization.Atomic<UInt32>(0)
    private let serial = Serial<Event>()

    /// Lets the operator's state go, in the serial section.
    func clear() {}

    /// Lets the stages below go, in the serial section.
    func releaseSink() { mustOverride() }

    /// Keeps a subscription above, to dispose it. When it comes too late it is disposed itself.
    func store(_ upstream: Subscription, in slot: Int) { mustOverride() }

    /// Disposes what is above, in its order, and from now on what is stored later.
    func disposeSlots() { mustOverride() }

    // MARK: The section

    /// Enters the section, if it is free and there is room on the stack. The caller is an inlet, or holds one's place
    /// (`addInlet`); it handles its event and calls `leave`. Otherwise, and also after the end, it leaves the event to
    /// `enqueue`.
    @inline(__always)
    final func enter() -> Bool {
        guard Turns.hasRoom && serial.enter() else { return false }
        if !isTerminated { return true }
        leave()
        return false
    }

    /// Handles what has come meanwhile, and leaves the section. For events that leave no effect behind.
    @inline(__always)
    final func leave() {
        if !serial.leave() { drainAndRun() }
    }

    /// The same for any event: leaves the section, and performs the effect that was left; or handles what has come
    /// meanwhile.
    @inline(never)
    final func leaveForEffect() {
        guard let effect = takeEffect() else { return leave() }
        serial.stepOutside()
        run(effect)
    }

    /// Handles an event in the section, now or when its turn has come.
    final func submit(_ event: @escaping Event) {
        if enter() {
            event()
            leaveForEffect()
        } else {
            enqueue(event)
        }
    }

    /// Leaves an event to the holder of the section, or to whoever passes events on further up the stack.
    @inline(never)
    final func enqueue(_ event: @escaping Event) {
        if isTerminated { return }
        if !Turns.hasRoom { return enqueueDeeply(event) }
        if serial.enqueue(event) { drainAndRun() }
    }

    /// Holds an inlet's place meanwhile: the inlet may be gone when the turn comes.
    @inline(never)
    private func enqueueDeeply(_ event: @escaping Event) {
        addInlet()
        Turns.pass { [self] in
            if serial.enter() {
                if !isTerminated { event() }
                leaveForEffect()
            } else if serial.enqueue(event) {
                drainAndRun()
            }
            removeInlet()
        }
    }

    /// Handles what waits, up to the first effect (the section is left then as well).
    @discardableResult
    private func drain() -> (any Effect)? {
        var next: (any Effect)?
        serial.drain { event in
            if isTerminated { tearDown() } else if let event { event() }
            next = takeEffect()
            return next == nil
        }
        return next
    }

    @inline(never)
    private func drainAndRun() {
        if let effect = drain() { run(effect) }
    }

    // MARK: Effects

    /// In the section: the effect that the event has left to be performed outside, if it has.
    func takeEffect() -> (any Effect)? { nil }

    /// In the section: what follows from an effect.
    func performed(_ effect: any Effect) {}

    /// Performs an effect, now or when its turn has come, and whatever follows from it, in a loop: a million rounds
    /// need no more stack than one.
    ///
    /// An effect may be performed inside another: that is how a new inner signal stops one that is still busy in its
    /// generator. But not without end.
    @inline(never)
    private func run(_ first: consuming any Effect, isItsTurn: Bool = false) {
        if !isItsTurn && !Turns.hasRoom { return runDeeply(first) }
        var next: (any Effect)? = first
        while let effect = next.take() {
            if !isTerminated { effect.perform() }
            if serial.enter() {
                performed(effect)
                next = takeEffect()
                if next != nil { serial.stepOutside() } else { next = drain() }
            } else {
                next = serial.enqueue({ [unowned(unsafe) self] in performed(effect) }) ? drain() : nil
            }
        }
    }

    @inline(never)
    private func runDeeply(_ effect: any Effect) {
        Turns.startDeeply { self.run(effect, isItsTurn: true) }
    }

    // MARK: The end

    override final func dispose() {
        let before = raiseDone(Flag.terminated | Flag.disposed)
        if before & Flag.disposed != 0 { return }
        disposeSlots()
        if before & Flag.released == 0 { wake() }
    }

    /// Whether all other sources have gone than the one whose event is handled.
    final var hasOneInlet: Bool { inlets.load(ordering: .acquiring) == 1 }

    final func addInlet() { inlets.add(1, ordering: .relaxed) }

    /// When the last inlet goes without an end, nothing can be emitted any more: the stages below are released. What is
    /// in the slots stays, for disposal.
    final func removeInlet() {
        if inlets.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        if raise(Flag.terminated) & Flag.terminated == 0 { wake() }
    }

    /// Tears the hub down in its section: now, or after the event that is being handled there.
    private func wake() {
        if serial.enter() {
            tearDown()
            drain()
        } else if serial.enqueue(nil) {
            drain()
        }
    }

    final func tearDown() {
        if raise(Flag.released) & Flag.released != 0 { return }
        clear()
        releaseSink()
    }
}
