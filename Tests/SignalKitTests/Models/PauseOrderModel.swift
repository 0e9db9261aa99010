@testable import SignalKitCore

/// The locks that a pause takes on its way up, from one shared source to those that feed it (`Listener.pause`,
/// `Listeners.addPause`, `Demand.join`). Each shared source has two locks: of its list of listeners, and of the
/// hub that is its source. A pause holds both while it goes on to the listeners in the hub. Meanwhile listeners come
/// and leave, so the sources can change their order.
///
/// In the code (`scripts/models.py` compares):
/// - SmallLock.tryLock: compareExchange sequentiallyConsistent → pauses, registers, leaves
/// - SmallLock.isFree: load sequentiallyConsistent → (deliveries, see ListenersModel)
/// - SmallLock.unlock: store releasing → pauses
/// - SmallLock.unlock: load relaxed → (sleeping: Tests/weak)
/// - SmallLock.wake: exchange relaxed → (sleeping: Tests/weak)
/// - SmallLock.forget: store relaxed → (after a fork)
/// - SmallLock.sleepUntilLocked: load relaxed → (sleeping: Tests/weak)
/// - SmallLock.lockAfterSleep: store sequentiallyConsistent → (sleeping: Tests/weak)
struct PauseOrderModel: Interleaved {
    /// A listener to one shared source that feeds another one.
    struct Way: Hashable {
        var from, to: Int
    }

    enum Act: Hashable {
        /// Pauses a shared source.
        case pause(Int)
        /// A listener joins, and is stored in the hub that it feeds.
        case join(Way)
        /// A listener leaves. The hub still has it.
        case leave(Way)
    }

    /// A change of the protocol that must cause a fault.
    enum Omission {
        /// Also a listener that closes a loop passes pauses.
        case findingLoops
        /// A pause waits for the list of a listener that has left.
        case givingUp
        /// A listener leaves the demand without the lock of its list.
        case leavingUnderLock
    }

    enum Step: Hashable {
        case list, hub
        case listener(Int)
    }

    /// A shared source on the way of a pause. The listener is nil for the first one.
    struct Stop: Hashable {
        var source: Int
        var listener: Int?
        var step = Step.list
    }

    enum Place: InterleavedPlace {
        case idle
        case pauses([Stop])
        case registers(Int)
        case stores(Int)
        case leaves(Int)
    }

    struct Thread: InterleavedThread {
        var todo: [Act]
        var place = Place.idle
    }

    private struct Listener: Hashable {
        var way: Way
        var isKnown = false, passesPauses = false, isStored = false, hasLeft = false
    }

    private let omitted: Omission?
    private(set) var threads: [Thread]
    var fault: String? { nil }
    private var listeners: [Listener]
    private var lists: [Bool], hubs: [Bool]

    /// - Parameter ways: listeners that are there already.
    init(_ plan: [[Act]], sources: Int, ways: [Way], without omitted: Omission? = nil) {
        self.omitted = omitted
        threads = plan.map { Thread(todo: $0) }
        listeners = ways.map { Listener(way: $0, isKnown: true, passesPauses: true, isStored: true) }
        lists = Array(repeating: false, count: sources)
        hubs = lists
    }

    mutating func advance(_ me: Int) -> Bool {
        switch threads[me].place {
        case .idle:
            switch threads[me].todo.removeFirst() {
            case let .pause(source): threads[me].place = .pauses([Stop(source: source)])
            case let .join(way):
                threads[me].place = .registers(listeners.count)
                listeners.append(Listener(way: way))
            case let .leave(way):
                let index = listeners.firstIndex { $0.way == way && !$0.hasLeft }!
                listeners[index].hasLeft = true
                threads[me].place = .leaves(index)
            }
        case let .registers(index):
            let way = listeners[index].way
            if lists[way.from] { return false }
            listeners[index].passesPauses = omitted == .findingLoops || !reaches(way.from, from: way.to)
            listeners[index].isKnown = true
            threads[me].place = .stores(index)
        case let .stores(index):
            if hubs[listeners[index].way.to] { return false }
            listeners[index].isStored = true
            threads[me].place = .idle
        case let .leaves(index):
            if lists[listeners[index].way.from] && omitted != .leavingUnderLock { return false }
            listeners[index].isKnown = false
            threads[me].place = .idle
        case var .pauses(stops):
            if !goOn(&stops) { return false }
            threads[me].place = stops.isEmpty ? .idle : .pauses(stops)
        }
        return true
    }

    private mutating func goOn(_ stops: inout [Stop]) -> Bool {
        let stop = stops.last!, source = stop.source
        switch stop.step {
        case .list:
            let hasLeft = stop.listener.map { listeners[$0].hasLeft } ?? false
            if hasLeft && (omitted != .givingUp || !lists[source]) {
                stops.removeLast()
                return true
            }
            if lists[source] { return false }
            lists[source] = true
            stops[stops.count - 1].step = .hub
        case .hub:
            if hubs[source] { return false }
            hubs[source] = true
            stops[stops.count - 1].step = .listener(0)
        case let .listener(first):
            let next = listeners.indices.first {
                $0 >= first && listeners[$0].isStored && listeners[$0].way.to == source && listeners[$0].passesPauses
            }
            if let next {
                stops[stops.count - 1].step = .listener(next + 1)
                stops.append(Stop(source: listeners[next].way.from, listener: next))
            } else {
                hubs[source] = false
                lists[source] = false
                stops.removeLast()
            }
        }
        return true
    }

    /// Returns whether a source feeds `target`, as far as the demand knows.
    private func reaches(_ target: Int, from source: Int) -> Bool {
        var seen = [source]
        var next = 0
        while next < seen.count {
            for listener in listeners where listener.isKnown && listener.way.from == seen[next] {
                if !seen.contains(listener.way.to) { seen.append(listener.way.to) }
            }
            next += 1
        }
        return seen.contains(target)
    }

    func faultAtEnd() -> String? { (lists + hubs).contains(true) ? "a lock is left" : nil }
}
