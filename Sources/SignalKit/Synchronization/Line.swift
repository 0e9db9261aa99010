import SignalKitShims
import Synchronization

/// A section that one at a time may be in, beside a lock that guards what waits for it (see `Line`).
///
///     word:  0            free
///            thread       taken
///            thread | 1   taken, and something waits
///            thread | 2   left without return: for good (or 3)
///            1            offered: nobody is inside, and what waits is for whoever comes next
///
/// To enter and to leave takes one atomic operation each, without the lock. Who has to wait says so under the lock, and what waits is
/// looked for under the lock: so nothing is left behind.
///
/// Who is inside can be gone, by a `longjmp` out of a callback, or with its thread. Who finds the section taken may look whether that is so: the word
/// says which thread it is, and beside it stands where on the stack.
struct Section: ~Copyable {
    private static var waits: UInt { 1 }
    private static var left: UInt { 2 }

    private let word = Synchronization.Atomic<UInt>(0)
    /// The frame of the call that has entered, or one below that.
    private let frame = Synchronization.Atomic<UInt>(0)

    private static var me: UInt {
        @inline(__always) get { sgk_shim_thread_pointer() }
    }

    /// Whether the section was free and is now the caller's. In one order with the lock, for those who look at one having taken the other.
    /// (Looks first: an attempt that fails takes the cache line from whoever is inside.)
    @inline(__always)
    borrowing func enter(at frame: UInt) -> Bool {
        guard word.load(ordering: .relaxed) == 0 && word.compareExchange(expected: 0, desired: Section.me, ordering: .sequentiallyConsistent).exchanged
        else { return false }
        self.frame.store(frame, ordering: .relaxed)
        return true
    }

    /// Leaves, unless something waits.
    @inline(__always)
    borrowing func leave() -> Bool { word.compareExchange(expected: Section.me, desired: 0, ordering: .acquiringAndReleasing).exchanged }

    /// Whether nobody is inside at this moment, be it that it was left for good. What they have done there is seen.
    var isFree: Bool {
        let now = word.load(ordering: .sequentiallyConsistent)
        return now == 0 || now & Section.left != 0
    }

    /// Called with the lock: something waits. Whether nobody was inside, so that the section is now the caller's, who sees to what waits.
    borrowing func noteWaiting() -> Bool {
        if takeOver() { return true }
        if word.load(ordering: .relaxed) & Section.waits != 0 || word.bitwiseOr(Section.waits, ordering: .sequentiallyConsistent).oldValue != 0 { return false }
        word.store(Section.me | Section.waits, ordering: .relaxed)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by whoever is inside: leaves it with what waits.
    borrowing func offer() { word.store(Section.waits, ordering: .sequentiallyConsistent) }

    /// Called with the lock: whether the section was offered, and is now the caller's. (Without the lock nobody takes it.)
    borrowing func takeOver() -> Bool {
        if word.load(ordering: .acquiring) != Section.waits { return false }
        word.store(Section.me | Section.waits, ordering: .sequentiallyConsistent)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by whoever is inside: nothing waits any more.
    borrowing func leaveAtLast() { word.store(0, ordering: .sequentiallyConsistent) }

    /// Whether that has been found out before.
    var isKnownLeft: Bool { word.load(ordering: .relaxed) & Section.left != 0 }

    /// Looks whether whoever is inside is gone. Called without the lock, by somebody whose event waits now.
    ///
    /// - Parameter here: the caller's frame. A call from inside the one that holds the section has a frame further down.
    @inline(never)
    borrowing func isLeft(at here: UInt) -> Bool {
        let seen = word.load(ordering: .acquiring)
        if seen & ~Section.waits == 0 { return false }
        if seen & Section.left != 0 { return true }
        let thread = seen & ~Section.waits
        if thread == Section.me {
            if !sgk_shim_frame_is_gone(frame.load(ordering: .relaxed), here) { return false }
            _ = word.bitwiseOr(Section.left, ordering: .relaxed)
            return true
        }
        guard sgk_shim_may_look_at_threads(), sgk_shim_thread_has_ended(thread), mark(seen) else { return false }
        // A new thread may have come to stand at the same place, after the look and before the mark.
        if sgk_shim_thread_has_ended(thread) { return isKnownLeft }
        _ = word.compareExchange(expected: seen | Section.left, desired: seen, ordering: .relaxed)
        return false
    }

    private borrowing func mark(_ seen: UInt) -> Bool {
        word.compareExchange(expected: seen, desired: seen | Section.left, ordering: .acquiringAndReleasing).exchanged
    }
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

    var isEmpty: Bool { count == 0 }
    var count: Int { values.count + actions.count }

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
