/// Whether a shared run is wanted: a listener from outside wants it, and so does another shared run that it feeds, as
/// far as that is wanted. So no run is wanted by itself, be it that it listens to itself at once, or through others.
///
/// What nobody wants may be held all the same, for some time (`Hold`): then it is idle.
final class Demand: @unchecked Sendable {
    enum Need {
        case some
        /// Nobody wants these, but something holds one of them.
        case idle([(hold: Hold, joins: UInt)])
        case none
    }

    /// One for all, as runs are looked at together.
    private static let lock = SmallLock()
    @exclusivity(unchecked) private var outside = 0
    /// The listeners by which it feeds shared runs, with these.
    @exclusivity(unchecked) private var fed: [(listener: UInt, run: Demand)] = []
    /// By how many listeners other runs, or itself, feed it.
    @exclusivity(unchecked) private var sources = 0
    private let hold: Hold?
    /// How many had joined when the hold last let go: whoever joins later has it hold again.
    @exclusivity(unchecked) private var lapsed: UInt
    /// How many listeners have joined, ever.
    @exclusivity(unchecked) private var joins: UInt = 0
    @exclusivity(unchecked) private var isOver = false
    @exclusivity(unchecked) private var isSeen = false
    /// How often a search has come by: for tests, which hold their number down.
    @exclusivity(unchecked) private(set) var looks = 0

    /// - Parameter hold: what holds the run, from the beginning.
    init(_ hold: Hold? = nil) {
        self.hold = hold
        lapsed = hold == nil ? .max : 0
    }

    private var isHeld: Bool { joins > lapsed }

    /// A listener joins. False, and nothing has happened, when none can any more.
    func join() -> Bool {
        Demand.lock.withLock {
            if isOver { return false }
            outside += 1
            joins += 1
            return true
        }
    }

    /// A listener turns out to feed a shared run.
    func join(_ listener: AnyObject, feeding run: Demand) -> Need {
        Demand.lock.withLock {
            if isOver { return .none }
            outside -= 1
            fed.append((Demand.key(listener), run))
            run.sources += 1
            return need()
        }
    }

    func leave(_ listener: AnyObject) -> Need {
        let key = Demand.key(listener)
        return Demand.lock.withLock {
            if isOver { return .none }
            if let index = fed.lastIndex(where: { $0.listener == key }) {
                fed.remove(at: index).run.sources -= 1
            } else {
                outside -= 1
            }
            return need()
        }
    }

    /// Nothing holds it any more. Given the number of those who had joined when it became idle: not if others have
    /// since.
    func letGo(ifIdleSince joins: UInt?) -> Need {
        Demand.lock.withLock {
            if isOver { return .none }
            if let joins, joins != self.joins { return .some }
            let before = lapsed
            lapsed = joins ?? .max
            let need = need()
            // It listens again, for as long, when who keeps it has left.
            if joins != nil, case .some = need { lapsed = before }
            return need
        }
    }

    /// Its listeners are told of the end, and need not leave.
    func end() { Demand.lock.withLock { close() } }

    /// Called with the lock. (What goes here is no user's.)
    private func close() {
        isOver = true
        for (_, run) in fed { run.sources -= 1 }
        fed = []
    }

    private static func key(_ listener: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(listener).toOpaque())
    }

    /// Called with the lock. Those which feed only each other end together: the others learn of it when this one leaves
    /// them.
    ///
    /// A run that no other feeds is on nobody's way to the outside: so what it feeds is wanted, or held, without it, as
    /// long as that goes on. That makes a chain of runs linear, which grows where it is fed from and goes from the
    /// other end.
    private func need() -> Need {
        if outside > 0 { return .some }
        if sources == 0 && fed.contains(where: { !$0.run.isOver }) { return .some }
        let (runs, isWanted) = fedRuns()
        if isWanted { return .some }
        var idle: [(hold: Hold, joins: UInt)] = []
        for run in runs where run.isHeld {
            // One that does not wait for this leaves it when its own time is over: until then it is a listener.
            if !run.feeds(self) { return .some }
            idle.append((run.hold!, run.joins))
        }
        if !idle.isEmpty { return .idle(idle) }
        for run in runs { run.close() }
        return .none
    }

    private func feeds(_ run: Demand) -> Bool { fedRuns().runs.contains { $0 === run } }

    /// Called with the lock. This one and those that it feeds, until one is found that is wanted from outside.
    private func fedRuns() -> (runs: [Demand], isWanted: Bool) {
        var seen = [self]
        isSeen = true
        var isWanted = false
        var next = 0
        while next < seen.count && !isWanted {
            seen[next].looks += 1
            for (_, run) in seen[next].fed where !run.isSeen {
                run.isSeen = true
                seen.append(run)
                isWanted = isWanted || run.outside > 0
            }
            next += 1
        }
        for run in seen { run.isSeen = false }
        return (seen, isWanted)
    }
}
