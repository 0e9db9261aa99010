/// Objects by name. An object is created at the first request, and removed at its end.
final class NameTable<Item: AnyObject>: @unchecked Sendable {
    private let lock = SmallLock()
    /// Of any type: a dictionary of `Item`s would be looked up at each use.
    @exclusivity(unchecked) private var items: [NameKey: AnyObject] = [:]

    /// The object of a name. It is made, under the lock, if there is none.
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

    /// Takes out the object of a name if it is the one that is meant: a newer one stays.
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
