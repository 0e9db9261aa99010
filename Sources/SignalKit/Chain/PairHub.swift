/// A hub with two slots: for its source, and for another one or a timer. They are disposed in this order.
class PairHub<T, E>: Hub<T, E> {
    private let slotLock = SmallLock()
    @exclusivity(unchecked) private var slots = (first: Slot.empty, second: Slot.empty)
    /// What an older source stores is not wanted any more.
    @exclusivity(unchecked) private var newest: SourceNumber = 0

    override final func store(_ upstream: Subscription, in slot: Int) { store(upstream, in: slot, number: nil) }

    /// Puts a subscription into a slot and disposes what was there. When nobody wants it any more, because the end has come or a newer one
    /// has claimed the slot, it is disposed itself.
    final func store(_ disposable: any Disposable, in slot: Int, number: SourceNumber? = nil) {
        let obsolete: (any Disposable)? = slotLock.withLock {
            if let number, number.isOlder(than: newest) { return disposable }
            return slot == 0 ? slots.first.store(disposable) : slots.second.store(disposable)
        }
        obsolete?.dispose()
    }

    /// Makes way in a slot for what is started next. Of two that two threads are about to start at once the newer stays: the other learns
    /// here that it must not start, or in `store` that it is not wanted.
    final func claim(_ slot: Int, for number: SourceNumber) -> (isNewest: Bool, previous: (any Disposable)?) {
        slotLock.withLock {
            if slots.first.isClosed || number.isOlder(than: newest) { return (false, nil) }
            newest = number
            return (true, takeLocked(slot))
        }
    }

    /// Takes what is in a slot: because it has ended, or to dispose it.
    @discardableResult
    final func take(from slot: Int) -> (any Disposable)? {
        slotLock.withLock { takeLocked(slot) }
    }

    override final func disposeSlots() {
        let (first, second) = slotLock.withLock { (slots.first.close(), slots.second.close()) }
        if let first { Turns.dispose(first) }
        if let second { Turns.dispose(second) }
    }

    @inline(__always)
    private func takeLocked(_ slot: Int) -> (any Disposable)? { slot == 0 ? slots.first.take() : slots.second.take() }
}
