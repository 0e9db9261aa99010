import Synchronization

/// Lets events of many threads be handled one at a time, in order of arrival, without making any thread wait.
///
/// Whoever finds the section free enters it and handles its own event there. Whoever finds it taken, be it on another thread or further
/// up its own stack, leaves the event behind and goes away; the one inside handles it before it leaves.
///
///     word:  0            free
///            1            taken
///            node | 1     taken; events wait, the newest first
///
/// One atomic operation to enter, one to leave; nothing is allocated unless an event has to wait.
struct Serial<Event>: ~Copyable {
    /// `nil` asks whoever holds the section to look at its state (it was disposed).
    private final class WaitingEvent: Waiting {
        let event: Event?
        init(_ event: Event?) { self.event = event }
    }

    private let word = Synchronization.Atomic<UInt>(0)
    /// What is collected, the oldest first; only the holder touches it. It outlives a holder that has to step outside.
    private let backlog = Synchronization.Atomic<UInt>(0)
    /// The newest of the backlog, if there is one.
    private let backlogEnd = Synchronization.Atomic<UInt>(0)

    /// Whether the section was free and is now the caller's. With a backlog it is not entered this way, lest the caller overtakes.
    @inline(__always)
    borrowing func enter() -> Bool {
        guard word.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged else { return false }
        if backlog.load(ordering: .relaxed) == 0 { return true }
        stepOutside()
        return false
    }

    /// Whether nobody is inside at this moment, and nothing waits. What the caller has changed by an atomic operation before it asks is seen by
    /// whoever enters later.
    var isFree: Bool { word.load(ordering: .sequentiallyConsistent) == 0 && backlog.load(ordering: .relaxed) == 0 }

    /// After `enter` said no: leaves `event` for the holder of the section. When there is none by now, the caller becomes the holder
    /// (the result is true) and drains what waits, its own event included.
    @inline(never)
    borrowing func wait(_ event: Event?) -> Bool {
        let node = Unmanaged.passRetained(WaitingEvent(event))
        let bits = node.bits | 1
        var seen = word.load(ordering: .relaxed)
        while true {
            node._withUnsafeGuaranteedRef { $0.next = seen & ~1 }
            let (exchanged, original) = word.weakCompareExchange(expected: seen, desired: bits, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { return seen == 0 }
            seen = original
        }
    }

    /// Leaves the section if nothing waits.
    @inline(__always)
    borrowing func leave() -> Bool {
        backlog.load(ordering: .relaxed) == 0 && word.compareExchange(expected: 1, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// Hands the events that wait to `handle` until there are none or it returns false, and leaves the section.
    /// Returns whether everything was handled.
    @inline(__always)
    borrowing func drain(_ handle: (Event?) -> Bool) -> Bool {
        while !leave() {
            if !handle(takeNext()) {
                stepOutside()
                return false
            }
        }
        return true
    }

    /// The usual way: handles `event` and what waits, or leaves it to whoever is inside.
    @inline(__always)
    borrowing func submit(_ event: Event, _ handle: (Event) -> Void) {
        if enter() { handle(event) } else if !wait(event) { return }
        _ = drain { event in
            if let event { handle(event) }
            return true
        }
    }

    /// Leaves the section although events wait: whoever enters next handles them first.
    @inline(never)
    borrowing func stepOutside() {
        while !word.compareExchange(expected: 1, desired: 0, ordering: .acquiringAndReleasing).exchanged { collect() }
    }

    /// After `stepOutside`: enters again if events wait and nobody else is at them. The caller then drains.
    borrowing func resume() -> Bool {
        while word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
            if backlog.load(ordering: .relaxed) != 0 { return true }
            stepOutside()
            // Somebody who found the section taken just now relies on us; with an empty backlog there was nobody.
            if backlog.load(ordering: .relaxed) == 0 { return false }
        }
        return false
    }

    @inline(never)
    private borrowing func takeNext() -> Event? {
        if backlog.load(ordering: .relaxed) == 0 { collect() }
        let first = Unmanaged<WaitingEvent>(bits: backlog.load(ordering: .relaxed))!.takeRetainedValue()
        backlog.store(first.next, ordering: .relaxed)
        return first.event
    }

    /// Moves what waits in the word, newest first, to the end of the backlog, oldest first.
    private borrowing func collect() {
        let newest = word.exchange(1, ordering: .acquiringAndReleasing) & ~1
        let oldest = Waiting.reversed(newest)
        if backlog.load(ordering: .relaxed) == 0 {
            backlog.store(oldest, ordering: .relaxed)
        } else {
            Unmanaged<Waiting>(bits: backlogEnd.load(ordering: .relaxed))!._withUnsafeGuaranteedRef { $0.next = oldest }
        }
        backlogEnd.store(newest, ordering: .relaxed)
    }

    /// Nobody is inside any more: what still waits is let go one by one.
    deinit {
        for start in [word.load(ordering: .relaxed) & ~1, backlog.load(ordering: .relaxed)] {
            var bits = start
            while let node = Unmanaged<Waiting>(bits: bits)?.takeRetainedValue() { bits = node.next }
        }
    }
}
