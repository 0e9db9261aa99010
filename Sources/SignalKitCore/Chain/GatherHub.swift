import Synchronization

/// A hub of an outer source, which emits inner sources. Any number of inner sources run at the same time.
///
/// An inner source gets its number before its start. They are disposed in the order of their numbers, and the outer
/// source last. The first error ends the hub. It completes when the outer and all inner sources have completed.
class GatherHub<T, E>: StartingHub<T, E> {
    private let inner: Kind<GatheredInlet<T, E>>
    /// The lock of the hub guards it.
    @exclusivity(unchecked) final private var inners = SourceTable()
    /// The number of inner sources that have not completed.
    private let active = Synchronization.Atomic<Int>(0)
    /// Access only in the section.
    @exclusivity(unchecked) final private var isOuterDone = false

    init(_ sink: Sink<T, E>, _ inner: Kind<GatheredInlet<T, E>> = Kind()) {
        self.inner = inner
        super.init(sink, places: 1)
    }

    fileprivate final func store(_ upstream: Subscription, of number: SourceNumber) {
        var obsolete = SourceHandle(upstream)
        lock.lock()
        if !isTerminated {
            prepare(upstream)
            inners.store(&obsolete, of: number)
        }
        lock.unlock()
        obsolete.dispose()
    }

    /// Called with the lock.
    fileprivate final func source(of number: SourceNumber) -> Subscription? { inners.source(of: number) }

    override final func forEachSource(_ body: (Subscription) -> Void) {
        inners.forEachSource(body)
        super.forEachSource(body)
    }

    /// Removes an inner source, because it has ended, or to dispose it.
    fileprivate final func take(_ number: SourceNumber) -> SourceHandle {
        lock.lock()
        defer { lock.unlock() }
        return inners.take(number)
    }

    fileprivate final func isOpen(_ number: SourceNumber) -> Bool {
        lock.withLock { !isTerminated && inners.contains(number) }
    }

    override final func disposeSources() {
        while let inner = lock.withLock({ inners.takeFirst() }) { inner.dispose() }
        super.disposeSources()
    }

    // MARK: Inner sources

    /// Schedules the start of an inner source. Call it in the section, as the last action there.
    ///
    /// - Parameters:
    ///   - lane: the lane of the source. From now on only the events of this source count there.
    ///   - previous: the numbers of the sources that it replaces. They are disposed after the start.
    final func start(_ signal: Signal<T, E>, at lane: Lane? = nil, inPlaceOf previous: [SourceNumber] = []) {
        afterwards(inlet(signal, at: lane, inPlaceOf: previous))
    }

    /// Starts an inner source before this returns. Outside of the section.
    final func startAtOnce(_ signal: Signal<T, E>, at lane: Lane) {
        inlet(signal, at: lane, inPlaceOf: []).perform()
    }

    final private func inlet(
        _ signal: Signal<T, E>, at lane: Lane?, inPlaceOf previous: [SourceNumber]
    ) -> GatheredInlet<T, E> {
        let number = lock.withLock { inners.add() }
        active.add(1 - previous.count, ordering: .relaxed)
        lane?.number = number
        return inner.type.init(self, signal, number, at: lane, inPlaceOf: previous)
    }

    /// A function returned no key. `end` is the terminal event, if the subscription ends. Outside of the section.
    @inline(never)
    final func gotNoKey(_ end: End<E>?) {
        if let end { submit { [unowned(unsafe) self] in self.end(end) } }
    }

    // MARK: In the section

    /// A value of the inner source that counts in a lane.
    func next(_ value: T, in lane: Lane) { emit(value) }

    /// The inner source that counts in a lane has completed.
    func completed(_ lane: Lane) {}

    /// The call that started an inner source has returned, and the source has completed. The next one may start. (It
    /// starts in a loop. A million sources that end inside their starts need no more stack than one.)
    func left() {}

    /// The call that started an inner source has returned, and the source has not completed.
    func begun() {}

    /// True if an inner source is pending.
    var hasWaiting: Bool { false }

    fileprivate final func ended(_ inlet: GatheredInlet<T, E>, _ end: End<E>) {
        if !inlet.counts { return }
        if case .failed = end { return self.end(end) }
        inlet.hasCompleted = true
        active.subtract(1, ordering: .relaxed)
        if let lane = inlet.lane { completed(lane) }
        if isComplete { self.end(.completed) } else if inlet.hasStarted { left() }
    }

    fileprivate final func started(_ inlet: GatheredInlet<T, E>) {
        inlet.hasStarted = true
        if inlet.hasCompleted { left() } else { begun() }
    }

    @inline(__always)
    fileprivate final func next(_ value: T, of inlet: GatheredInlet<T, E>) {
        guard let lane = inlet.lane else { return emit(value) }
        if lane.number == inlet.number { next(value, in: lane) }
    }

    override final func ended(_ end: End<E>, at place: Int) {
        isOuterDone = true
        if case .failed = end { self.end(end) } else if isComplete { self.end(end) }
    }

    final private var isComplete: Bool { isOuterDone && active.load(ordering: .relaxed) == 0 && !hasWaiting }
}

/// Inner sources that follow each other. Only the newest one counts.
class Lane {
    static var nobody: SourceNumber { 0 }

    /// The number of the source whose events count. Set before that source is started. Afterwards access only in the
    /// section.
    @exclusivity(unchecked) final var number = Lane.nobody
}

/// The inlet of an inner source, which is the effect that starts it as well.
final class GatheredInlet<T, E>: Inlet<GatherHub<T, E>, T, E>, Effect {
    let number: SourceNumber
    /// If there is none, nothing follows the source, which so counts to its end.
    let lane: Lane?
    private let previous: [SourceNumber]
    /// Nil after the start.
    // Untyped, because its type would be looked up when it is taken out.
    @exclusivity(unchecked) private var signal: AnyObject?
    // Access the following only in the section.
    @exclusivity(unchecked) fileprivate var hasStarted = false
    @exclusivity(unchecked) fileprivate var hasCompleted = false

    init(
        _ hub: GatherHub<T, E>, _ signal: Signal<T, E>, _ number: SourceNumber, at lane: Lane?,
        inPlaceOf previous: [SourceNumber]
    ) {
        self.number = number
        self.lane = lane
        self.previous = previous
        self.signal = signal
        super.init(hub)
    }

    override func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(upstream, of: number)
    }

    /// In the section.
    @inline(__always)
    var counts: Bool { lane.map { $0.number == number } ?? true }

    /// Starts the source, unless it was replaced in the meantime.
    func perform() {
        guard let signal = signal.take() else { return }
        if hub.isOpen(number) { unsafeDowncast(signal, to: Signal<T, E>.self).attach(self) }
        for number in previous { hub.take(number).dispose() }
    }

    func performed() { hub.started(self) }

    override var source: Subscription? { hub.source(of: number) }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, of: self)
            hub.leave()
        } else {
            enqueue { [self] in hub.next(value, of: self) }
        }
    }

    override func end(_ end: End<E>) {
        hub.take(number).release()
        if hub.enter() {
            hub.ended(self, end)
            hub.leaveForEffect()
        } else {
            hub.enqueue { [unowned(unsafe) hub, self] in hub.ended(self, end) }
        }
    }
}

/// The sources of a hub that run at the same time, by their numbers, the oldest first.
///
/// It has no lock. Its methods are called with the lock of the hub.
private struct SourceTable: ~Copyable {
    private typealias Entry = (handle: SourceHandle, number: SourceNumber)

    /// A removed source leaves a closed handle. `grow` closes such holes.
    private var entries: UnsafeMutablePointer<Entry>?
    private var newest: SourceNumber = 0
    /// The index of the first source, and the index after the last one.
    private var start: Int32 = 0
    private var end: Int32 = 0
    private var capacity: Int32 = 0

    deinit {
        for index in Int(start)..<Int(end) { entries![index].handle.release() }
        entries?.deallocate()
    }

    /// Adds a source that is about to start, and returns its number.
    @inline(__always)
    mutating func add() -> SourceNumber {
        if end == capacity { grow() }
        newest.advance()
        (entries! + Int(end)).initialize(to: (.empty, newest))
        end += 1
        return newest
    }

    /// Stores the handle of a source, and gives the previous one to the caller. If the source was removed, the caller
    /// keeps the new one.
    mutating func store(_ new: inout SourceHandle, of number: SourceNumber) {
        if let index = index(of: number) { entries![index].handle.exchange(&new) }
    }

    func contains(_ number: SourceNumber) -> Bool { index(of: number) != nil }

    func source(of number: SourceNumber) -> Subscription? { index(of: number).flatMap { entries![$0].handle.source } }

    func forEachSource(_ body: (Subscription) -> Void) {
        for index in Int(start)..<Int(end) {
            if let source = entries![index].handle.source { body(source) }
        }
    }

    /// Removes a source.
    mutating func take(_ number: SourceNumber) -> SourceHandle {
        guard let index = index(of: number) else { return .empty }
        let taken = entries![index].handle.take(leaving: .closed)
        while start < end && entries![Int(start)].handle.isClosed { start += 1 }
        if start == end {
            start = 0
            end = 0
        }
        return taken
    }

    /// Removes the first source.
    mutating func takeFirst() -> SourceHandle? { start == end ? nil : take(entries![Int(start)].number) }

    private func index(of number: SourceNumber) -> Int? {
        var low = Int(start), high = Int(end)
        while low < high {
            let middle = (low + high) / 2
            if entries![middle].number.isOlder(than: number) { low = middle + 1 } else { high = middle }
        }
        return low < end && entries![low].number == number && !entries![low].handle.isClosed ? low : nil
    }

    @inline(never)
    private mutating func grow() {
        var count: Int32 = 0
        for index in Int(start)..<Int(end) where !entries![index].handle.isClosed { count += 1 }
        capacity = max(4, count * 2)
        let memory = UnsafeMutablePointer<Entry>.allocate(capacity: Int(capacity))
        var next = memory
        for index in Int(start)..<Int(end) where !entries![index].handle.isClosed {
            next.initialize(to: entries![index])
            next += 1
        }
        entries?.deallocate()
        entries = memory
        start = 0
        end = count
    }
}
