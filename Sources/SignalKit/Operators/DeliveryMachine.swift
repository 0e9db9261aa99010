/// Which events of a run may be delivered, and when: the decisions of `deliverOn`, without threads.
///
/// The events, of which the end is the last, wait in one row; here they are counted. They have places in the queue, each for the events up to
/// its end. The newest place has none yet: an event joins it as long as nothing has been put into the queue behind it (the queue's count is
/// the place's ticket), also while its turn is running. Otherwise the event takes a new place. So events and other work keep one order, and a burst
/// takes one place.
struct DeliveryMachine {
    /// What is put into the queue, where its turn delivers.
    final class Place {
        /// Whether nothing of the run was on its way: so that, where the queue is current, the turn may be taken at once.
        let mayBeInline: Bool
        /// How many events have come before the first that is behind it.
        fileprivate(set) var end = Int.max

        fileprivate init(mayBeInline: Bool) { self.mayBeInline = mayBeInline }
    }

    /// How many events a place takes. The queue has other work, of which it does not tell.
    private let capacity: Int
    /// How many events have come, and how many of them have been taken, to be delivered or dropped.
    private var come = 0
    private var taken = 0
    /// Where the latest event has its place, until the turn is over.
    private var newest: Place?
    /// What the queue's count must be for an event to join it, and how many may.
    private var ticket = Tickets.none
    private var room = 0
    private var isInline = false
    /// Up to where is delivered at this moment.
    private var current: Place?

    init(capacity: Int) { self.capacity = capacity }

    /// Whether nothing is on its way.
    var isIdle: Bool { come == taken && current == nil }

    /// An event has come. Returns the place that it takes, unless it joins one.
    /// - Parameters:
    ///   - count: the queue's.
    ///   - isInside: whether the caller is inside what this run delivers.
    @inline(__always)
    mutating func add(at count: UInt, isInside: () -> Bool) -> Place? {
        if count == ticket && room > 0 {
            come += 1
            room -= 1
            return nil
        }
        return addPlace(isInside)
    }

    @inline(never)
    private mutating func addPlace(_ isInside: () -> Bool) -> Place? {
        defer { come += 1 }
        if isInline && room > 0 && isInside() {
            room -= 1
            return nil
        }
        let place = Place(mayBeInline: isIdle)
        close()
        newest = place
        room = capacity - 1
        return place
    }

    /// Nothing more joins the newest place.
    private mutating func close() {
        newest?.end = come
        newest = nil
        ticket = Tickets.none
        isInline = false
    }

    /// The place is in the queue.
    /// - Parameter ticket: nil when something may stand behind it already.
    mutating func isPut(_ place: Place, ticket: UInt?) {
        if let ticket, place === newest { self.ticket = ticket }
    }

    /// The turn of a place has come: what has come before its end may be delivered. False when that is left to another turn, which is running.
    mutating func begin(_ place: Place, inline: Bool) -> Bool {
        let isAlone = current == nil
        if isAlone || current!.end < place.end { current = place }
        if inline && isAlone && place === newest { isInline = true }
        return isAlone
    }

    /// How many events may be delivered now. With none the turn is over.
    mutating func due() -> Int {
        guard let current else { return 0 }
        let count = min(current.end, come) - taken
        if count > 0 { return count }
        if current === newest { close() }
        self.current = nil
        return 0
    }

    /// So many have been taken out of the row.
    mutating func take(_ count: Int) { taken += count }

    /// The turn has taken long: what comes from now on takes a new place.
    mutating func share() {
        if current === newest { close() }
    }
}
