import SignalKitShims
import Synchronization

/// How much work the queues have been given that has not come to its end, and been let go, yet: who wants to see whether everything is gone
/// knows by that when to look. A timer counts while it fires, not while it waits for its time.
///
/// Both numbers only grow, in several places, so that threads seldom meet.
enum WorkInFlight {
    private struct Place: ~Copyable {
        let begun = Synchronization.Atomic<Int>(0)
        let ended = Synchronization.Atomic<Int>(0)
        /// Each in a cache line of its own.
        private let gap: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)
    }

    private static var count: Int { 8 }
    nonisolated(unsafe) private static let places: UnsafeMutablePointer<Place> = {
        let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
        for index in 0..<count { (places + index).initialize(to: Place()) }
        return places
    }()

    @inline(__always)
    private static var mine: UnsafeMutablePointer<Place> {
        places + Int(truncatingIfNeeded: (UInt64(sgk_shim_thread_id()) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }

    /// What has ended is looked at first: if as much has begun by then, there was a moment in between when everything had ended.
    static var isNone: Bool {
        var left = 0
        for index in 0..<count { left -= places[index].ended.load(ordering: .acquiring) }
        for index in 0..<count { left += places[index].begun.load(ordering: .acquiring) }
        return left <= 0
    }

    @inline(__always)
    static func begin() { mine.pointee.begun.add(1, ordering: .relaxed) }

    /// Called when the work has been let go.
    @inline(__always)
    static func end() { mine.pointee.ended.add(1, ordering: .releasing) }

    /// In the child of a fork: what had begun is the parent's.
    static func startAgain() {
        for index in 0..<count {
            places[index].begun.store(0, ordering: .relaxed)
            places[index].ended.store(0, ordering: .relaxed)
        }
    }
}
