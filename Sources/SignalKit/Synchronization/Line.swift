import Synchronization

/// A section that one at a time may be in, beside a lock that guards what waits for it (see `Line`).
///
///     word:  0   free
///            1   taken
///            3   taken, and something waits
///
/// To enter and to leave takes one atomic operation each, without the lock. Who has to wait says so under the lock, and what waits is
/// looked for under the lock: so nothing is left behind.
struct Section: ~Copyable {
    private let word = Synchronization.Atomic<UInt32>(0)

    /// Whether the section was free and is now the caller's. In one order with the lock, for those who look at one having taken the other.
    /// (Looks first: an attempt that fails takes the cache line from whoever is inside.)
    @inline(__always)
    borrowing func enter() -> Bool {
        word.load(ordering: .relaxed) == 0 && word.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged
    }

    /// Leaves, unless something waits.
    @inline(__always)
    borrowing func leave() -> Bool { word.compareExchange(expected: 1, desired: 0, ordering: .acquiringAndReleasing).exchanged }

    /// Whether nobody is inside at this moment. What they have done there is seen.
    var isFree: Bool { word.load(ordering: .sequentiallyConsistent) == 0 }

    /// Called with the lock: something waits. Whether nobody was inside, so that the section is now the caller's, who sees to what waits.
    borrowing func noteWaiting() -> Bool { word.load(ordering: .relaxed) != 3 && word.exchange(3, ordering: .sequentiallyConsistent) == 0 }

    /// Called with the lock, by whoever is inside: nothing waits any more.
    borrowing func leaveAtLast() { word.store(0, ordering: .sequentiallyConsistent) }
}

/// What waits for a section, in order: values in a row, for which nothing is allocated one by one, and things to do between them.
struct Line<T>: ~Copyable {
    private struct Action {
        /// How many values come before it.
        let position: Int
        let perform: () -> Void
    }

    private var values = Batch<T>()
    private var actions: [Action] = []

    var isEmpty: Bool { values.count == 0 && actions.isEmpty }

    mutating func append(_ value: T) { values.append(value) }
    mutating func append(_ action: @escaping () -> Void) { actions.append(Action(position: values.count, perform: action)) }

    /// Takes everything out, from the first to the last.
    mutating func forEach(_ handle: (T) -> Void) {
        var handled = 0
        for action in actions {
            while handled < action.position {
                handle(values.takeFirst())
                handled += 1
            }
            action.perform()
        }
        while values.count > 0 { handle(values.takeFirst()) }
        if !actions.isEmpty { actions = [] }
    }
}
