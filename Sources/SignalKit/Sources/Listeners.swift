private enum Phase {
    case open
    /// Nobody can emit any more, but listeners are still in the list: the last one to leave closes it.
    case abandoned
    case closed
    case ended
}

/// What has become of a value that was put.
enum Put {
    case accepted
    /// The epoch has moved on: nothing has happened.
    case outdated
    /// Nobody can emit any more: it goes nowhere.
    case closed
}

/// A list of listeners to a source of some type. (A list of that type would be looked up at each event, in code that is not specialised.)
private typealias ListenerList = [Subscription?]

/// Who listens to a hot source, and the delivery to them: what pipes, promises and multicasting have in common.
///
///     put ──► [lock: remember the value, who listens, take a place in line] ──► one at a time, to those who listened when it was put
///     add ──► [lock: take the remembered value, join the list] ──► replay ──► what was put meanwhile
///
/// An event finds the list that stood when it was put, and a listener finds the value that stood when it joined, both in one critical
/// section: each value reaches a listener once, and never after a newer one. Nothing is called and nothing is let go under the lock.
class Listeners<T, E>: @unchecked Sendable {
    private let serial = Serial<() -> Void>()
    private let lock = SmallLock()
    private let keepsLatest: Bool
    private let closesWhenEmpty: Bool
    @exclusivity(unchecked) private var phase = Phase.open
    /// In the order of subscription; those who have left leave a hole until half of it is holes.
    @exclusivity(unchecked) private var listeners: ListenerList = []
    @exclusivity(unchecked) private var holes = 0
    @exclusivity(unchecked) private var latest = Cell<T>()
    /// The end, for those who come later.
    @exclusivity(unchecked) private var end: SignalEvent<T, E>?
    /// Which source may put, or which value is the latest: whoever has an older number is refused.
    @exclusivity(unchecked) private var epoch: UInt = 0

    /// - Parameters:
    ///   - keepsLatest: whether who joins gets the latest value.
    ///   - closesWhenEmpty: whether nobody can join any more once the last one has left.
    init(keepsLatest: Bool = false, latest: T? = nil, closesWhenEmpty: Bool = false) {
        self.keepsLatest = keepsLatest
        if let latest { self.latest.set(latest) }
        self.closesWhenEmpty = closesWhenEmpty
    }

    /// The last listener has left, which has closed the list. Called without a lock.
    func closedByLeaving() {}

    // MARK: Events

    /// Delivers a value, or leaves it to whoever is delivering.
    ///
    /// - Parameters:
    ///   - expected: the epoch that must still stand.
    ///   - advances: whether the epoch moves on.
    @discardableResult
    final func put(_ value: T, in expected: UInt? = nil, advances: Bool = false) -> Put {
        lock.lock()
        if let expected, expected != epoch {
            lock.unlock()
            return .outdated
        }
        if phase != .open {
            lock.unlock()
            return .closed
        }
        if advances { epoch += 1 }
        var remembered = value
        if keepsLatest { latest.exchange(&remembered) }
        let current = listeners
        var isFree = false
        var drains = false
        if current.count > holes {
            // The place in line is taken under the lock: the order of delivery is the order in which values replace each other.
            isFree = serial.enter()
            drains = !isFree && waits(value, current)
        }
        lock.unlock()
        _ = consume remembered // what has been replaced goes now: outside the lock, and before anybody is told
        if isFree {
            deliver(value, current)
            if serial.leave() { return .accepted }
        }
        if isFree || drains { drain() }
        return .accepted
    }

    /// Delivers the end after everything that was put before; who comes later is told as well.
    final func finish(_ event: SignalEvent<T, E>) {
        lock.lock()
        if phase != .open {
            lock.unlock()
            return
        }
        phase = .ended
        end = event
        var current: ListenerList = []
        swap(&listeners, &current)
        let drains = serial.wait { for listener in current { Listeners.typed(listener)?.deliver(event) } }
        lock.unlock()
        if drains { drain() }
    }

    @inline(__always)
    private static func typed(_ listener: Subscription?) -> Listener<T, E>? { listener.map { unsafeDowncast($0, to: Listener<T, E>.self) } }

    @inline(__always)
    private func deliver(_ value: T, _ listeners: ListenerList) {
        for listener in listeners {
            if let listener { unsafeDowncast(listener, to: Listener<T, E>.self).deliver(value) }
        }
    }

    @inline(never)
    private func waits(_ value: T, _ listeners: ListenerList) -> Bool {
        serial.wait { [unowned(unsafe) self] in deliver(value, listeners) }
    }

    @inline(never)
    private func drain() {
        _ = serial.drain { delivery in
            delivery?()
            return true
        }
    }

    /// Whether nobody delivers at this moment. Whoever does so later sees what the caller has changed before, by an atomic operation.
    final var isQuiet: Bool { serial.isFree }

    /// Does something after what is being delivered.
    final func afterDelivery(_ action: @escaping () -> Void) {
        if serial.wait(action) { drain() }
    }

    // MARK: What is remembered

    /// The latest value and its epoch.
    final var current: (latest: T?, epoch: UInt) {
        lock.lock()
        defer { lock.unlock() }
        return (latest.copy, epoch)
    }

    /// Lets the latest value go and begins a new epoch: earlier sources are refused from now on. Not if a later one has begun already.
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
    /// - Parameter owner: what the subscription keeps alive: as long as somebody holds it, and not through the list.
    /// - Returns: false when the list has been closed. `sink` was not touched then.
    @discardableResult
    final func add(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) -> Bool {
        let listener = Listener(sink, self)
        lock.lock()
        let phase = phase
        let replayed = latest.copy
        let end = end
        if phase == .open {
            listener.index = listeners.count
            listeners.append(listener)
        }
        lock.unlock()
        if phase == .closed || phase == .abandoned { return false }
        if let owner { sink.attached(ListenerHandle(listener, owner)) } else { sink.attached(listener) }
        if let replayed { listener.next(replayed) }
        if let end { listener.finish(end) }
        listener.catchUp()
        return true
    }

    /// Joins like `add`; on a closed list the subscription stays silent for good.
    final func addOrStaySilent(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) {
        if add(sink, keeping: owner) { return }
        let silent = Listener(sink, self)
        sink.attached(silent)
        silent.letGo()
    }

    final func remove(_ listener: Listener<T, E>) {
        lock.lock()
        var removed: Subscription?
        var compacted: ListenerList = []
        var wasLast = false
        if listener.index >= 0 && (phase == .open || phase == .abandoned) {
            swap(&listeners[listener.index], &removed)
            listener.index = -1
            holes += 1
            wasLast = closesWhenEmpty && holes == listeners.count
            if wasLast { phase = .closed }
            if wasLast || holes > 8 && holes * 2 > listeners.count {
                swap(&listeners, &compacted)
                listeners = compacted.filter { $0 != nil }
                for (index, listener) in listeners.enumerated() { Listeners.typed(listener)!.index = index }
                holes = 0
            }
        }
        lock.unlock()
        withExtendedLifetime((removed, compacted)) {}
        if wasLast { closedByLeaving() }
    }

    /// The source has gone away without an end: what the listeners would call is let go, and nobody can join any more. The listeners stay
    /// in the list until they leave, which may dispose what is left of the source.
    final func abandon() {
        lock.lock()
        let current = listeners
        if phase == .open { phase = .abandoned }
        lock.unlock()
        for listener in current { Listeners.typed(listener)?.letGo() }
    }

    /// Lets all listeners go without an event; nobody can join any more.
    final func close() {
        lock.lock()
        let wasOpen = phase == .open || phase == .abandoned
        if wasOpen { phase = .closed }
        var taken: ListenerList = []
        var forgotten: T?
        if wasOpen {
            swap(&listeners, &taken)
            forgotten = latest.take()
        }
        lock.unlock()
        withExtendedLifetime(forgotten) {}
        for listener in taken { Listeners.typed(listener)?.letGo() }
    }
}
