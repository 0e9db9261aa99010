import SignalKitShims

/// Adds and removes listeners, closes the list, and updates the demand.
extension Listeners {
    // MARK: Joining

    /// Joins the list, replays the stored values, then delivers the events that arrived in the meantime.
    ///
    /// - Parameter owner: the owner, if the subscription keeps it alive. The handle retains it, not the list.
    /// - Returns: false if the list was closed. Then `sink` is unchanged.
    @discardableResult
    func add(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) -> Bool {
        let listener = listenerKind.type.init(sink, self, keepsOwner: owner != nil)
        lock.lock()
        // An optional is not used, because its type would be looked up.
        if !latest.hasValue { return join(listener, sink, owner) {} }
        let replayed = latest.value
        return join(listener, sink, owner) { listener.next(replayed) }
    }

    /// Called with the lock, which it unlocks.
    private func join(
        _ listener: Listener<T, E>, _ sink: Sink<T, E>, _ owner: AnyObject?, _ replay: () -> Void
    ) -> Bool {
        var phase = phase
        if phase.isOpen && demand?.join() == false { phase = .unwanted }
        let earlier = history?.copy()
        var drains = false
        if phase.isOpen {
            members += 1
            listener.isMember = true
            if section.isFree {
                join(listener)
            } else {
                drains = enqueue { [unowned(unsafe) self] in arrive(listener) }
            }
        }
        lock.unlock()
        if drains { drain() }
        if !phase.isOpen && phase != .ended { return false }
        if let owner { sink.attached(ListenerHandle(listener, owner)) } else { sink.attached(listener) }
        replay()
        earlier?.forEach { listener.next($0) }
        if phase == .ended { tellEnd(listener) }
        listener.catchUp()
        return true
    }

    /// A separate function, because the type of the end would be looked up at each join.
    @inline(never)
    private func tellEnd(_ listener: Listener<T, E>) {
        if let end = lock.withLock({ end }) { listener.finish(end) }
    }

    /// Joins like `add`. On a closed list the subscription stays silent permanently.
    func addOrStaySilent(_ sink: Sink<T, E>, keeping owner: AnyObject? = nil) {
        if add(sink, keeping: owner) { return }
        let silent = listenerKind.type.init(sink, self)
        sink.attached(silent)
        silent.close()
    }

    // MARK: Leaving

    @inline(__always)
    func remove(_ listener: Listener<T, E>) {
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

    /// A listener that has just joined feeds a shared subscription. Returns true if that one does not feed this one, as
    /// far as the demand knows.
    func listener(_ listener: Listener<T, E>, feeds run: Demand) -> Bool {
        var isForward = false
        changeDemand { listener.isMember ? $0.join(listener, feeding: run, &isForward) : .some }
        return isForward
    }

    /// Only its listeners keep the subscription from now on.
    ///
    /// - Parameter joins: the number of joins when it became idle, or nil. A later join prevents the effect.
    func letGo(ifIdleSince joins: UInt? = nil) { changeDemand { $0.letGo(ifIdleSince: joins) } }

    private func changeDemand(_ change: (Demand) -> Demand.Need) {
        lock.lock()
        var need = Demand.Need.some
        if phase.isOpen || phase == .abandoned, let demand { need = note(change(demand)) }
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

    // MARK: Closing

    /// The source was released without an end. The downstream stages are released, and no listener can join. From now
    /// on only handles retain the listeners. The last one to leave disposes the remains of the source.
    func abandon() {
        lock.lock()
        if phase == .ended { // of which they hear in their turn
            lock.unlock()
            return
        }
        if phase.isOpen { phase = .abandoned }
        var taken = ListenerList()
        var current: [Subscription] = []
        var drains = false
        if section.isFree {
            taken = unlist()
        } else {
            current = list.copies
            drains = enqueue { [unowned(unsafe) self] in terminate(lock.withLock { unlist() }) }
        }
        lock.unlock()
        terminate(taken)
        for listener in current { unsafeDowncast(listener, to: Listener<T, E>.self).terminate() }
        if drains { drain() }
    }

    /// Releases all listeners without an event, and the stored values. No further listener can join. A terminal event
    /// stays stored.
    func close() {
        if section.isToBeLookedAt() { _ = section.isLeft(at: sgk_shim_frame()) }
        lock.lock()
        let wasOpen = hasList
        if wasOpen { phase = .closed }
        let forgotten = latest.take(), waiting = takeWaiting()
        var taken = ListenerList()
        var current: [Subscription] = []
        var drains = false
        if section.isFree {
            swap(&list, &taken)
        } else {
            if wasOpen { current = list.copies }
            drains = enqueue { [unowned(unsafe) self] in close(takeList()) }
        }
        lock.unlock()
        withExtendedLifetime((forgotten, waiting)) {}
        close(taken)
        for listener in current { unsafeDowncast(listener, to: Listener<T, E>.self).close() }
        if drains { drain() }
    }

    // MARK: The list

    /// True until the end or the closing takes the list.
    private var hasList: Bool { phase.rawValue < Phase.closed.rawValue }

    private func join(_ listener: Listener<T, E>) { listener.index = list.append(listener) }

    /// Adds a listener at its turn. If the list was closed in the meantime, the listener is closed, too, and receives
    /// no pending event.
    private func arrive(_ listener: Listener<T, E>) {
        lock.lock()
        let isClosed = phase == .closed
        if !isClosed { join(listener) }
        lock.unlock()
        if isClosed { listener.close() }
    }

    /// The caller releases the reference without the lock. The result is nil if the list was taken after the listener
    /// left.
    private func part(from listener: Listener<T, E>) -> Unmanaged<Subscription>? {
        guard listener.isListed else { return nil }
        let removed = list.remove(at: listener.index)
        listener.noteUnlisted()
        list.compact { moved, index in Listeners.typed(moved) { $0.index = index } }
        return removed
    }

    private func terminate(_ list: borrowing ListenerList) {
        list.forEach { Listeners.typed($0) { $0.terminate() } }
    }

    private func close(_ list: borrowing ListenerList) { list.forEach { Listeners.typed($0) { $0.close() } } }

    func takeList() -> ListenerList {
        var taken = ListenerList()
        lock.withLock { swap(&list, &taken) }
        return taken
    }

    /// Like `takeList`, for a list that continues. It can contain listeners that have left and are not removed yet.
    func takeMembers() -> ListenerList {
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

    /// Called with the lock. Takes all listeners out of the list. They are still members.
    private func unlist() -> ListenerList {
        var taken = ListenerList()
        swap(&list, &taken)
        taken.forEach { Listeners.typed($0) { $0.noteUnlisted() } }
        return taken
    }
}
