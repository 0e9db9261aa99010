import Synchronization

/// Who has joined is told first what stood there then: that is to catch up, on one thread. What comes meanwhile, from any thread, waits for it.
///
///     word:  0       catching up
///            node    events wait, the newest first
///            1       caught up, for good
struct CatchUp: ~Copyable {
    private final class WaitingEvent: Waiting {
        let event: () -> Void
        init(_ event: @escaping () -> Void) { self.event = event }
    }

    private static var done: UInt { 1 }

    private let word = Synchronization.Atomic<UInt>(0)

    @inline(__always)
    var isDone: Bool { word.load(ordering: .acquiring) == CatchUp.done }

    /// Leaves an event to whoever catches up. False, and nothing has happened, when that is done.
    @inline(never)
    borrowing func wait(_ event: @escaping () -> Void) -> Bool {
        let node = Unmanaged.passRetained(WaitingEvent(event))
        var seen = word.load(ordering: .acquiring)
        while seen != CatchUp.done {
            node._withUnsafeGuaranteedRef { $0.next = seen }
            let (exchanged, original) = word.weakCompareExchange(
                expected: seen, desired: node.bits, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
            if exchanged { return true }
            seen = original
        }
        node.release()
        return false
    }

    /// Handles what waits, in the order of its arrival, until nothing is left. Called once, by whoever catches up.
    borrowing func finish() {
        while !word.compareExchange(expected: 0, desired: CatchUp.done, ordering: .acquiringAndReleasing).exchanged {
            var bits = Waiting.reversed(word.exchange(0, ordering: .acquiringAndReleasing))
            while let node = Unmanaged<WaitingEvent>(bits: bits)?.takeRetainedValue() {
                bits = node.next
                node.event()
            }
        }
    }
}
