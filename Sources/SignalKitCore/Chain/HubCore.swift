import Synchronization

/// The part of a hub that does not depend on its types: its sources, its section and its end.
// Not a `FeedingSubscription`: the count of inlets here fills the padding after the flags of `Subscription`, so that
// every hub takes eight bytes less.
class HubCore: Subscription {
    /// An action in the section. It does not retain the hub, because the hub outlives the events in its section.
    typealias Event = () -> Void

    private let inlets = Synchronization.Atomic<UInt32>(0)
    /// The demand of a shared subscription, or the listeners of a promise.
    @exclusivity(unchecked) final private var target: AnyObject?
    /// The number of sources with a place that have not completed. Access only in the section.
    @exclusivity(unchecked) final var running: Int32
    /// At least 2 if the hub has data of the operator.
    final let placeCount: Int32
    private let serial = Serial<Event>()
    /// It guards the sources, also those of subclasses.
    final let lock = SmallLock()
    /// The handle of the only place. If there are more places, the address of a memory with the handle of each place,
    /// then the operator's data.
    @exclusivity(unchecked) final private var first: SourceHandle

    /// - Parameters:
    ///   - places: the number of sources that the hub has from its start.
    ///   - room: the number of bytes of the operator's data for each place (see `room(at:)`).
    init(places: Int, room: Int = 0, alignment: Int = 1) {
        running = Int32(places)
        // The data is in the memory, so there must be more than one handle.
        let count = room > 0 ? max(places, 2) : places
        placeCount = Int32(count)
        first = .empty
        if count < 2 { return }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: roomOffset(count, alignment) + places * room,
            alignment: max(alignment, MemoryLayout<SourceHandle>.alignment))
        let handles = memory.bindMemory(to: SourceHandle.self, capacity: count)
        for place in 0..<count { (handles + place).initialize(to: .empty) }
        first = SourceHandle(bits: UInt(bitPattern: memory))
    }

    deinit {
        if placeCount < 2 { return first.release() }
        for place in 0..<Int(placeCount) { handles[place].release() }
        handles.deallocate()
    }

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

    // MARK: The sources with a place

    @inline(__always)
    final private var handles: UnsafeMutablePointer<SourceHandle> {
        UnsafeMutablePointer(bitPattern: first.bits).unsafelyUnwrapped
    }

    /// Returns a part of the operator's data by its `roomOffset`.
    @inline(__always)
    final func room(at offset: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(handles) + offset }

    @inline(__always)
    private final func change<R>(_ place: Int, _ body: (inout SourceHandle) -> R) -> R {
        if placeCount > 1 { return body(&handles[place]) }
        return body(&first)
    }

    /// Stores an upstream subscription for disposal. After the end, or if the place is closed, it is disposed
    /// immediately.
    final func store(_ upstream: Subscription, at place: Int) {
        var obsolete = SourceHandle(upstream)
        lock.lock()
        if !isTerminated {
            prepare(isControl(place) ? nil : upstream)
            change(place) { $0.exchange(&obsolete) }
        }
        lock.unlock()
        obsolete.dispose()
    }

    /// A source has ended. There is nothing to dispose.
    final func vacate(_ place: Int) {
        var ended = SourceHandle.empty
        lock.lock()
        change(place) { $0.exchange(&ended) }
        lock.unlock()
        ended.release()
    }

    /// Disposes one source, also if its subscription is stored later.
    final func disposeSource(at place: Int) {
        lock.lock()
        let taken = change(place) { $0.take(leaving: .closed) }
        lock.unlock()
        taken.dispose()
    }

    final func isClosed(_ place: Int) -> Bool { lock.withLock { change(place) { $0.isClosed } } }

    /// Disposes the sources in their order, two under one lock. The caller has set the flag `terminated`, so `store`
    /// disposes a later one.
    @inline(never)
    func disposeSources() {
        let count = Int(placeCount)
        for place in stride(from: 0, to: count, by: 2) {
            var second = SourceHandle.empty
            lock.lock()
            let first = change(place) { $0.take(leaving: .closed) }
            if place + 1 < count { second = change(place + 1) { $0.take(leaving: .closed) } }
            lock.unlock()
            first.dispose()
            second.dispose()
        }
    }

    // MARK: Pauses

    /// True for the place of a source that controls the others. It is never paused, because then it could not open or
    /// end anything.
    func isControl(_ place: Int) -> Bool { false }

    /// Returns the source at a place, if it can be paused. Called with the lock.
    final func source(at place: Int) -> Subscription? { isControl(place) ? nil : change(place) { $0.source } }

    /// Called with the lock, for all sources that can be paused.
    func forEachSource(_ body: (Subscription) -> Void) {
        for place in 0..<Int(placeCount) {
            if let source = source(at: place) { body(source) }
        }
    }

    final var isGoverned: Bool { flags & Flag.governed != 0 }

    override final func govern() {
        lock.withLock {
            if raise(Flag.governed) & Flag.governed == 0 { forEachSource { $0.govern() } }
        }
    }

    override final func pause() {
        lock.withLock {
            if !addPause() { return }
            _ = raise(Flag.wasPaused)
            forEachSource { $0.pause() }
        }
    }

    /// All sources in the hub at this moment have one pause of the hub.
    override final func resume() {
        var paused = Batch<Subscription>()
        lock.lock()
        let isLast = takePause()
        if isLast { forEachSource { paused.append($0) } }
        let continues = isLast && flags & Flag.parked != 0
        if continues { lower(Flag.parked) }
        lock.unlock()
        if continues { goOn() }
        while paused.count > 0 { paused.takeFirst().resume() }
    }

    /// Returns true if the hub is paused. Called in the section, before a timer lets values pass. Then `goOn` follows.
    final func parks() -> Bool {
        if flags & Flag.pauses == 0 { return false }
        return lock.withLock {
            let isPaused = flags & Flag.pauses != 0
            if isPaused { _ = raise(Flag.parked) }
            return isPaused
        }
    }

    /// Lets the values pass that have waited for the end of a pause, never inside this call.
    func goOn() {}

    /// No further value of the source at a place has space. Called in the section.
    func isFull(at place: Int) {}

    /// Pauses one source, because what it has emitted waits in the operator. Called in the section. `isPausing` is the
    /// operator's memory of that pause.
    @inline(never)
    final func pauseSource(at place: Int, _ isPausing: inout Bool) {
        if isPausing { return }
        isPausing = true
        lock.withLock { source(at: place)?.pause() }
    }

    /// Takes the pause of one source back. Called in the section.
    @inline(never)
    final func resumeSource(at place: Int, _ isPausing: inout Bool) {
        isPausing = false
        lock.withLock { source(at: place) }?.resume()
    }

    /// Returns true if the hub is paused, or was paused since the previous call. So a timer of the hub does not count
    /// the time of a pause.
    final func takeWasPaused() -> Bool {
        lock.withLock {
            let flags = flags
            if flags & Flag.pauses == 0 { lower(Flag.wasPaused) }
            return flags & Flag.wasPaused != 0
        }
    }

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
    final private func enqueueDeeply(_ event: @escaping Event) {
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
    final private func drain() -> (any Effect)? {
        var next: (any Effect)?
        serial.drain { event in
            if isTerminated { tearDown() } else if let event { event() }
            next = takeEffect()
            return next == nil
        }
        return next
    }

    @inline(never)
    final private func drainAndRun() {
        if let effect = drain() { run(effect) }
    }

    // MARK: Effects

    /// Called in the section. Returns the effect that the event has left, if there is one.
    func takeEffect() -> (any Effect)? { nil }

    /// Performs an effect, now or at its turn, and the effects that follow from it, in a loop. A million rounds need no
    /// more stack than one.
    ///
    /// An effect may be performed inside another. Thus a new inner signal can stop one that is still in its generator.
    /// The depth is limited.
    @inline(never)
    final private func run(_ first: consuming any Effect, isItsTurn: Bool = false) {
        if !isItsTurn && !Turns.hasRoom { return runDeeply(first) }
        var next: (any Effect)? = first
        while let effect = next.take() {
            if !isTerminated { effect.perform() }
            if serial.enter() {
                if !isTerminated { effect.performed() }
                next = takeEffect()
                if next != nil { serial.stepOutside() } else { next = drain() }
            } else {
                let then = { [unowned(unsafe) self] in if !isTerminated { effect.performed() } }
                next = serial.enqueue(then) ? drain() : nil
            }
        }
    }

    @inline(never)
    final private func runDeeply(_ effect: any Effect) {
        Turns.startDeeply { self.run(effect, isItsTurn: true) }
    }

    // MARK: The end

    override final func dispose() {
        let before = raiseDone(Flag.terminated | Flag.disposed)
        if before & Flag.disposed != 0 { return }
        disposeSources()
        if before & Flag.released == 0 { wake() }
    }

    /// True if every source was released except that of the current event.
    final var hasOneInlet: Bool { inlets.load(ordering: .acquiring) == 1 }

    final func addInlet() { inlets.add(1, ordering: .relaxed) }

    /// If the last inlet is released without an end, no further event can be emitted, and the downstream stages are
    /// released. The handles of the sources stay, for disposal.
    final func removeInlet() {
        if inlets.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        if raise(Flag.terminated) & Flag.terminated == 0 { wake() }
    }

    /// Tears the hub down in its section, now or after the current event.
    final private func wake() {
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

/// The offset of the operator's data in the memory of a hub, after the handles.
@inline(__always)
func roomOffset(_ places: Int, _ alignment: Int) -> Int {
    (max(places, 2) * MemoryLayout<SourceHandle>.stride + alignment - 1) & ~(alignment - 1)
}
