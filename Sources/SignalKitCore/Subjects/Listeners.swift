import SignalKitShims
import Synchronization

/// The phase of a list. (With an enumeration, each load would check the number.)
struct Phase: RawRepresentable, Equatable, AtomicRepresentable {
    let rawValue: UInt8

    static var open: Phase { Phase(rawValue: 0) }
    /// It is open, and a listener is paused.
    static var paused: Phase { Phase(rawValue: 1) }
    /// No further event can be emitted, but the list has listeners. The last one to leave closes it.
    static var abandoned: Phase { Phase(rawValue: 2) }
    /// The list was closed because it is no longer wanted. Its remaining listeners are leaving.
    static var unwanted: Phase { Phase(rawValue: 3) }
    static var closed: Phase { Phase(rawValue: 4) }
    static var ended: Phase { Phase(rawValue: 5) }

    var isOpen: Bool { rawValue <= Phase.paused.rawValue }
}

/// The result of sending a value.
enum Put {
    case accepted
    /// The value was accepted, and a listener asks for no further one.
    case paused
    /// The epoch has advanced. The value was not accepted.
    case outdated
    /// The source has ended or was closed. The value was dropped.
    case closed
    /// A delivery was exited without returning (see `Section`). The value is not delivered.
    case left
}

/// The result of sending a value, and the remaining work.
private enum Delivered {
    case done(Put)
    /// Events have arrived, and the caller owns the section.
    case drains(Put)
}

/// The listeners of a hot source, and the delivery to them, for pipes, promises and multicasting.
///
///     put ──► [section: one at a time, in the order of the calls] ──► each listener in the list
///     add ──► [lock: take the stored value, join the list] ──► replay ──► the values sent since
///
/// An event uses the list at the time of `put`. A listener uses the stored value at the time of `add`. Both are read in
/// one critical section. So each value reaches a listener once, and never after a newer one. No callback and no
/// deinitializer runs under the lock.
///
/// The delivering thread reads the list without the lock. Other threads change the list under the lock, and only while
/// no thread delivers. Otherwise the change is enqueued like an event. Each side announces itself before it checks for
/// the other: one enters the section, then checks the lock, and the other takes the lock, then checks the section. So
/// at least one of them sees the other.
class Listeners<T, E>: @unchecked Sendable {
    final let section = Section()
    final let lock = SmallLock()
    /// The queue for the section. Access only under the lock.
    @exclusivity(unchecked) final private var line = EventQueue<T>()
    /// The events for listeners that have not arrived yet. Access only under the lock.
    @exclusivity(unchecked) final private var postponed = Postponed()
    // The pauses, guarded by the lock (see `Listeners+Pauses`).
    /// The number of paused listeners.
    @exclusivity(unchecked) final var paused: Int32 = 0
    /// True if a stage below will pause a listener (see `Subscription.govern`).
    @exclusivity(unchecked) final var isGoverned = false
    /// True if the source has a pause that no thread is about to take back.
    @exclusivity(unchecked) final var isSourcePaused = false
    @exclusivity(unchecked) final var isResuming = false
    /// Work for the end of the pauses.
    @exclusivity(unchecked) final var waiting: [(queue: Queue, action: () -> Void)] = []
    /// Separates the fields that other threads write from the cache lines that each delivery reads.
    private let gap: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)
    final let listenerKind: Kind<Listener<T, E>>
    private let keepsLatest: Bool
    /// If it is not nil, no listener can join when the subscription is no longer wanted.
    final let demand: Demand?
    /// Changed under the lock.
    private let phaseNow = Synchronization.Atomic<Phase>(.open)
    /// Read in the section or under the lock, changed under the lock while the section is free or the caller's.
    @exclusivity(unchecked) final var list = ListenerList()
    /// The number of listeners that have joined and not left. Some of them may not have been added to the list, or
    /// removed from it, yet.
    @exclusivity(unchecked) final var members = 0
    @exclusivity(unchecked) final var latest = Cell<T>()
    /// Replaces `latest` if more than one value is stored.
    @exclusivity(unchecked) final var history: History<T>?
    /// True if a listener may still receive the stored values.
    @exclusivity(unchecked) final private var remembers: Bool
    /// True if a later listener may still receive the terminal event.
    @exclusivity(unchecked) final private var keepsEnd = true
    /// Retained by the handles of subscriptions. Its deinitializer closes this list. Set before the first listener
    /// joins.
    @exclusivity(unchecked) final var owner: Unmanaged<AnyObject>?
    /// The terminal event, for later listeners.
    @exclusivity(unchecked) final private(set) var end: End<E>?
    /// The number of the current source, or of the latest value. A value with an older number is rejected.
    @exclusivity(unchecked) final private var epoch = Epoch()

    /// - Parameters:
    ///   - keepsLatest: whether a new listener receives the latest value.
    ///   - history: stores several values for a new listener instead of the latest.
    ///   - listener: the type of the listeners.
    ///   - demand: if not nil, no listener can join when the subscription is no longer wanted.
    init(
        keepsLatest: Bool = false, history: History<T>? = nil, listener: Kind<Listener<T, E>> = Kind(),
        demand: Demand? = nil
    ) {
        self.keepsLatest = keepsLatest || history != nil
        listenerKind = listener
        self.history = history
        remembers = self.keepsLatest
        self.demand = demand
    }

    /// The list was closed because it is no longer wanted. Called without a lock.
    func closedByLeaving() {}

    /// Returns whether a source that feeds `target` feeds this list.
    func isFed(by target: AnyObject) -> Bool { target === self }

    /// True if the source is a subscription. A list that the program fills pauses nothing above itself.
    var hasSource: Bool { false }

    /// The subscription of the source. Called with the lock.
    var upstream: Subscription? { nil }

    final var phase: Phase {
        @inline(__always) get { phaseNow.load(ordering: .relaxed) }
        set { phaseNow.store(newValue, ordering: .relaxed) }
    }

    // MARK: Events

    /// Delivers a value, or leaves it to the delivering thread.
    @inline(__always) @discardableResult
    final func put(_ value: T) -> Put { Listeners.put(value, into: .passUnretained(self)) }

    /// Like `put`, for callers that retain no reference to it, because a callback may release every other reference.
    /// The listeners retain it, and none is removed before the thread leaves the section.
    @inline(__always)
    static func put(_ value: T, into list: Unmanaged<Listeners>) -> Put {
        let frame = sgk_shim_frame()
        switch list._withUnsafeGuaranteedRef({ $0.deliverNow(value, frame) ?? $0.deliverInTurn(value, at: frame) }) {
        case .done(let put): return put
        case .drains(let put): return list.takeUnretainedValue().drain(after: put)
        }
    }

    /// Like `drain`. The events may have paused a listener.
    @inline(never)
    final private func drain(after put: Put) -> Put {
        drain()
        return put == .accepted && phase == .paused ? .paused : put
    }

    /// The fast path: nothing is stored, and no other thread delivers. Returns nil if it does not apply. If the value
    /// pauses a listener, the section is not left here (see `addPause`).
    @inline(__always)
    final private func deliverNow(_ value: T, _ frame: UInt) -> Delivered? {
        guard !keepsLatest && section.enter(at: frame) else { return nil }
        if _slowPath(!lock.isFree) { lock.withLock {} } // somebody has been changing the list since before
        let isOpen = phase == .open
        if isOpen { deliver(value) }
        let put = isOpen ? Put.accepted : deliverDuringPause(value)
        return section.leave() ? .done(put) : .drains(put)
    }

    /// In the section of a list that is not open, or has or had a paused listener. (Another thread can resume it in the
    /// meantime.)
    @inline(never)
    final private func deliverDuringPause(_ value: T) -> Put {
        if !phase.isOpen { return .closed }
        deliver(value)
        return phase == .paused ? .paused : .accepted
    }

    /// Stores a value and delivers it, or leaves the delivery to the delivering thread.
    ///
    /// - Parameters:
    ///   - expected: the required epoch, or nil.
    ///   - advances: whether the epoch advances.
    @discardableResult
    final func putInLine(_ value: T, in expected: UInt? = nil, advances: Bool = false) -> Put {
        switch deliverInTurn(value, at: sgk_shim_frame(), in: expected, advances: advances) {
        case .done(let put): return put
        case .drains(let put): return drain(after: put)
        }
    }

    /// - Parameter frame: the stack frame of the caller, as far as it is known.
    @inline(never)
    final private func deliverInTurn(
        _ value: T, at frame: UInt, in expected: UInt? = nil, advances: Bool = false
    ) -> Delivered {
        lock.lock()
        if let expected, expected != epoch.number {
            lock.unlock()
            return .done(.outdated)
        }
        if !phase.isOpen {
            lock.unlock()
            return .done(.closed)
        }
        if section.isKnownLeft {
            lock.unlock()
            return .done(.left)
        }
        if advances { epoch.advance() }
        var remembered = value
        if remembers { remember(&remembered) }
        var isFree = false
        var drains = false
        var keeper: Unmanaged<AnyObject>?
        let put = phase == .paused ? Put.paused : .accepted
        let hasMembers = members > 0
        if hasMembers {
            // The value is enqueued under the lock, so values are delivered in the order in which they replace each
            // other.
            isFree = section.enter(at: frame)
            if !isFree {
                line.append(value)
                drains = section.noteWaiting()
                // From here on another thread may deliver the value and thereby release this object.
                if !drains && section.isToBeLookedAt() { keeper = .passRetained(self as AnyObject) }
            }
        }
        lock.unlock()
        let isLeft = keeper != nil && section.isLeft(at: frame)
        keeper?.release()
        // Releases the replaced value outside the lock, before the delivery. This can release every reference to this
        // object, except those of the listeners while the caller is in the section.
        _ = consume remembered
        if drains { return .drains(.accepted) }
        if !isFree { return .done(isLeft ? .left : put) }
        deliver(value)
        return section.leave() ? .done(put) : .drains(.accepted)
    }

    /// Called with the lock. Exchanges the value with the one that it replaces.
    @inline(__always)
    final private func remember(_ value: inout T) {
        if let history { history.exchange(&value) } else { latest.exchange(&value) }
    }

    /// Delivers the terminal event after all earlier values. Later listeners receive it, too.
    @discardableResult
    final func finish(_ end: End<E>, at frame: UInt = sgk_shim_frame()) -> Put {
        lock.lock()
        if !phase.isOpen {
            lock.unlock()
            return .closed
        }
        phase = .ended
        demand?.end() // at once with the phase: whoever leaves or joins in between would take the run for unwanted
        if keepsEnd { self.end = end }
        let waiting = takeWaiting()
        let drains = enqueue { [unowned(unsafe) self] in
            takeList().forEach { Listeners.typed($0) { $0.deliver(end) } }
        }
        lock.unlock()
        for (queue, action) in waiting { queue.executor.enqueue(action) }
        if drains { drain() } else if section.isToBeLookedAt() && section.isLeft(at: frame) { return .left }
        return .accepted
    }

    /// Fails the subscriptions of the current listeners, after all earlier values. Later listeners do not receive the
    /// error, because the list stays open. (Not for lists that close when the last listener leaves.)
    final func fail(_ error: E) {
        lock.lock()
        let drains =
            phase.isOpen
            && enqueue { [unowned(unsafe) self] in
                takeMembers().forEach { Listeners.typed($0) { $0.deliver(.error(error)) } }
            }
        lock.unlock()
        if drains { drain() }
    }

    @inline(__always)
    static func typed(_ listener: Unmanaged<Subscription>, _ body: (Listener<T, E>) -> Void) {
        listener._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Listener<T, E>.self)) }
    }

    /// In the section.
    @inline(__always)
    final private func deliver(_ value: T) {
        if let only = list.only { return Listeners.typed(only) { $0.deliver(value) } }
        if list.beginsWithRow { return deliverToRows(value) }
        list.forEach { Listeners.typed($0) { $0.deliver(value) } }
    }

    @inline(never)
    final private func deliverToRows(_ value: T) {
        var row = list.row
        while let listener = row.next() { Listeners.typed(listener) { $0.deliver(value, before: &row) } }
    }

    /// Called with the lock: runs `action` after the current delivery and the pending events. Returns true if the
    /// caller must drain the queue.
    final func enqueue(_ action: @escaping () -> Void) -> Bool {
        line.append(action)
        return section.noteWaiting()
    }

    /// Delivers the pending events, and leaves the section. After many events it offers the section to other threads.
    /// Otherwise a thread that only subscribes could deliver their events without end.
    @inline(never)
    final func drain() {
        var taken = EventQueue<T>()
        var delivered = 0
        while takeLine(&taken) {
            delivered += taken.count
            taken.forEach { deliver($0) }
            if delivered < Listeners.share { continue }
            delivered = 0
            if !offer() { return }
        }
    }

    private static var share: Int { 1024 }

    /// Returns true if no thread has taken the section. Then the caller must continue.
    final private func offer() -> Bool {
        lock.withLock { section.offer() }
        sgk_shim_yield()
        return lock.withLock { section.takeOver() }
    }

    final private func takeLine(_ taken: inout EventQueue<T>) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        swap(&line, &taken)
        if !taken.isEmpty { return true }
        section.leaveEmpty()
        return false
    }

    /// True if no thread is delivering. A later delivery sees the earlier changes of the caller, by an atomic
    /// operation.
    final var isQuiet: Bool { section.isFree }

    /// Runs `action` after the current delivery.
    final func afterDelivery(_ action: @escaping () -> Void) {
        if lock.withLock({ enqueue(action) }) { drain() }
    }

    // MARK: Arriving listeners

    /// Buffers an event for a listener that has not arrived yet. Returns false, without effect, if it has arrived.
    final func postpone(for listener: Listener<T, E>, _ event: @escaping () -> Void) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard listener.noteWaiting() else { return false }
        postponed.append(event, for: listener)
        return true
    }

    /// Returns the buffered events of a listener, in order.
    final func takePostponed(for listener: Listener<T, E>) -> [() -> Void] {
        lock.lock()
        defer { lock.unlock() }
        listener.noteTaken()
        return postponed.take(for: listener)
    }

    // MARK: Stored values

    /// The latest value and its epoch.
    final var current: (latest: T?, epoch: UInt) {
        lock.lock()
        defer { lock.unlock() }
        return (latest.copy, epoch.number)
    }

    /// Like `current`, if there is a value. (The type of an optional, or of a pair, would be looked up.)
    final func latest(at epoch: inout UInt) -> T {
        lock.lock()
        defer { lock.unlock() }
        epoch = self.epoch.number
        return latest.value
    }

    /// The latest value and its epoch, unless another thread than the caller's has moved it on since it was `earlier`.
    final func current(unsharedSince earlier: UInt) -> (latest: T?, epoch: UInt)? {
        lock.lock()
        defer { lock.unlock() }
        return epoch.isUnshared(since: earlier) ? (latest.copy, epoch.number) : nil
    }

    /// The epoch alone.
    final func epoch(unsharedSince earlier: UInt) -> UInt? {
        lock.lock()
        defer { lock.unlock() }
        return epoch.isUnshared(since: earlier) ? epoch.number : nil
    }

    /// Releases the latest value and begins a new epoch. Values of earlier sources are rejected from now on. It has no
    /// effect if a later epoch has begun.
    final func forget(since new: UInt) -> Bool {
        lock.lock()
        let isNewest = epoch.begin(new)
        let forgotten = isNewest ? latest.take() : nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
        return isNewest
    }

    /// Releases the stored values and the terminal event. No further listener joins.
    final func forget() {
        lock.lock()
        remembers = false
        keepsEnd = false
        let forgotten = (latest.take(), history, end)
        history = nil
        end = nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
    }
}
