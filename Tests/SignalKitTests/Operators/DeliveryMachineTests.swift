import Testing
@testable import SignalKitCore

/// The decisions of `deliverOn`, without threads.
@Suite struct DeliveryMachineTests {
    private var machine = DeliveryMachine(capacity: 4)
    private var waiting = 0
    private var count: UInt = 0

    /// Puts an event; a new place is put into the queue and counted.
    private mutating func put(inside: Bool = false, behind others: UInt = 0) -> DeliveryMachine.Place? {
        count += others
        let place = machine.add(behind: waiting, at: count) { inside }
        waiting += 1
        return place
    }

    private mutating func isPut(_ place: DeliveryMachine.Place?) {
        count += 1
        if let place { machine.isPut(place, ticket: count) }
    }

    private mutating func take() -> Int {
        let due = machine.due(of: waiting)
        machine.take(due)
        waiting -= due
        return due
    }

    // Covers: SW-226, C-168
    @Test mutating func aBurstTakesOnePlace() {
        let place = put()
        #expect(place?.mayBeInline == true)
        isPut(place)
        let next = [put(), put()]
        #expect(next.allSatisfy { $0 == nil })
        let isAlone = machine.begin(place!, inline: false)
        #expect(isAlone && take() == 3)
        // Also while its turn is running.
        #expect(put() == nil && take() == 1)
        #expect(take() == 0 && machine.isIdle(waiting))
        // When it is over the next one takes a place.
        #expect(put()?.mayBeInline == true)
    }

    // Covers: SW-226, C-168
    @Test mutating func whatComesBehindOtherWorkTakesANewPlace() {
        let first = put()
        isPut(first)
        let second = put(behind: 1)
        #expect(second?.mayBeInline == false)
        isPut(second)
        #expect(put() == nil)
        let begins = machine.begin(first!, inline: false)
        #expect(begins && take() == 1 && take() == 0 && !machine.isIdle(waiting))
        let beginsAgain = machine.begin(second!, inline: false)
        #expect(beginsAgain && take() == 2 && take() == 0 && machine.isIdle(waiting))
    }

    /// No event joins a batch until its position in the queue is known, or if other work may follow it by now.
    /// Covers: SW-226, C-168, C-182
    @Test mutating func aPlaceWithoutATicketTakesOne() {
        let first = put()
        let second = put()
        #expect(second != nil)
        isPut(first)
        machine.isPut(second!, ticket: nil)
        let third = put()
        #expect(third != nil)
        // They may enter the queue in another order: earlier events are delivered with later ones.
        let begins = machine.begin(second!, inline: false)
        #expect(begins && take() == 2 && take() == 0)
        let beginsLate = machine.begin(first!, inline: false)
        #expect(beginsLate && take() == 0)
        let beginsLast = machine.begin(third!, inline: false)
        #expect(beginsLast && take() == 1 && take() == 0 && machine.isIdle(waiting))
    }

    // Covers: SW-226, C-168
    @Test mutating func aTurnIsOverAtSomeTime() {
        let place = put()
        isPut(place)
        let more = [put(), put()]
        #expect(more.allSatisfy { $0 == nil })
        let begins = machine.begin(place!, inline: false)
        #expect(begins && take() == 3)
        #expect(put() == nil && take() == 1)
        let next = put()
        #expect(next != nil && take() == 0)
        isPut(next)
        // All pending events are delivered at its start, independent of their number.
        let many = [put(), put(), put(), put(), put()]
        #expect(many.allSatisfy { $0 == nil })
        let beginsNext = machine.begin(next!, inline: false)
        #expect(beginsNext && put() != nil && take() == 6 && take() == 0)
    }

    /// A batch that starts immediately takes events from inside, and no others.
    /// Covers: SW-226, B-39, C-168
    @Test mutating func aPlaceThatIsTakenAtOnce() {
        let place = put()
        let begins = machine.begin(place!, inline: true)
        #expect(begins && take() == 1)
        #expect(put(inside: true) == nil)
        let other = put()
        #expect(other?.mayBeInline == false)
        // Events from inside are now pending after it.
        #expect(put(inside: true) != nil)
        #expect(take() == 1 && take() == 0)
        isPut(other)
        let beginsNext = machine.begin(other!, inline: false)
        #expect(beginsNext && take() == 1 && take() == 0 && !machine.isIdle(waiting))
    }

    /// A loop inside a callback, or another thread of a concurrent queue, reaches a batch during a turn: the turn
    /// continues.
    /// Covers: B-40, SW-226
    @Test mutating func oneTurnAtATime() {
        let first = put()
        isPut(first)
        let second = put(behind: 1)
        let begins = machine.begin(first!, inline: false)
        #expect(begins && take() == 1)
        let beginsInside = machine.begin(second!, inline: false)
        #expect(!beginsInside)
        #expect(take() == 1 && take() == 0 && machine.isIdle(waiting))
    }

    /// The terminal event joins a batch, as values do. Work after it takes a new position, so that it is seen.
    /// Covers: SW-226, C-168
    @Test mutating func nothingJoinsAfterTheEnd() {
        let first = put()
        isPut(first)
        let end = machine.end(behind: waiting, at: count) { false }
        waiting += 1
        #expect(end == nil && !machine.joins(behind: waiting, at: count))
        let begins = machine.begin(first!, inline: false)
        #expect(begins && take() == 2 && !machine.joins(behind: waiting, at: count))
        #expect(take() == 0 && machine.isIdle(waiting))
    }

    // Covers: SW-226, C-168
    @Test mutating func anEndThatTakesAPlace() {
        let end = machine.end(behind: 0, at: count) { false }
        waiting += 1
        isPut(end)
        #expect(end != nil && !machine.joins(behind: waiting, at: count))
        let begins = machine.begin(end!, inline: false)
        #expect(begins && take() == 1 && take() == 0)
    }

    /// The number of events in a batch is limited. Dropping frees space: all dropped events have one position.
    /// Covers: SW-226
    @Test mutating func noMoreWaitThanMay() {
        machine = DeliveryMachine(capacity: 4, limit: 2)
        let first = put()
        isPut(first)
        let second = put()
        #expect(second == nil && !machine.joins(behind: waiting, at: count))
        for _ in 0..<10 {
            machine.drop(1)
            waiting -= 1
            let joins = put() == nil
            #expect(joins)
        }
        // An event that is added nevertheless has that position, too, until its turn begins.
        let third = put()
        let begins = machine.begin(first!, inline: false)
        let fourth = put()
        #expect(third == nil && begins && fourth != nil && take() == 3)
    }

    /// A dropped event counts as taken.
    /// Covers: SW-226
    @Test mutating func whatIsDroppedIsNotDue() {
        let first = put()
        isPut(first)
        _ = [put(), put()]
        machine.drop(2)
        waiting -= 2
        let begins = machine.begin(first!, inline: false)
        #expect(begins && take() == 1 && take() == 0)
    }

    /// The first of two is dropped: there is nothing left for its place, and the second stays where it is.
    // Covers: SW-226
    @Test mutating func whatIsDroppedIsNotMadeUpFor() {
        let first = put()
        isPut(first)
        let second = put(behind: 1)
        isPut(second)
        machine.drop(1)
        waiting -= 1
        let begins = machine.begin(first!, inline: false)
        #expect(begins && take() == 0)
        let beginsNext = machine.begin(second!, inline: false)
        #expect(beginsNext && take() == 1)
    }

    /// A turn delivers no more than it may; what other places have had delivered before it begins does not count.
    // Covers: SW-226, C-168
    @Test mutating func whatIsDeliveredBeforeTakesNoRoom() {
        machine = DeliveryMachine(capacity: 4, limit: 4)
        let first = put()
        isPut(first)
        let joins = put() == nil
        let second = put(behind: 1)
        isPut(second)
        let begins = machine.begin(first!, inline: false)
        #expect(joins && begins && take() == 2)
        #expect(machine.joins(behind: 3, at: count) && !machine.joins(behind: 4, at: count))
    }
}
