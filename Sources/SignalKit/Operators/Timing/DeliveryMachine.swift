/// Which events of a run may be delivered, and when: the decisions of `deliverOn`, without threads.
///
/// The events, of which the end is the last, wait in one row; here they are only counted. They have places in the
/// queue, each for the events up to its end. The latest place may be open: an event joins it as long as nothing has
/// been put into the queue behind it (the queue's count is the place's ticket), also while its turn is running.
/// Otherwise the event takes a new place. So events and other work keep one order, and a burst takes one place.
struct DeliveryMachine {
    /// A place in the queue. Its turn delivers the events.
    struct Place {
        let number: Int
        /// True if no event of the subscription was in flight. Then the turn may run immediately if the queue is
        /// current.
        let mayBeInline: Bool
    }

    /// How many events have been taken out of the row, to be delivered or dropped.
    private var taken = 0
    /// The number of events that may be delivered, counted from the first event. Some of them may not have arrived yet.
    private var due = 0
    /// The number of the latest place, and of the latest that has had its turn.
    private var latest = 0
    private var begun = 0
    /// For each place between those two that has an end: the number of events before that end.
    private var ends = Fifo<Int>()
    private var isOpen = false
    private var isDelivering = false
    /// The turn of the open place has been taken at once.
    private var isInline = false
    /// How many events a turn delivers, if no more wait when it begins. The queue may have other work, which it does
    /// not count.
    private let capacity: Int
    /// How many events may wait, but for the end.
    private let limit: Int

    // An event that joins a place looks at these two, and changes nothing. (They are the last, next to the row in
    // `Delivery`.)
    /// An event joins the place only if the queue's count equals this ticket.
    private var ticket = Tickets.none
    /// How many events may wait, with the one that joins.
    private var room = 0

    init(capacity: Int, limit: Int = .max) {
        self.capacity = min(capacity, limit)
        self.limit = limit
    }

    /// Returns whether nothing is in flight, given the number of pending events.
    func isIdle(_ waiting: Int) -> Bool { waiting == 0 && !isDelivering }

    /// Whether a value, behind so many that wait, joins the open place, where the queue's count is this. Then nothing
    /// else need be asked: none is open after the end.
    @inline(__always)
    func joins(behind waiting: Int, at count: UInt) -> Bool { waiting < room && count == ticket }

    /// Adds an event. Returns the place that it takes, or nil if it joins one.
    ///
    /// - Parameter isInside: whether the caller is inside a delivery of this subscription.
    mutating func add(behind waiting: Int, at count: UInt, isInside: () -> Bool) -> Place? {
        // Where more wait than may, they still have one place until its turn begins.
        let hasRoom = waiting < room || begun < latest
        if hasRoom && (count == ticket || isInline && isInside()) { return nil }
        close(behind: waiting)
        latest += 1
        isOpen = true
        room = limit
        return Place(number: latest, mayBeInline: isIdle(waiting))
    }

    /// The same for the last event.
    mutating func end(behind waiting: Int, at count: UInt, isInside: () -> Bool) -> Place? {
        defer { close(behind: waiting + 1) }
        return add(behind: waiting, at: count, isInside: isInside)
    }

    /// Nothing more joins the open place.
    mutating func close(behind waiting: Int) {
        if !isOpen { return }
        if begun == latest { due = taken + waiting } else { ends.append(taken + waiting) }
        isOpen = false
        isInline = false
        ticket = Tickets.none
    }

    /// The place is in the queue.
    ///
    /// - Parameter ticket: nil if other work may already follow it.
    mutating func isPut(_ place: Place, ticket: UInt?) {
        if let ticket, isOpen && place.number == latest { self.ticket = ticket }
    }

    /// The turn of a place begins. The events before the end of the place may now be delivered. Returns false if a
    /// running turn delivers them.
    mutating func begin(_ place: Place, inline: Bool) -> Bool {
        while begun < place.number, let end = ends.popFirst() {
            begun += 1
            due = end
        }
        if begun < place.number {
            begun = place.number
            due = .max
            room = capacity
            isInline = inline
        }
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Returns the number of pending events that may be delivered. If it is 0, the turn ends.
    mutating func due(of waiting: Int) -> Int {
        let count = min(due - taken, waiting)
        if count > 0 { return count }
        if begun == latest { close(behind: waiting) }
        isDelivering = false
        return 0
    }

    /// `count` events were taken out of the row for delivery.
    mutating func take(_ count: Int) {
        taken += count
        if begun == latest { room -= count }
    }

    /// `count` events were taken out of the row without delivery.
    mutating func drop(_ count: Int) { taken += count }
}

#if !hasFeature(Embedded)
// For the tests, which explore it.
extension DeliveryMachine: Hashable {}
extension DeliveryMachine.Place: Hashable {}
#endif
