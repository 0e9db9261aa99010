/// A hub with two slots: for its source, and for another one or a timer. They are disposed in this order.
class PairHub<T, E>: Hub<T, E> {
    private let slotLock = SmallLock()
    @exclusivity(unchecked) private var slots: (first: (any Disposable)?, second: (any Disposable)?)
    /// What an older source stores is not wanted any more.
    @exclusivity(unchecked) private var newest: SourceNumber = 0

    override final func store(_ upstream: Subscription, in slot: Int) { store(upstream, in: slot, number: nil) }

    /// Puts a subscription into a slot and disposes what was there. When nobody wants it any more, because the end has come or a newer one
    /// has claimed the slot, it is disposed itself.
    final func store(_ disposable: any Disposable, in slot: Int, number: SourceNumber? = nil) {
        slotLock.lock()
        var obsolete: (any Disposable)? = disposable
        if flags & Flag.closed == 0 && !(number?.isOlder(than: newest) ?? false) { exchange(slot, &obsolete) }
        slotLock.unlock()
        obsolete?.dispose()
    }

    /// Makes way in a slot for what is started next. Of two that two threads are about to start at once the newer stays: the other learns
    /// here that it must not start, or in `store` that it is not wanted.
    final func claim(_ slot: Int, for number: SourceNumber) -> (isNewest: Bool, previous: (any Disposable)?) {
        slotLock.lock()
        let isNewest = flags & Flag.closed == 0 && !number.isOlder(than: newest)
        var previous: (any Disposable)?
        if isNewest {
            newest = number
            exchange(slot, &previous)
        }
        slotLock.unlock()
        return (isNewest, previous)
    }

    /// Takes what is in a slot: because it has ended, or to dispose it.
    @discardableResult
    final func take(from slot: Int) -> (any Disposable)? {
        slotLock.lock()
        var taken: (any Disposable)?
        exchange(slot, &taken)
        slotLock.unlock()
        return taken
    }

    override final func disposeSlots() {
        slotLock.lock()
        _ = raise(Flag.closed)
        let taken = slots
        slots = (nil, nil)
        slotLock.unlock()
        if let first = taken.first { Turns.dispose(first) }
        if let second = taken.second { Turns.dispose(second) }
    }

    @inline(__always)
    private func exchange(_ slot: Int, _ disposable: inout (any Disposable)?) {
        if slot == 0 { swap(&slots.first, &disposable) } else { swap(&slots.second, &disposable) }
    }
}
