import Synchronization

/// Counts objects that are alive. A test makes tracked objects, lets closures and values hold them, and ends with `live == 0`.
final class LifetimeTracker: Sendable {
    private let count = Synchronization.Atomic<Int>(0)

    /// The tracked objects that have not been deallocated yet.
    var live: Int { count.load(ordering: .acquiring) }

    /// A new tracked object. `onDeinit` runs when it is deallocated, before it stops counting.
    func make(_ id: Int = 0, onDeinit: (@Sendable () -> Void)? = nil) -> Tracked { Tracked(self, id, onDeinit) }

    final class Tracked: Equatable, Sendable {
        let id: Int
        private let tracker: LifetimeTracker
        private let onDeinit: (@Sendable () -> Void)?

        fileprivate init(_ tracker: LifetimeTracker, _ id: Int, _ onDeinit: (@Sendable () -> Void)?) {
            self.tracker = tracker
            self.id = id
            self.onDeinit = onDeinit
            tracker.count.add(1, ordering: .relaxed)
        }

        deinit {
            onDeinit?()
            tracker.count.subtract(1, ordering: .acquiringAndReleasing)
        }

        /// To be named inside a closure, so that it captures the object.
        func touch() {}

        static func == (a: Tracked, b: Tracked) -> Bool { a.id == b.id }
    }
}
