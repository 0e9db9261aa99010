import SignalKitShims
import Synchronization

/// A critical section that no thread waits for. It handles the events of many threads one at a time, in order of
/// arrival.
///
/// If the section is free, a thread enters it and handles its event there. Otherwise the event is enqueued, and the
/// call returns. The holder, which may be a call further up the same stack, handles the event before it leaves or steps
/// outside.
///
///     word:  0            free
///            1            taken
///            node | 1     taken, with pending events: a list, the newest first
///            node         free, with pending events for the next holder: a ring, by its newest
///
/// Entering and leaving take one atomic operation each. Memory is allocated only for a pending event.
struct Serial<Event>: ~Copyable {
    /// A pending event. `nil` makes the holder of the section check its state after a disposal. `next` is an owned
    /// reference, stored as bits, because the thread that enqueues must not change the reference count of a node that
    /// the holder may be freeing.
    fileprivate final class Waiting {
        var next: UInt = 0 // first: what moves it is the same code for all events
        let event: Event?
        init(_ event: Event?) { self.event = event }
    }

    /// The events that the holder has collected: a ring, in which the oldest follows the newest.
    private struct Backlog {
        var newest: UInt = 0
        /// The number of events that the holder handles before it offers the rest to others.
        var left = 1024

        var isEmpty: Bool { newest == 0 }

        mutating func takeFirst() -> Event? {
            let last = Serial.borrowed(newest)
            let first = Serial.owned(last.next)
            if first === last { newest = 0 } else { last.next = first.next }
            return first.event
        }

        /// Adds the pending events of the word, the newest first. The list may end in a ring: the events of a holder
        /// that stepped outside.
        mutating func append(_ waiting: UInt) {
            var bits = waiting
            var ordered: UInt = 0
            while bits != 0 && bits & Serial.ring == 0 {
                let node = Serial.borrowed(bits)
                let older = node.next
                node.next = ordered
                ordered = bits
                bits = older
            }
            if bits != 0 { newest = bits & ~Serial.ring }
            let last = Serial.borrowed(waiting)
            if isEmpty {
                last.next = ordered
            } else {
                let end = Serial.borrowed(newest)
                last.next = end.next
                end.next = ordered
            }
            newest = waiting
        }
    }

    private static var taken: UInt { 1 }
    /// A mark after the last pending event of the word: a ring follows.
    private static var ring: UInt { 2 }

    private let word = Synchronization.Atomic<UInt>(0)

    /// Enters if the section is free and no event is pending, because the caller must not overtake pending events.
    @inline(__always)
    borrowing func enter() -> Bool {
        word.compareExchange(expected: 0, desired: Serial.taken, ordering: .sequentiallyConsistent).exchanged
    }

    /// Call this after `enter` has returned false. Enqueues `event` for the holder of the section. Returns true if the
    /// section is free by now. Then the caller has entered, and must call `drain`, which also handles its event.
    @inline(never)
    borrowing func enqueue(_ event: Event?) -> Bool {
        let node = Unmanaged.passRetained(Waiting(event))
        let bits = UInt(bitPattern: node.toOpaque()) | Serial.taken
        var seen = word.load(ordering: .relaxed)
        while true {
            let isFree = seen & Serial.taken == 0
            node._withUnsafeGuaranteedRef { $0.next = isFree && seen != 0 ? seen | Serial.ring : seen & ~Serial.taken }
            let (exchanged, original) = word.weakCompareExchange(
                expected: seen, desired: bits, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { return isFree }
            seen = original
        }
    }

    /// Leaves the section, unless events are pending.
    @inline(__always)
    borrowing func leave() -> Bool {
        word.compareExchange(expected: Serial.taken, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// Handles the pending events, until there are none left or `handle` returns false, and leaves the section. After
    /// many events the holder offers the rest to other threads. Otherwise a thread with a single event could handle
    /// theirs without end. Returns false if `handle` did so.
    @inline(__always) @discardableResult
    borrowing func drain(_ handle: (Event?) -> Bool) -> Bool {
        var backlog = Backlog()
        while hasNext(&backlog) {
            if handle(backlog.takeFirst()) { continue }
            stepOutside(leaving: backlog)
            return false
        }
        return true
    }

    /// Returns true if there is an event to handle. Otherwise it has left the section.
    @inline(never)
    private borrowing func hasNext(_ backlog: inout Backlog) -> Bool {
        if backlog.isEmpty && leave() { return false }
        if backlog.left == 0 {
            stepOutside(leaving: backlog)
            backlog = Backlog()
            sgk_shim_yield()
            if !enqueue(nil) { return false } // somebody has come
        }
        backlog.left -= 1
        if backlog.isEmpty { collect(&backlog) }
        return true
    }

    /// The usual use: handles `event` and the pending events, or enqueues it for the holder of the section.
    @inline(__always)
    borrowing func submit(_ event: Event, _ handle: (Event) -> Void) {
        if enter() { handle(event) } else if !enqueue(event) { return }
        drain { event in
            if let event { handle(event) }
            return true
        }
    }

    /// Leaves the section although events may be pending. The next holder handles them first.
    borrowing func stepOutside() { stepOutside(leaving: Backlog()) }

    @inline(never)
    private borrowing func stepOutside(leaving backlog: consuming Backlog) {
        while !word.compareExchange(
            expected: Serial.taken, desired: backlog.newest, ordering: .acquiringAndReleasing
        ).exchanged { collect(&backlog) }
    }

    @inline(never)
    private borrowing func collect(_ backlog: inout Backlog) {
        backlog.append(word.exchange(Serial.taken, ordering: .acquiringAndReleasing) & ~Serial.taken)
    }

    private static func borrowed(_ bits: UInt) -> Waiting { reference(bits).takeUnretainedValue() }
    private static func owned(_ bits: UInt) -> Waiting { reference(bits).moved() }
    private static func reference(_ bits: UInt) -> Unmanaged<Waiting> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits)!)
    }

    /// Releases the pending events one by one, so a list of any length needs no stack.
    deinit {
        let bits = word.load(ordering: .relaxed)
        var backlog = Backlog()
        if bits & Serial.taken == 0 {
            backlog.newest = bits
        } else if bits != Serial.taken {
            backlog.append(bits & ~Serial.taken)
        }
        while !backlog.isEmpty { _ = backlog.takeFirst() }
    }
}
