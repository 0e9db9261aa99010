import Synchronization

/// Where any number of threads put jobs for one consumer, which takes them out in order.
///
///     word:  0         no consumer, and no jobs
///            1         a consumer is at work, or was told to come
///            job | 1   the same, and jobs wait: a list, the newest first
///
/// One atomic operation to put a job; one to take out all that wait.
struct Inbox: ~Copyable {
    private static var taken: UInt { 1 }

    private let word = Synchronization.Atomic<UInt>(0)

    /// True when there was no consumer: then the caller has to see to it that one comes.
    @inline(__always)
    borrowing func put(_ job: consuming Job) -> Bool {
        let node = Unmanaged.passRetained(consume job)
        let bits = UInt(bitPattern: node.toOpaque()) | Inbox.taken
        var seen = word.load(ordering: .relaxed)
        while true {
            node._withUnsafeGuaranteedRef { $0.next = seen & ~Inbox.taken }
            // Sequentially consistent with what a consumer looks at before it goes to sleep.
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

    /// Whether jobs wait.
    var hasJobs: Bool { word.load(ordering: .sequentiallyConsistent) > Inbox.taken }

    // MARK: The consumer

    @inline(__always)
    borrowing func collect(into list: inout JobList) {
        list.append(newestFirst: word.exchange(Inbox.taken, ordering: .acquiringAndReleasing) & ~Inbox.taken)
    }

    /// Stops being the consumer, unless jobs wait.
    borrowing func leave() -> Bool {
        word.compareExchange(expected: Inbox.taken, desired: 0, ordering: .sequentiallyConsistent).exchanged
    }

    /// Forgets the jobs and the consumer: in the child of a fork.
    borrowing func forget() { word.store(0, ordering: .relaxed) }
}
