/// Objects by name: each is made when it is first asked for, and taken out when it is over.
final class NameTable<Item: AnyObject>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var items: [NameKey: Item] = [:]

    /// The object of a name. It is made, under the lock, if there is none.
    func item(_ key: NameKey, _ make: () -> Item) -> (item: Item, isNew: Bool) {
        lock.withLock {
            if let known = items[key] { return (known, false) }
            let new = make()
            items[key] = new
            return (new, true)
        }
    }

    func existing(_ key: NameKey) -> Item? { lock.withLock { items[key] } }

    /// Joins the object of a name. One that cannot be joined any more (`join` returns false) makes way for a fresh one.
    func join(_ key: NameKey, _ make: () -> Item, _ join: (Item, _ isNew: Bool) -> Bool) {
        while true {
            let (item, isNew) = item(key, make)
            if join(item, isNew) { return }
            remove(key) { $0 === item }
        }
    }

    /// Takes out the object of a name if it is the one that is meant: a newer one stays.
    func remove(_ key: NameKey, where isMeant: (Item) -> Bool) {
        let removed: Item? = lock.withLock {
            guard let item = items[key], isMeant(item) else { return nil }
            return items.removeValue(forKey: key)
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll() -> Dictionary<NameKey, Item>.Values {
        lock.withLock {
            defer { items = [:] }
            return items.values
        }
    }
}
