/// Decides whether a shared subscription is wanted. A listener outside makes it wanted. A listener that feeds another
/// shared subscription makes it wanted if that one is wanted. So a subscription that listens only to itself, directly
/// or through others, is not wanted.
///
/// A subscription that is not wanted can be held for some time (`Hold`). Then it is idle.
final class Demand: @unchecked Sendable {
    enum Need {
        case some
        /// They are not wanted, but at least one of them is held.
        case idle([(hold: Hold, joins: UInt)])
        case none
    }

    /// One lock for all, because several subscriptions are checked together.
    static let lock = SmallLock()
    @exclusivity(unchecked) private var outside = 0
    /// The listeners through which it feeds shared subscriptions, and those subscriptions.
    @exclusivity(unchecked) private var fed: [(listener: UInt, run: Demand)] = []
    /// The number of listeners through which other subscriptions, or itself, feed it.
    @exclusivity(unchecked) private var sources = 0
    private let hold: Hold?
    /// The number of joins when the hold last expired. A later join starts it again.
    @exclusivity(unchecked) private var lapsed: UInt
    /// The number of all joins so far.
    @exclusivity(unchecked) private var joins: UInt = 0
    @exclusivity(unchecked) private var isOver = false
    @exclusivity(unchecked) private var isSeen = false
    /// The number of visits by a search. Tests check that it stays small.
    @exclusivity(unchecked) private(set) var looks = 0

    /// - Parameter hold: holds the subscription from the beginning.
    init(_ hold: Hold? = nil) {
        self.hold = hold
        lapsed = hold == nil ? .max : 0
    }

    private var isHeld: Bool { joins > lapsed }

    /// Adds a listener. Returns false, without effect, if the list is closed.
    func join() -> Bool {
        Demand.lock.withLock {
            if isOver { return false }
            outside += 1
            joins += 1
            return true
        }
    }

    /// A listener feeds a shared subscription. If both are open and that one does not feed this one, directly or
    /// through others, sets `isForward`. So the listeners for which it is set make no loop.
    func join(_ listener: AnyObject, feeding run: Demand, _ isForward: inout Bool) -> Need {
        Demand.lock.withLock {
            if isOver { return .none }
            outside -= 1
            fed.append((Demand.key(listener), run))
            run.sources += 1
            isForward = !run.isOver && (sources == 0 || !run.feeds(self))
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

    /// The hold has expired. If `joins` is not nil, it is the number of joins at the time when it became idle. If
    /// listeners have joined since then, the call has no effect.
    func letGo(ifIdleSince joins: UInt?) -> Need {
        Demand.lock.withLock {
            if isOver { return .none }
            if let joins, joins != self.joins { return .some }
            let before = lapsed
            lapsed = joins ?? .max
            let need = need()
            // If it is still wanted, its hold starts again after the last listener has left.
            if joins != nil, case .some = need { lapsed = before }
            return need
        }
    }

    /// The listeners receive the terminal event, and need not leave.
    func end() { Demand.lock.withLock { close() } }

    /// Called with the lock. (It releases no object of the user.)
    private func close() {
        isOver = true
        for (_, run) in fed { run.sources -= 1 }
        fed = []
    }

    private static func key(_ listener: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(listener).toOpaque())
    }

    /// Called with the lock. Subscriptions that feed only each other end together. The others learn it when this one
    /// leaves them.
    ///
    /// If no subscription feeds this one, it lies on no path from another one to the outside. Then the subscriptions
    /// that it feeds need no search, as long as they are not over. This makes the work linear for a chain that grows at
    /// its source and ends at its other end.
    private func need() -> Need {
        if outside > 0 { return .some }
        if sources == 0 && fed.contains(where: { !$0.run.isOver }) { return .some }
        let (runs, isWanted) = fedRuns()
        if isWanted { return .some }
        var idle: [(hold: Hold, joins: UInt)] = []
        for run in runs where run.isHeld {
            // If it does not depend on this subscription, it leaves when its own hold expires. Until then it counts as
            // a listener.
            if !run.feeds(self) { return .some }
            idle.append((run.hold!, run.joins))
        }
        if !idle.isEmpty { return .idle(idle) }
        for run in runs { run.close() }
        return .none
    }

    /// Called with the lock. Returns whether it feeds `target`, directly or through others, or is the same.
    private func feeds(_ target: Demand) -> Bool { fedRuns(all: true).runs.contains { $0 === target } }

    /// Called with the lock. Returns this one and those it feeds. Unless `all` is set, the search stops at the first
    /// one that is wanted from outside.
    private func fedRuns(all: Bool = false) -> (runs: [Demand], isWanted: Bool) {
        var seen = [self]
        isSeen = true
        var isWanted = false
        var next = 0
        while next < seen.count && (all || !isWanted) {
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
