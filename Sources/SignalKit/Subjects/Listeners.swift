import SignalKitShims
import Synchronization

private enum Phase: UInt8, AtomicRepresentable {
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
    private let section = Section()
    private let lock = SmallLock()
    /// What waits for the section. Only under the lock.
    @exclusivity(unchecked) private var line = EventQueue<T>()
    /// What waits for listeners that have not arrived yet. Only under the lock.
    @exclusivity(unchecked) private var postponed: [(listener: Unmanaged<Subscription>, event: () -> Void)] = []
    /// What other threads write stays out of the cache lines that the delivering thread reads with each delivery.
    private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0)
    private let keepsLatest: Bool
    /// If there is one, no listener can join any more once the run is not wanted.
    private let demand: Demand?
    /// Changed under the lock.
    private let phaseNow = Synchronization.Atomic<Phase>(.open)
    /// Read in the section or under the lock, changed under the lock while the section is free or the caller's.
    @exclusivity(unchecked) private var list = ListenerList()
    /// How many have joined and not left; some of them may still be waiting to come into the list, or out of it.
    @exclusivity(unchecked) private var members = 0
    @exclusivity(unchecked) private var latest = Cell<T>()
    /// In the place of the latest value, where more than one are kept.
    @exclusivity(unchecked) private var history: History<T>?
    /// Whether anybody may still be given them.
    @exclusivity(unchecked) private var remembers: Bool
    /// Whether anybody may still be told of the end who joins after it.
    @exclusivity(unchecked) private var keepsEnd = true
    /// What a held subscription keeps; this is closed when it goes. Set before the first listener joins.
    @exclusivity(unchecked) final var owner: Unmanaged<AnyObject>?
    /// The end, for later listeners.
    @exclusivity(unchecked) private var end: End<E>?
    /// Which source may put, or which value is the latest: one with an older number is refused.
    @exclusivity(unchecked) private var epoch: UInt = 0
    /// The thread that has moved the epoch on last, and since which epoch no other one has.
    @exclusivity(unchecked) private var changer: UInt = 0
    @exclusivity(unchecked) private var unsharedSince: UInt = 0

    /// - Parameters:
    ///   - keepsLatest: whether a listener that joins gets the latest value.
    ///   - history: if given: what it gets instead.
    ///   - demand: if given: no listener can join any more once the run is not wanted.
    init(keepsLatest: Bool = false, latest: T? = nil, history: History<T>? = nil, demand: Demand? = nil) {
        self.keepsLatest = keepsLatest || history != nil
        if let latest { self.latest.set(latest) }
        self.history = history
        remembers = self.keepsLatest
        self.demand = demand
    }

    /// The run is not wanted any more, which has closed the list. Called without a lock.
    func closedByLeaving() {}

    /// Whether what feeds that feeds this list.
    func isFed(by target: AnyObject) -> Bool { target === self }

    private var phase: Phase {
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
        switch list._withUnsafeGuaranteedRef({ $0.deliverNow(value, sgk_shim_frame()) }) {
        case .done(let put): return put
        case .left(let put):
            list.takeUnretainedValue().drain()
            return put
        case .busy: return list.takeUnretainedValue().putInLine(value, at: sgk_shim_frame())
        }
    }

    private enum Direct {
        case done(Put)
        /// The same, and something has come meanwhile. The section is the caller's.
        case left(Put)
        case busy
    }

    /// The short way: nothing to remember, and no other thread delivers.
    @inline(__always)
    private func deliverNow(_ value: T, _ frame: UInt) -> Direct {
        guard !keepsLatest && section.enter(at: frame) else { return .busy }
        if _slowPath(!lock.isFree) { lock.withLock {} } // somebody has been changing the list since before
        let isOpen = phase == .open
        if isOpen { deliver(value) }
        let put = isOpen ? Put.accepted : .closed
        return section.leave() ? .done(put) : .left(put)
    }

    /// Remembers a value and delivers it, or leaves it to the thread that is delivering.
    ///
    /// - Parameters:
    ///   - frame: where the call came in, as far as is known.
    ///   - expected: the epoch that must still stand.
    ///   - advances: whether the epoch moves on.
    @inline(never) @discardableResult
    final func putInLine(
        _ value: T, at frame: UInt = sgk_shim_frame(), in expected: UInt? = nil, advances: Bool = false
    ) -> Put {
        lock.lock()
        if let expected, expected != epoch {
            lock.unlock()
            return .outdated
        }
        if phase != .open {
            lock.unlock()
            return .closed
        }
        if section.isKnownLeft {
            lock.unlock()
            return .left
        }
        if advances { advance() }
        var remembered = value
        if remembers { remember(&remembered) }
        var isFree = false
        var drains = false
        let hasMembers = members > 0
        if hasMembers {
            // The place in line is taken under the lock: the order of delivery is the order in which values replace
            // each other.
            isFree = section.enter(at: frame)
            if !isFree {
                line.append(value)
                drains = section.noteWaiting()
            }
        }
        lock.unlock()
        _ = consume remembered // what has been replaced goes now: outside the lock, and before anybody is told
        if isFree {
            deliver(value)
            if section.leave() { return .accepted }
        }
        if isFree || drains { drain() } else if hasMembers && section.isLeft(at: frame) { return .left }
        return .accepted
    }

    /// Called with the lock. What has to make way for the value is in its place then.
    @inline(__always)
    private func remember(_ value: inout T) {
        if let history { history.exchange(&value) } else { latest.exchange(&value) }
    }

    /// Called with the lock.
    private func advance() {
        let me = sgk_shim_thread_pointer()
        if changer != me {
            changer = me
            unsharedSince = epoch
        }
        epoch += 1
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
        if drains { drain() } else if section.isLeft(at: frame) { return .left }
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
    private static func typed(_ listener: Unmanaged<Subscription>, _ body: (Listener<T, E>) -> Void) {
        listener._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Listener<T, E>.self)) }
    }

    /// In the section.
    @inline(__always)
    private func deliver(_ value: T) {
        list.forEach { Listeners.typed($0) { $0.deliver(value) } }
    }

    /// Called with the lock: does something after what is delivered, and what waits, before. Whether the caller has to
    /// see to that.
    private func enqueue(_ action: @escaping () -> Void) -> Bool {
        line.append(action)
        return section.noteWaiting()
    }

    /// Delivers what waits, and leaves the section. Whoever has delivered many events that others have put offers the
    /// rest to them: a thread that only wanted to listen would do their work for ever.
    @inline(never)
    private func drain() {
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

    // MARK: What is remembered

    /// The latest value and its epoch.
    final var current: (latest: T?, epoch: UInt) {
        lock.lock()
        defer { lock.unlock() }
        return (latest.copy, epoch)
    }

    /// The same where there is one. (Of an optional, or a pair, the type would be looked up.)
    final func latest(at epoch: inout UInt) -> T {
        lock.lock()
        defer { lock.unlock() }
        epoch = self.epoch
        return latest.value
    }

    /// The latest value and its epoch, unless another thread than the caller's has moved it on since it was `epoch`.
    final func current(unsharedSince epoch: UInt) -> (latest: T?, epoch: UInt)? {
        lock.lock()
        defer { lock.unlock() }
        return isUnshared(since: epoch) ? (latest.copy, self.epoch) : nil
    }

    /// The epoch alone.
    final func epoch(unsharedSince epoch: UInt) -> UInt? {
        lock.lock()
        defer { lock.unlock() }
        return isUnshared(since: epoch) ? self.epoch : nil
    }

    /// Called with the lock.
    private func isUnshared(since epoch: UInt) -> Bool {
        epoch == self.epoch || changer == sgk_shim_thread_pointer() && unsharedSince <= epoch
    }

    /// Lets the latest value go and begins a new epoch: earlier sources are refused from now on. Not if a later one has
    /// begun already.
    final func forget(since new: UInt) -> Bool {
        lock.lock()
        var forgotten: T?
        let isNewest = new > epoch
        if isNewest {
            epoch = new
            forgotten = latest.take()
        }
        lock.unlock()
        withExtendedLifetime(forgotten) {}
        return isNewest
    }

    // MARK: Joining and leaving

    /// Joins the list, replays what is remembered, then passes on what was put meanwhile.
    ///
    /// - Parameter owner: the owner, if the subscription keeps it alive: as long as that is held, and not through the
    ///   list.
    /// - Returns: false when the list has been closed. `sink` was not touched then.
    @discardableResult
    final func add(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) -> Bool {
        let listener = Listener(sink, self, keepsOwner: owner != nil)
        lock.lock()
        var phase = phase
        if phase == .open && demand?.join() == false { phase = .unwanted }
        let replayed = latest.copy
        let earlier = history?.copy()
        var drains = false
        if phase == .open {
            members += 1
            listener.isMember = true
            if section.isFree {
                join(listener)
            } else {
                drains = enqueue { [unowned(unsafe) self] in lock.withLock { join(listener) } }
            }
        }
        lock.unlock()
        if drains { drain() }
        if phase != .open && phase != .ended { return false }
        if let owner { sink.attached(ListenerHandle(listener, owner)) } else { sink.attached(listener) }
        if let replayed { listener.next(replayed) }
        earlier?.forEach { listener.next($0) }
        if phase == .ended { tellEnd(listener) }
        listener.catchUp()
        return true
    }

    /// Apart, as the type of the end would be looked up for each that joins.
    @inline(never)
    private func tellEnd(_ listener: Listener<T, E>) {
        if let end = lock.withLock({ end }) { listener.finish(end) }
    }

    /// Joins like `add`; on a closed list the subscription stays silent for good.
    final func addOrStaySilent(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) {
        if add(sink, keeping: owner) { return }
        let silent = Listener(sink, self)
        sink.attached(silent)
        silent.close()
    }

    final func remove(_ listener: Listener<T, E>) {
        lock.lock()
        var removed: Unmanaged<Subscription>?
        var drains = false
        var need = Demand.Need.some
        if listener.isMember && hasList {
            listener.isMember = false
            members -= 1
            if phase != .unwanted, let demand { need = note(demand.leave(listener)) }
            if section.isFree {
                removed = part(from: listener)
            } else {
                drains = enqueue { [unowned(unsafe) self] in lock.withLock { part(from: listener) }?.release() }
            }
        }
        lock.unlock()
        removed?.release()
        if drains { drain() }
        act(on: need)
    }

    /// A listener that has just joined feeds a shared run.
    final func listener(_ listener: Listener<T, E>, feeds run: Demand) {
        changeDemand { listener.isMember ? $0.join(listener, feeding: run) : .some }
    }

    /// Nothing but its listeners keeps the run any more.
    ///
    /// - Parameter joins: how many had joined when it was found idle, if it is to be idle since.
    final func letGo(ifIdleSince joins: UInt? = nil) { changeDemand { $0.letGo(ifIdleSince: joins) } }

    private func changeDemand(_ change: (Demand) -> Demand.Need) {
        lock.lock()
        var need = Demand.Need.some
        if phase == .open || phase == .abandoned, let demand { need = note(change(demand)) }
        lock.unlock()
        act(on: need)
    }

    /// Called with the lock.
    private func note(_ need: Demand.Need) -> Demand.Need {
        if case .none = need { phase = .unwanted }
        return need
    }

    @inline(__always)
    private func act(on need: Demand.Need) {
        if case .some = need { return }
        actOnIdleness(of: need)
    }

    @inline(never)
    private func actOnIdleness(of need: Demand.Need) {
        switch need {
        case .some: break
        case let .idle(runs): for run in runs { run.hold.idle(since: run.joins) }
        case .none: closedByLeaving()
        }
    }

    /// The source has gone away. Without an end: what the listeners would call is released, and no other can join any
    /// more. Only who may want to dispose holds them then; the last one to leave disposes what is left of the source.
    final func abandon() {
        lock.lock()
        if phase == .ended { // of which they hear in their turn
            lock.unlock()
            return
        }
        if phase == .open { phase = .abandoned }
        var taken = ListenerList()
        var current: [Subscription] = []
        var drains = false
        if section.isFree {
            taken = unlist()
        } else {
            current = list.copies
            drains = enqueue { [unowned(unsafe) self] in Listeners.terminate(lock.withLock { unlist() }) }
        }
        lock.unlock()
        Listeners.terminate(taken)
        for listener in current { unsafeDowncast(listener, to: Listener<T, E>.self).terminate() }
        if drains { drain() }
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

    /// Releases all listeners without an event, and what is remembered; no other can join any more. After the end that
    /// stands.
    final func close() {
        _ = section.isLeft(at: sgk_shim_frame())
        lock.lock()
        let wasOpen = hasList
        if wasOpen { phase = .closed }
        let forgotten = latest.take()
        var taken = ListenerList()
        var current: [Subscription] = []
        var drains = false
        if section.isFree {
            swap(&list, &taken)
        } else {
            if wasOpen { current = list.copies }
            drains = enqueue { [unowned(unsafe) self] in Listeners.close(takeList()) }
        }
        lock.unlock()
        withExtendedLifetime(forgotten) {}
        Listeners.close(taken)
        for listener in current { unsafeDowncast(listener, to: Listener<T, E>.self).close() }
        if drains { drain() }
    }

    // MARK: Those who arrive

    /// Leaves an event to a listener that has not arrived yet. False, and nothing has happened, when it has.
    final func postpone(for listener: Listener<T, E>, _ event: @escaping () -> Void) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard listener.noteWaiting() else { return false }
        postponed.append((Unmanaged.passUnretained(listener), event))
        return true
    }

    /// What waits for a listener, in order.
    final func takePostponed(for listener: Listener<T, E>) -> [() -> Void] {
        lock.lock()
        defer { lock.unlock() }
        listener.noteTaken()
        var taken: [() -> Void] = []
        var others: [(listener: Unmanaged<Subscription>, event: () -> Void)] = []
        for item in postponed {
            if item.listener.toOpaque() == Unmanaged.passUnretained(listener).toOpaque() {
                taken.append(item.event)
            } else {
                others.append(item)
            }
        }
        postponed = others
        return taken
    }

    // MARK: The list

    /// Whether it has not been taken, by the end or at closing.
    private var hasList: Bool { phase.rawValue < Phase.closed.rawValue }

    private func join(_ listener: Listener<T, E>) { listener.index = list.append(listener) }

    /// The caller lets the reference go, without the lock. `nil` when the list has been taken since the listener has
    /// left.
    private func part(from listener: Listener<T, E>) -> Unmanaged<Subscription>? {
        guard listener.isListed else { return nil }
        let removed = list.remove(at: listener.index)
        listener.noteUnlisted()
        list.compact { moved, index in Listeners.typed(moved) { $0.index = index } }
        return removed
    }

    private static func terminate(_ list: borrowing ListenerList) {
        list.forEach { typed($0) { $0.terminate() } }
    }

    private static func close(_ list: borrowing ListenerList) { list.forEach { typed($0) { $0.close() } } }

    private func takeList() -> ListenerList {
        var taken = ListenerList()
        lock.withLock { swap(&list, &taken) }
        return taken
    }

    /// The same in a list that goes on. Some of those in it may have left, and wait to come out.
    private func takeMembers() -> ListenerList {
        lock.lock()
        defer { lock.unlock() }
        let taken = unlist()
        taken.forEach { listener in
            Listeners.typed(listener) {
                if $0.isMember { members -= 1 }
                $0.isMember = false
            }
        }
        return taken
    }

    /// Called with the lock: takes out all of them, who are still to leave.
    private func unlist() -> ListenerList {
        var taken = ListenerList()
        swap(&list, &taken)
        taken.forEach { Listeners.typed($0) { $0.noteUnlisted() } }
        return taken
    }
}
