import Synchronization

/// How much work the queues have been given that has not come to its end, and been let go, yet: who wants to see whether everything is gone
/// knows by that when to look. A timer counts while it fires, not while it waits for its time.
enum WorkInFlight {
    private static let count = Synchronization.Atomic<Int>(0)

    static var isNone: Bool { count.load(ordering: .acquiring) == 0 }

    @inline(__always)
    static func begin() { count.add(1, ordering: .relaxed) }

    /// Called when the work has been let go.
    @inline(__always)
    static func end() { count.subtract(1, ordering: .releasing) }
}
