/// Decides which events of a subscription may be delivered, and when, for `deliverOn`, without threads.
///
/// The pending events are in one row, and the terminal event is the last. This machine only counts them. A place in the
/// queue covers the events up to its end. The latest place may be open, also while its turn is running. An event joins
/// an open place if no other work follows that place. The queue's count is then the ticket of the place. Otherwise the
/// event takes a new place. So events and other work keep one order, and a burst takes one place.
struct DeliveryMachine {
    /// A place in the queue. Its turn delivers the events.
    struct Place {
        let number: Int
        /// True if no event of the subscription was in flight. Then the turn may run immediately if the queue is
        /// current.
        let mayBeInline: Bool
    }

    /// The number of events that were taken out of the row, for delivery or dropped.
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
    /// The turn of the open place was run immediately.
    private var isInline = false
    /// The number of events that a turn delivers, unless more are pending at its beginning. The machine does not count
    /// other work of the queue.
    private var capacity: Int
    /// The maximum number of pending events, without the terminal event.
    private var limit: Int

    // An event that joins a place reads these two fields and changes no field. (They are at the end, next to the row in
    // `Delivery`.)
    /// An event joins the place only if the queue's count equals this ticket.
    private var ticket = Tickets.none
    /// The maximum number of pending events, including the one that joins.
    private var room = 0

    init(capacity: Int, limit: Int = .max) {
        self.capacity = min(capacity, limit)
        self.limit = limit
    }

    /// Sets a smaller limit.
    mutating func bound(_ limit: Int) {
        self.limit = limit
        capacity = min(capacity, limit)
        room = min(room, limit)
    }

    /// Returns whether a further value must not be added without a decision.
    func isFull(_ waiting: Int) -> Bool { waiting >= limit }

    /// Returns whether nothing is in flight, given the number of pending events.
    func isIdle(_ waiting: Int) -> Bool { waiting == 0 && !isDelivering }

    /// Returns whether a value joins the open place, given the number of pending events and the queue's count. Then no
    /// other check is necessary, because no place is open after the end.
    @inline(__always)
    func joins(behind waiting: Int, at count: UInt) -> Bool { waiting < room && count == ticket }

    /// Adds an event. Returns the place that it takes, or nil if it joins one.
    ///
    /// - Parameter isInside: whether the caller is inside a delivery of this subscription.
    mutating func add(behind waiting: Int, at count: UInt, isInside: () -> Bool) -> Place? {
        // Events above the limit also share one place until its turn begins.
        let hasRoom = waiting < room || begun < latest
        if hasRoom && (count == ticket || isInline && isInside()) { return nil }
        close(behind: waiting)
        latest += 1
        isOpen = true
        room = limit
        return Place(number: latest, mayBeInline: isIdle(waiting))
    }

    /// Like `add`, for the terminal event.
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

    /// `count` events were put back at the beginning of the row.
    mutating func putBack(_ count: Int) { taken -= count }

    /// `count` events were taken out of the row without delivery.
    mutating func drop(_ count: Int) { taken += count }
}

#if !hasFeature(Embedded)
// For the tests, which explore it.
extension DeliveryMachine: Hashable {}
extension DeliveryMachine.Place: Hashable {}
#endif
