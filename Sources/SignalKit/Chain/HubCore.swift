import Synchronization

/// The part of a hub that does not depend on its types: its section and its end.
// Not a `FeedingSubscription`: the count of inlets here fills the padding after the flags of `Subscription`, so that
// every hub takes eight bytes less.
class HubCore: Subscription {
    /// An action in the section. It does not retain the hub, because the hub outlives the events in its section.
    typealias Event = () -> Void

    private let inlets = Synchronization.Atomic<UInt32>(0)
    /// The demand of a shared subscription, or the listeners of a promise.
    @exclusivity(unchecked) private var target: AnyObject?
    private let serial = Serial<Event>()

    /// Lets the operator's state go, in the serial section.
    func clear() {}

    /// Releases the downstream stages, in the serial section.
    func releaseSink() { mustOverride() }

    override final func feeds(_ target: AnyObject) { self.target = target }

    /// Registers an upstream subscription.
    @inline(__always)
    final func isFed(by upstream: Subscription) {
        if let target { upstream.feeds(target) }
    }

    /// Stores an upstream subscription for disposal. After the end it is disposed immediately.
    func store(_ upstream: Subscription, in slot: Int) { mustOverride() }

    /// Disposes the upstream subscriptions in their order, and later ones when they are stored.
    func disposeSlots() { mustOverride() }

    // MARK: The section

    /// Enters the section, if it is free and the stack has space. The caller is an inlet, or has called `addInlet`. It
    /// handles its event and calls `leave`. If the result is false, the caller passes the event to `enqueue`. After the
    /// end the result is false.
    @inline(__always)
    final func enter() -> Bool {
        guard Turns.hasRoom && serial.enter() else { return false }
        if !isTerminated { return true }
        leave()
        return false
    }

    /// Handles the pending events, and leaves the section. Use it for events without an effect.
    @inline(__always)
    final func leave() {
        if !serial.leave() { drainAndRun() }
    }

    /// Like `leave`, for any event. If the event left an effect, leaves the section and performs it. Otherwise handles
    /// the pending events.
    @inline(never)
    final func leaveForEffect() {
        guard let effect = takeEffect() else { return leave() }
        serial.stepOutside()
        run(effect)
    }

    /// Handles an event in the section, now or at its turn.
    final func submit(_ event: @escaping Event) {
        if enter() {
            event()
            leaveForEffect()
        } else {
            enqueue(event)
        }
    }

    /// Leaves an event to the thread in the section, or to the caller further up the stack that passes events on.
    @inline(never)
    final func enqueue(_ event: @escaping Event) {
        if isTerminated { return }
        if !Turns.hasRoom { return enqueueDeeply(event) }
        if serial.enqueue(event) { drainAndRun() }
    }

    /// Counts as an inlet in the meantime, because the inlet may be released before the turn of the event.
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

    /// Handles the pending events, up to the first effect, and leaves the section.
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

    /// Called in the section. Returns the effect that the event has left, if there is one.
    func takeEffect() -> (any Effect)? { nil }

    /// Called in the section, after an effect.
    func performed(_ effect: any Effect) {}

    /// Performs an effect, now or at its turn, and the effects that follow from it, in a loop. A million rounds need no
    /// more stack than one.
    ///
    /// An effect may be performed inside another. Thus a new inner signal can stop one that is still in its generator.
    /// The depth is limited.
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

    /// True if every source was released except that of the current event.
    final var hasOneInlet: Bool { inlets.load(ordering: .acquiring) == 1 }

    final func addInlet() { inlets.add(1, ordering: .relaxed) }

    /// If the last inlet is released without an end, no further event can be emitted, and the downstream stages are
    /// released. The subscriptions stay in the slots, for disposal.
    final func removeInlet() {
        if inlets.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        if raise(Flag.terminated) & Flag.terminated == 0 { wake() }
    }

    /// Tears the hub down in its section, now or after the current event.
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
