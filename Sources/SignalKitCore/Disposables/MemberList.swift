/// The members of a container, in the order in which they were added. Taking one out takes constant time.
final class MemberList<Item>: @unchecked Sendable {
    private let lock = SmallLock()
    /// The table also contains the members of the list, and retains them.
    @exclusivity(unchecked) private var first: Unmanaged<Member<Item>>?
    @exclusivity(unchecked) private var last: Unmanaged<Member<Item>>?
    @exclusivity(unchecked) private var isClosed = false

    /// Adds an item. `object` is its key: the item itself, or the subscription that it represents. Returns false if the
    /// list was closed.
    func add(_ item: Item, _ object: AnyObject, run: Subscription? = nil) -> Bool {
        let member = Member(item, self, object)
        member.enter(run: run)
        return list(member)
    }

    /// Like `add`, unless the list already contains the object.
    func addOnce(_ item: Item, _ object: AnyObject) -> Bool {
        let member = Member(item, self, object)
        return member.enter(onceIn: self) && list(member)
    }

    private func list(_ member: Member<Item>) -> Bool {
        lock.lock()
        let isLate = isClosed
        // The member may have been removed since it entered the table.
        if !isLate && !member.hasLeft { append(.passUnretained(member)) }
        lock.unlock()
        if isLate { _ = member.take() }
        return !isLate
    }

    /// Removes the first occurrence of an object. Returns false if there is none.
    @discardableResult
    func remove(_ object: AnyObject) -> Bool {
        let taken = Membership.take(object, from: self)
        taken?.leave()
        return taken != nil
    }

    func takeLast() -> Item? { take { last } }

    func takeAll() -> [Item] {
        var items: [Item] = []
        while let item = take({ first }) { items.append(item) }
        return items
    }

    /// The current items of the list.
    var items: [Item] {
        lock.withLock {
            var items: [Item] = []
            var next = first
            while let member = next?.takeUnretainedValue() {
                items.append(member.item)
                next = member.after
            }
            return items
        }
    }

    /// Prevents later additions. The items stay in the list.
    func close() { lock.withLock { isClosed = true } }

    /// Removes the member at an end of the list. If another thread is removing that member, it removes the next one.
    private func take(_ end: () -> Unmanaged<Member<Item>>?) -> Item? {
        while true {
            lock.lock()
            let member = end()?.takeUnretainedValue()
            if let member { unlink(member) }
            lock.unlock()
            guard let member else { return nil }
            if member.take() { return member.item }
        }
    }

    // MARK: Under the lock

    private func append(_ new: Unmanaged<Member<Item>>) {
        new._withUnsafeGuaranteedRef {
            $0.isListed = true
            $0.before = last
        }
        if let last { last._withUnsafeGuaranteedRef { $0.after = new } } else { first = new }
        last = new
    }

    private func unlink(_ member: Member<Item>) {
        member.hasLeft = true
        if !member.isListed { return }
        member.isListed = false
        if let before = member.before {
            before._withUnsafeGuaranteedRef { $0.after = member.after }
        } else {
            first = member.after
        }
        if let after = member.after {
            after._withUnsafeGuaranteedRef { $0.before = member.before }
        } else {
            last = member.before
        }
    }

    fileprivate func left(_ member: Member<Item>) { lock.withLock { unlink(member) } }
}

private final class Member<Item>: Membership {
    let item: Item
    private let list: MemberList<Item>
    // Under the list's lock:
    @exclusivity(unchecked) var before: Unmanaged<Member<Item>>?
    @exclusivity(unchecked) var after: Unmanaged<Member<Item>>?
    @exclusivity(unchecked) var isListed = false
    @exclusivity(unchecked) var hasLeft = false

    init(_ item: Item, _ list: MemberList<Item>, _ object: AnyObject) {
        self.item = item
        self.list = list
        super.init(of: object)
    }

    override func isIn(_ container: AnyObject) -> Bool { container === list }
    override func leave() { list.left(self) }
}
