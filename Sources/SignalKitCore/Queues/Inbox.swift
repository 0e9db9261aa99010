import Synchronization

/// A queue of jobs from any number of threads for one consumer, in order.
///
///     word:  0         no consumer, and no jobs
///            1         a consumer is running, or was called
///            job | 1   the same, with pending jobs: a list, the newest first
///
/// Putting a job takes one atomic operation, and so does taking all pending jobs.
struct Inbox: ~Copyable {
    private static var taken: UInt { 1 }

    private let word = Synchronization.Atomic<UInt>(0)

    /// Returns true if there was no consumer. Then the caller must call one.
    @inline(__always)
    borrowing func put(_ job: consuming Job) -> Bool {
        let node = Unmanaged.passRetained(consume job)
        let bits = UInt(bitPattern: node.toOpaque()) | Inbox.taken
        var seen = word.load(ordering: .relaxed)
        while true {
            node._withUnsafeGuaranteedRef { $0.next = seen & ~Inbox.taken }
            // Sequentially consistent with the check of a consumer before it sleeps.
            let (exchanged, original) = word.weakCompareExchange(
                expected: seen, desired: bits, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
            if exchanged { return seen == 0 }
            seen = original
        }
    }

    /// Makes the caller the consumer, if there is none and no jobs wait.
    borrowing func enter() -> Bool {
        word.compareExchange(expected: 0, desired: Inbox.taken, ordering: .sequentiallyConsistent).exchanged
    }

    var isIdle: Bool { word.load(ordering: .sequentiallyConsistent) == 0 }

    /// True if jobs are pending.
    var hasJobs: Bool { word.load(ordering: .sequentiallyConsistent) > Inbox.taken }

    // MARK: The consumer

    /// Takes all pending jobs. If the consumer leaves here, the next job calls one.
    @inline(__always)
    borrowing func collect(into list: inout JobList, andLeaves leaves: Bool = false) {
        let rest = leaves ? 0 : Inbox.taken
        list.append(newestFirst: word.exchange(rest, ordering: .acquiringAndReleasing) & ~Inbox.taken)
    }

    /// Stops being the consumer, unless jobs wait.
    borrowing func leave() -> Bool {
        word.compareExchange(expected: Inbox.taken, desired: 0, ordering: .sequentiallyConsistent).exchanged
    }

    /// Called in the child of a fork. Drops the jobs and the consumer.
    borrowing func forget() { word.store(0, ordering: .relaxed) }
}
