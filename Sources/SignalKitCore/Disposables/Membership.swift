/// The place of an object in a container. A subscription that has ended leaves the container automatically. A `Record`
/// follows its subscription in the same way.
///
/// All memberships are in one table, keyed by the object. So an ended subscription finds its containers, and a
/// container finds the place of a member. A subscription without containers costs nothing. Only the thread that takes a
/// membership out of the table handles it.
class Membership {
    /// Guards the table, which all threads use.
    static let lock = SmallLock()
    @exclusivity(unchecked) fileprivate final var key: UInt
    /// The next one in the table.
    fileprivate final var following: Unmanaged<Membership>?

    /// - Parameter object: the key: the subscription that a member represents, or the member. A subclass retains it.
    init(of object: AnyObject) {
        key = Membership.key(of: object)
    }

    /// Has no key before `enter(following:)`.
    init() { key = 0 }

    func isIn(_ container: AnyObject) -> Bool { false }

    /// Called without a lock, after the removal from the table. The container removes its entry.
    func leave() { mustOverride() }

    /// The first pause of the subscription that is the key, or the end of the last one. Called with the lock of the
    /// table, after the change. `isPaused` is the present state.
    func pauseChanged(isFirst: Bool, isPaused: Bool) {}

    fileprivate static func key(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns the subscription that a member represents, or nil. When it is over, the member leaves its containers.
    static func run(of member: any Disposable) -> Subscription? {
        if let run = member as? Subscription { return run.deliverer.takeUnretainedValue() }
        if let waitable = member as? WaitableDisposable { return run(of: waitable.subscription) }
        return (member as? StrictDisposable).flatMap { run(of: $0.core.disposable) }
    }

    /// Enters the table under the key of `run`. If that is already over, it leaves immediately.
    final func enter(run: Subscription?) {
        MembershipTable.shared.insert(self)
        if let run { Membership.leaveAtEnd(of: run) }
    }

    /// Enters the table under the key of `run`, or moves there. The caller takes it out if `run` is released without an
    /// end.
    final func enter(following run: Subscription) {
        if key != 0 { _ = take() }
        key = Membership.key(of: run)
        enter(run: run)
    }

    /// Enters the table, unless the container already has a membership of the object.
    final func enter(onceIn container: AnyObject) -> Bool {
        MembershipTable.shared.insert(self, unlessIn: container) === self
    }

    /// Enters the table under the key of `run`, unless the table has a membership of `run` in `run`. Returns the one in
    /// the table. If `run` is already over, it leaves immediately.
    final func enterOnce(run: Subscription) -> Membership {
        let entered = MembershipTable.shared.insert(self, unlessIn: run)
        if entered === self { Membership.leaveAtEnd(of: run) }
        return entered
    }

    /// From now on the subscription leaves its containers at its end, or at once if it is already over.
    private static func leaveAtEnd(of run: Subscription) {
        if run.raise(Subscription.Flag.held) & Subscription.Flag.done != 0 { leaveAll(run) }
    }

    /// True if `object` is the key.
    final func isOf(_ object: AnyObject) -> Bool { key == Membership.key(of: object) }

    /// Takes this one out of the table. False when another thread has done it.
    final func take() -> Bool { MembershipTable.shared.take(key, self) != nil }

    /// Takes an object's first membership in a container out of the table.
    static func take(_ object: AnyObject, from container: AnyObject) -> Membership? {
        MembershipTable.shared.take(key(of: object), container)
    }

    /// Reports the first pause of a subscription, or the end of the last one, to its memberships.
    @inline(never)
    static func pauseChanged(of run: Subscription, isFirst: Bool) {
        MembershipTable.shared.forEach(key(of: run)) {
            $0.pauseChanged(isFirst: isFirst, isPaused: run.flags & Subscription.Flag.pauses != 0)
        }
    }

    /// A subscription is over: it leaves its containers.
    @inline(never)
    static func leaveAll(_ run: Subscription) {
        while let membership = MembershipTable.shared.take(key(of: run), nil) { membership.leave() }
    }
}

/// All memberships, by their keys.
private final class MembershipTable: @unchecked Sendable {
    static let shared = MembershipTable()

    /// A chain for some of the keys, the newest first. It retains its elements.
    private typealias Chain = Unmanaged<Membership>?

    @exclusivity(unchecked) private var count = 0
    /// The number of chains, as a power of two.
    @exclusivity(unchecked) private var bits = 0
    @exclusivity(unchecked) private var chains: UnsafeMutablePointer<Chain>

    private init() {
        chains = .allocate(capacity: 1)
        chains.initialize(to: nil)
    }

    func insert(_ new: Membership) { Membership.lock.withLock { add(new) } }

    /// Returns the membership with the same key in the container. If there is none, inserts the new one.
    func insert(_ new: Membership, unlessIn container: AnyObject) -> Membership {
        Membership.lock.withLock {
            if let (found, _) = find(new.key, container) { return found.takeUnretainedValue() }
            add(new)
            return new
        }
    }

    /// Removes the oldest membership of a key: in a container, or a given one, or any.
    @inline(never)
    func take(_ key: UInt, _ whom: AnyObject?) -> Membership? {
        Membership.lock.lock()
        defer { Membership.lock.unlock() }
        guard let (found, newer) = find(key, whom) else { return nil }
        let taken = found.moved()
        if let newer {
            newer._withUnsafeGuaranteedRef { $0.following = taken.following }
        } else {
            chains[index(of: key)] = taken.following
        }
        count -= 1
        if bits > 6 && count < 1 << (bits - 3) { resize(to: bits - 1) }
        return taken
    }

    /// Calls `body` with the lock.
    func forEach(_ key: UInt, _ body: (Membership) -> Void) {
        Membership.lock.withLock {
            var next = chains[index(of: key)]
            while let current = next {
                current._withUnsafeGuaranteedRef {
                    if $0.key == key { body($0) }
                    next = $0.following
                }
            }
        }
    }

    /// Returns the oldest match, and the next newer membership in its chain.
    private func find(_ key: UInt, _ whom: AnyObject?) -> (found: Unmanaged<Membership>, newer: Chain)? {
        var result: (Unmanaged<Membership>, Chain)?
        var newer: Chain = nil
        var next = chains[index(of: key)]
        while let current = next {
            current._withUnsafeGuaranteedRef {
                if $0.key == key && (whom == nil || whom === $0 || $0.isIn(whom!)) { result = (current, newer) }
                next = $0.following
            }
            newer = current
        }
        return result
    }

    private func add(_ new: Membership) {
        count += 1
        if count > 1 << bits { resize(to: bits + 1) }
        link(.passRetained(new))
    }

    private func link(_ new: Unmanaged<Membership>) {
        new._withUnsafeGuaranteedRef {
            let index = index(of: $0.key)
            $0.following = chains[index]
            chains[index] = new
        }
    }

    /// The addresses of objects are multiples of 16. The product mixes their bits, the highest ones most.
    private func index(of key: UInt) -> Int {
        let factor = UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)
        return bits == 0 ? 0 : Int(bitPattern: ((key >> 4) &* factor) >> UInt(UInt.bitWidth - bits))
    }

    /// Distributes all memberships over more or fewer chains. Moving a chain reverses its order, so it is reversed
    /// twice.
    private func resize(to bits: Int) {
        let (old, number) = (chains, 1 << self.bits)
        self.bits = bits
        chains = .allocate(capacity: 1 << bits)
        chains.initialize(repeating: nil, count: 1 << bits)
        for index in 0..<number {
            var turned: Chain = nil
            var next = old[index]
            while let current = next {
                current._withUnsafeGuaranteedRef {
                    next = $0.following
                    $0.following = turned
                }
                turned = current
            }
            while let current = turned {
                current._withUnsafeGuaranteedRef { turned = $0.following }
                link(current)
            }
        }
        old.deallocate()
    }
}
