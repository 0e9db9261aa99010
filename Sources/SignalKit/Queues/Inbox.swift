import Synchronization

/// Where any number of threads leave jobs for one that takes them out, in order.
///
///     word:  0         nobody is at it, and nothing waits
///            1         somebody is at it, or has been told to come
///            job | 1   the same, and jobs wait, the newest first
///
/// One atomic operation to put, whoever is at it; one to take all that waits.
struct Inbox: ~Copyable {
    private static var taken: UInt { 1 }

    private let word = Synchronization.Atomic<UInt>(0)

    /// Whether nobody was at it: then the caller is, and sees to it that somebody comes.
    @inline(__always)
    borrowing func put(_ job: consuming Job) -> Bool {
        let node = Unmanaged.passRetained(consume job)
        let bits = UInt(bitPattern: node.toOpaque()) | Inbox.taken
        var seen = word.load(ordering: .relaxed)
        while true {
            node._withUnsafeGuaranteedRef { $0.next = seen & ~Inbox.taken }
            // In one order with what its other side looks at before it goes to sleep.
            let (exchanged, original) = word.weakCompareExchange(expected: seen, desired: bits, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
            if exchanged { return seen == 0 }
            seen = original
        }
    }

    /// Whether nobody was at it, and nothing waits: now the caller is at it.
    borrowing func enter() -> Bool { word.compareExchange(expected: 0, desired: Inbox.taken, ordering: .sequentiallyConsistent).exchanged }

    var isIdle: Bool { word.load(ordering: .sequentiallyConsistent) == 0 }

    /// Whether jobs wait.
    var hasJobs: Bool { word.load(ordering: .sequentiallyConsistent) > Inbox.taken }

    // MARK: Who is at it

    @inline(__always)
    borrowing func collect(into list: inout JobList) {
        list.append(newestFirst: word.exchange(Inbox.taken, ordering: .acquiringAndReleasing) & ~Inbox.taken)
    }

    /// Goes away, unless jobs wait.
    borrowing func leave() -> Bool { word.compareExchange(expected: Inbox.taken, desired: 0, ordering: .sequentiallyConsistent).exchanged }

    /// Forgets what waits, and who is at it: in the child of a fork.
    borrowing func forget() { word.store(0, ordering: .relaxed) }
}
