/// A member of a `LinkBag`.
public protocol Unlinkable: AnyObject {
    /// Releases the upstream link permanently.
    func unlink()
}

/// Owns the last links of chains, and unlinks them when it is cleared or released. Any thread may use it.
///
/// A link that is unlinked otherwise leaves the bag. Adding a link twice has no effect.
public final class LinkBag: @unchecked Sendable {
    let members = MemberList<any Unlinkable>()

    /// Creates an empty bag.
    public init() {}

    deinit {
        clear()
    }

    /// Adds an object that is unlinked when the bag is cleared or released.
    public func add(_ unlinkable: Unlinkable) {
        if members.addOnce(unlinkable, unlinkable), let link = unlinkable as? Link { link.joined(members) }
    }

    /// Unlinks all links, in the order in which they were added, and forgets them.
    public func clear() {
        for link in members.takeAll() { link.unlink() }
    }
}

/// The common part of all links, for any type of value: the upstream object that it owns, and its bags.
public class Link: Unlinkable, @unchecked Sendable {
    private let lock = SmallLock()
    /// Retains the upstream object, and disconnects from it.
    @exclusivity(unchecked) final private var source: (any Disposable)?
    @exclusivity(unchecked) final private var bags: [MemberList<any Unlinkable>] = []
    @exclusivity(unchecked) final private var isUnlinked = false

    init() {}

    deinit {
        source?.dispose()
    }

    /// Called before other code has the link.
    final func connect(_ source: any Disposable) { self.source = source }

    /// Disconnects this link from its upstream link and releases that. The handlers of this link are released. On an
    /// emitter it has no effect.
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

    /// Puts this link into a bag, which unlinks it when it is cleared, or goes.
    public func add(to linkBag: LinkBag) { linkBag.add(self) }

    /// No further event arrives from upstream.
    func disconnected() {}

    final func joined(_ bag: MemberList<any Unlinkable>) {
        lock.lock()
        let late = isUnlinked
        if !late { bags.append(bag) }
        lock.unlock()
        if late { bag.remove(self) }
    }
}
