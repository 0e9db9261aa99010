/// What a `LinkBag` can hold.
public protocol Unlinkable: AnyObject {
    func unlink()
}

/// Owns the last links of chains: when it is cleared, or goes, it unlinks them. From any thread.
///
/// A link that is unlinked otherwise leaves the bag; adding one twice is adding it once.
public final class LinkBag: @unchecked Sendable {
    let members = Members()

    public init() {}

    deinit {
        members.unlinkAll()
    }

    public func add(_ unlinkable: Unlinkable) {
        if members.add(unlinkable), let link = unlinkable as? Link { link.joined(members) }
    }

    /// Unlinks all links, in the order in which they were added, and forgets them.
    public func clear() { members.unlinkAll() }

    /// The links, apart from the bag: a link knows what to leave without keeping the bag.
    final class Members: @unchecked Sendable {
        private let lock = SmallLock()
        @exclusivity(unchecked) private var links: [any Unlinkable] = []

        var count: Int {
            lock.lock()
            defer { lock.unlock() }
            return links.count
        }

        func add(_ link: any Unlinkable) -> Bool {
            lock.lock()
            defer { lock.unlock() }
            if links.contains(where: { $0 === link }) { return false }
            links.append(link)
            return true
        }

        func remove(_ link: any Unlinkable) {
            lock.lock()
            let removed = links.firstIndex { $0 === link }.map { links.remove(at: $0) }
            lock.unlock()
            withExtendedLifetime(removed) {}
        }

        func unlinkAll() {
            lock.lock()
            let taken = links
            links = []
            lock.unlock()
            for link in taken { link.unlink() }
        }
    }
}

/// What all links have, whatever their values: something above that they own, and the bags that they are in.
public class Link: Unlinkable, @unchecked Sendable {
    private let lock = SmallLock()
    /// Disconnects from what is above, and holds it.
    @exclusivity(unchecked) private var source: (any Disposable)?
    @exclusivity(unchecked) private var bags: [LinkBag.Members] = []
    @exclusivity(unchecked) private var isUnlinked = false

    init() {}

    deinit {
        source?.dispose()
    }

    /// Only while nobody else knows the link.
    final func connect(_ source: any Disposable) { self.source = source }

    /// Disconnects this link from the one above and lets that go, which goes in turn if nobody else needs it. The handlers of this link are
    /// released. On an emitter it does nothing.
    public func unlink() {
        lock.lock()
        let source = source
        let bags = bags
        self.source = nil
        self.bags = []
        isUnlinked = isUnlinked || source != nil
        lock.unlock()
        for bag in bags { bag.remove(self) }
        if let source {
            source.dispose()
            disconnected()
        }
    }

    public func add(to linkBag: LinkBag) { linkBag.add(self) }

    /// Nothing comes from above any more.
    func disconnected() {}

    final func joined(_ bag: LinkBag.Members) {
        lock.lock()
        let late = isUnlinked
        if !late { bags.append(bag) }
        lock.unlock()
        if late { bag.remove(self) }
    }
}
