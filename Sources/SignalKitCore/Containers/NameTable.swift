/// Objects by name. An object is created at the first request, and removed at its end.
final class NameTable<Item: AnyObject>: @unchecked Sendable {
    private let lock = SmallLock()
    /// Untyped, because a dictionary of `Item`s would be looked up at each use.
    @exclusivity(unchecked) private var items: [NameKey: AnyObject] = [:]

    /// Returns the object of a name. If there is none, it is created under the lock.
    func item(_ key: NameKey, _ make: () -> Item) -> (item: Item, isNew: Bool) {
        lock.withLock {
            if let known = items[key] { return (unsafeDowncast(known, to: Item.self), false) }
            let new = make()
            items[key] = new
            return (new, true)
        }
    }

    func existing(_ key: NameKey) -> Item? {
        lock.withLock { items[key].map { unsafeDowncast($0, to: Item.self) } }
    }

    /// Joins the object of a name. If that can no longer be joined (`join` returns false), it is replaced by a new one.
    func join(_ key: NameKey, _ make: () -> Item, _ join: (Item, _ isNew: Bool) -> Bool) {
        while true {
            let (item, isNew) = item(key, make)
            if join(item, isNew) { return }
            remove(key) { $0 === item }
        }
    }

    /// Removes the object of a name if `isMeant` accepts it. A newer object stays.
    func remove(_ key: NameKey, where isMeant: (Item) -> Bool) {
        let removed: AnyObject? = lock.withLock {
            guard let item = items[key], isMeant(unsafeDowncast(item, to: Item.self)) else { return nil }
            return items.removeValue(forKey: key)
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll() -> [Item] {
        let removed = lock.withLock {
            defer { items = [:] }
            return items
        }
        return removed.values.map { unsafeDowncast($0, to: Item.self) }
    }
}
