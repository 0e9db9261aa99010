/// Whether a shared run is wanted: a listener from outside wants it, and so does another shared run that it feeds, as
/// far as that is wanted. So no run is wanted by itself, be it that it listens to itself at once, or through others.
final class Demand: @unchecked Sendable {
    /// One for all, as runs are looked at together.
    private static let lock = SmallLock()
    @exclusivity(unchecked) private var outside = 0
    /// The listeners by which it feeds shared runs, with these.
    @exclusivity(unchecked) private var fed: [(listener: UInt, run: Demand)] = []
    @exclusivity(unchecked) private var isOver = false
    @exclusivity(unchecked) private var isSeen = false

    /// A listener joins. False, and nothing has happened, when none can any more.
    func join() -> Bool {
        Demand.lock.withLock {
            if !isOver { outside += 1 }
            return !isOver
        }
    }

    /// A listener turns out to feed a shared run. Returns whether this one is not wanted any more.
    func join(_ listener: AnyObject, feeding run: Demand) -> Bool {
        Demand.lock.withLock {
            if isOver { return true }
            outside -= 1
            fed.append((Demand.key(listener), run))
            return endsNow()
        }
    }

    /// Returns whether this run is not wanted any more, nor those that it feeds.
    func leave(_ listener: AnyObject) -> Bool {
        let key = Demand.key(listener)
        return Demand.lock.withLock {
            if isOver { return true }
            if let index = fed.lastIndex(where: { $0.listener == key }) { fed.remove(at: index) } else { outside -= 1 }
            return endsNow()
        }
    }

    /// Its listeners have been told of the end, and need not leave.
    func end() { Demand.lock.withLock { close() } }

    /// Called with the lock. (What goes here is no user's.)
    private func close() {
        isOver = true
        fed = []
    }

    private static func key(_ listener: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(listener).toOpaque())
    }

    /// Called with the lock. Those which feed only each other end together: the others learn of it when this one leaves
    /// them.
    private func endsNow() -> Bool {
        if outside > 0 { return false }
        var seen = [self]
        isSeen = true
        var isWanted = false
        var next = 0
        while next < seen.count && !isWanted {
            for (_, run) in seen[next].fed where !run.isSeen {
                run.isSeen = true
                seen.append(run)
                isWanted = isWanted || run.outside > 0
            }
            next += 1
        }
        for run in seen { run.isSeen = false }
        if isWanted { return false }
        for run in seen { run.close() }
        return true
    }
}
