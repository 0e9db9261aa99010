import SignalKitShims
import Synchronization

enum Phase: UInt8, AtomicRepresentable {
    case open
    /// Nothing can be emitted any more, but listeners are still in the list: the last one to leave closes it.
    case abandoned
    /// It is not wanted any more, which has closed it. Listeners that are still in the list are on the way out.
    case unwanted
    case closed
    case ended
}

/// What has become of a value that was put.
enum Put {
    case accepted
    /// The epoch has moved on: nothing has happened.
    case outdated
    /// Nothing can be emitted any more: it goes nowhere.
    case closed
    /// A delivery was left without return (see `Section`): it goes nowhere.
    case left
}

/// The same, and what is left to do.
private enum Delivered {
    case done(Put)
    /// Something has come meanwhile, and the section is the caller's.
    case drains(Put)
}

/// The listeners of a hot source, and the delivery to them: what pipes, promises and multicasting have in common.
///
///     put ──► [section: one at a time, in the order in which they were put] ──► everybody in the list
///     add ──► [lock: take the remembered value, join the list] ──► replay ──► what was put meanwhile
///
/// An event finds the list that stood when it was put, and a listener finds the value that stood when it joined, both
/// in one critical section: each value reaches a listener once, and never after a newer one. Nothing is called and
/// nothing is let go under the lock.
///
/// The thread that delivers reads the list without the lock. The list is changed under the lock, and not at once while
/// a thread delivers: the change waits in line like an event. Each side first announces itself and then looks at the
/// other (section, then lock; lock, then section), so that at least one of them knows.
class Listeners<T, E>: @unchecked Sendable {
    final let section = Section()
    final let lock = SmallLock()
    /// What waits for the section. Only under the lock.
    @exclusivity(unchecked) private var line = EventQueue<T>()
    /// What waits for listeners that have not arrived yet. Only under the lock.
    @exclusivity(unchecked) private var postponed = Postponed()
    /// What other threads write stays out of the cache lines that the delivering thread reads with each delivery.
    private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0)
    final let listenerKind: Kind<Listener<T, E>>
    private let keepsLatest: Bool
    /// If there is one, no listener can join any more once the run is not wanted.
    final let demand: Demand?
    /// Changed under the lock.
    private let phaseNow = Synchronization.Atomic<Phase>(.open)
    /// Read in the section or under the lock, changed under the lock while the section is free or the caller's.
    @exclusivity(unchecked) final var list = ListenerList()
    /// How many have joined and not left; some of them may still be waiting to come into the list, or out of it.
    @exclusivity(unchecked) final var members = 0
    @exclusivity(unchecked) final var latest = Cell<T>()
    /// In the place of the latest value, where more than one are kept.
    @exclusivity(unchecked) final var history: History<T>?
    /// Whether anybody may still be given them.
    @exclusivity(unchecked) private var remembers: Bool
    /// Whether anybody may still be told of the end who joins after it.
    @exclusivity(unchecked) private var keepsEnd = true
    /// What a held subscription keeps; this is closed when it goes. Set before the first listener joins.
    @exclusivity(unchecked) final var owner: Unmanaged<AnyObject>?
    /// The end, for later listeners.
    @exclusivity(unchecked) final private(set) var end: End<E>?
    /// Which source may put, or which value is the latest: one with an older number is refused.
    @exclusivity(unchecked) private var epoch = Epoch()

    /// - Parameters:
    ///   - keepsLatest: whether a listener that joins gets the latest value.
    ///   - history: if given: what it gets instead.
    ///   - listener: what listeners are made of.
    ///   - demand: if given: no listener can join any more once the run is not wanted.
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

    /// The run is not wanted any more, which has closed the list. Called without a lock.
    func closedByLeaving() {}

    /// Whether what feeds that feeds this list.
    func isFed(by target: AnyObject) -> Bool { target === self }

    final var phase: Phase {
        @inline(__always) get { phaseNow.load(ordering: .relaxed) }
        set { phaseNow.store(newValue, ordering: .relaxed) }
    }

    // MARK: Events

    /// Delivers a value, or leaves it to the thread that is delivering.
    @inline(__always) @discardableResult
    final func put(_ value: T) -> Put { Listeners.put(value, into: .passUnretained(self)) }

    /// The same for callers that hold nothing of it: every other reference may go in a callback. The listeners hold it
    /// too, and none comes out of the list before the section is left.
    @inline(__always)
    static func put(_ value: T, into list: Unmanaged<Listeners>) -> Put {
        let frame = sgk_shim_frame()
        switch list._withUnsafeGuaranteedRef({ $0.deliverNow(value, frame) ?? $0.deliverInTurn(value, at: frame) }) {
        case .done(let put): return put
        case .drains(let put):
            list.takeUnretainedValue().drain()
            return put
        }
    }

    /// The short way: nothing to remember, and no other thread delivers. Nil when it is not to be had.
    @inline(__always)
    private func deliverNow(_ value: T, _ frame: UInt) -> Delivered? {
        guard !keepsLatest && section.enter(at: frame) else { return nil }
        if _slowPath(!lock.isFree) { lock.withLock {} } // somebody has been changing the list since before
        let isOpen = phase == .open
        if isOpen { deliver(value) }
        let put = isOpen ? Put.accepted : .closed
        return section.leave() ? .done(put) : .drains(put)
    }

    /// Remembers a value and delivers it, or leaves it to the thread that is delivering.
    ///
    /// - Parameters:
    ///   - expected: the epoch that must still stand.
    ///   - advances: whether the epoch moves on.
    @discardableResult
    final func putInLine(_ value: T, in expected: UInt? = nil, advances: Bool = false) -> Put {
        switch deliverInTurn(value, at: sgk_shim_frame(), in: expected, advances: advances) {
        case .done(let put): return put
        case .drains(let put):
            drain()
            return put
        }
    }

    /// - Parameter frame: where the call came in, as far as is known.
    @inline(never)
    private func deliverInTurn(
        _ value: T, at frame: UInt, in expected: UInt? = nil, advances: Bool = false
    ) -> Delivered {
        lock.lock()
        if let expected, expected != epoch.number {
            lock.unlock()
            return .done(.outdated)
        }
        if phase != .open {
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
        let hasMembers = members > 0
        if hasMembers {
            // The place in line is taken under the lock: the order of delivery is the order in which values replace
            // each other.
            isFree = section.enter(at: frame)
            if !isFree {
                line.append(value)
                drains = section.noteWaiting()
                // From here on another thread may deliver the value, and let go of this by it.
                if !drains && section.isToBeLookedAt() { keeper = .passRetained(self as AnyObject) }
            }
        }
        lock.unlock()
        let isLeft = keeper != nil && section.isLeft(at: frame)
        keeper?.release()
        // What has been replaced goes now: outside the lock, and before anybody is told. All references to this may go
        // with it, but those of the listeners as long as the caller is in the section.
        _ = consume remembered
        if drains { return .drains(.accepted) }
        if !isFree { return .done(isLeft ? .left : .accepted) }
        deliver(value)
        return section.leave() ? .done(.accepted) : .drains(.accepted)
    }

    /// Called with the lock. What has to make way for the value is in its place then.
    @inline(__always)
    private func remember(_ value: inout T) {
        if let history { history.exchange(&value) } else { latest.exchange(&value) }
    }

    /// Delivers the end after everything that was put before; later listeners are told as well.
    @discardableResult
    final func finish(_ end: End<E>, at frame: UInt = sgk_shim_frame()) -> Put {
        lock.lock()
        if phase != .open {
            lock.unlock()
            return .closed
        }
        phase = .ended
        demand?.end() // at once with the phase: whoever leaves or joins in between would take the run for unwanted
        if keepsEnd { self.end = end }
        let drains = enqueue { [unowned(unsafe) self] in
            takeList().forEach { Listeners.typed($0) { $0.deliver(end) } }
        }
        lock.unlock()
        if drains { drain() } else if section.isToBeLookedAt() && section.isLeft(at: frame) { return .left }
        return .accepted
    }

    /// Ends the runs of the present listeners, after everything that was put before. Later ones are not told: nothing
    /// has ended here. (Not for lists that close when the last listener leaves.)
    final func fail(_ error: E) {
        lock.lock()
        let drains = phase == .open && enqueue { [unowned(unsafe) self] in
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
    private func deliver(_ value: T) {
        if let only = list.only { return Listeners.typed(only) { $0.deliver(value) } }
        if list.beginsWithRow { return deliverToRows(value) }
        list.forEach { Listeners.typed($0) { $0.deliver(value) } }
    }

    @inline(never)
    private func deliverToRows(_ value: T) {
        var row = list.row
        while let listener = row.next() { Listeners.typed(listener) { $0.deliver(value, before: &row) } }
    }

    /// Called with the lock: does something after what is delivered, and what waits, before. Whether the caller has to
    /// see to that.
    final func enqueue(_ action: @escaping () -> Void) -> Bool {
        line.append(action)
        return section.noteWaiting()
    }

    /// Delivers what waits, and leaves the section. Whoever has delivered many events that others have put offers the
    /// rest to them: a thread that only wanted to listen would do their work for ever.
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

    /// Returns whether nobody has come, and the caller has to go on.
    private func offer() -> Bool {
        lock.withLock { section.offer() }
        sgk_shim_yield()
        return lock.withLock { section.takeOver() }
    }

    private func takeLine(_ taken: inout EventQueue<T>) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        swap(&line, &taken)
        if !taken.isEmpty { return true }
        section.leaveEmpty()
        return false
    }

    /// Whether no thread delivers at this moment. One that does so later sees what the caller has changed before, by an
    /// atomic operation.
    final var isQuiet: Bool { section.isFree }

    /// Does something after what is being delivered.
    final func afterDelivery(_ action: @escaping () -> Void) {
        if lock.withLock({ enqueue(action) }) { drain() }
    }

    // MARK: Those who arrive

    /// Leaves an event to a listener that has not arrived yet. False, and nothing has happened, when it has.
    final func postpone(for listener: Listener<T, E>, _ event: @escaping () -> Void) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard listener.noteWaiting() else { return false }
        postponed.append(event, for: listener)
        return true
    }

    /// What waits for a listener, in order.
    final func takePostponed(for listener: Listener<T, E>) -> [() -> Void] {
        lock.lock()
        defer { lock.unlock() }
        listener.noteTaken()
        return postponed.take(for: listener)
    }

    // MARK: What is remembered

    /// The latest value and its epoch.
    final var current: (latest: T?, epoch: UInt) {
        lock.lock()
        defer { lock.unlock() }
        return (latest.copy, epoch.number)
    }

    /// The same where there is one. (Of an optional, or a pair, the type would be looked up.)
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

    /// Lets the latest value go and begins a new epoch: earlier sources are refused from now on. Not if a later one has
    /// begun already.
    final func forget(since new: UInt) -> Bool {
        lock.lock()
        let isNewest = epoch.begin(new)
        let forgotten = isNewest ? latest.take() : nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
        return isNewest
    }

    /// Nobody joins any more: lets go of what is remembered, and of the end.
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
