import SignalKitShims
import Synchronization

/// A critical section for one thread at a time, beside a lock that guards the events that wait for it (`EventQueue`).
///
///     word:  0            free
///            thread       taken
///            thread | 1   taken, and events wait
///            thread | 2   the thread has left without return: taken for good (or 3)
///            1            offered: no thread is inside, and the next caller with an event handles those that wait
///
/// To enter and to leave takes one atomic operation each, without the lock. An event is put into the queue, and the
/// queue is looked at, only under the lock: so no event is left behind.
///
/// A thread can leave the section without return: by a `longjmp` out of a callback, or by its end. A caller that finds
/// the section taken can check this: the word tells the thread, and beside it is the place on that thread's stack.
struct Section: ~Copyable {
    private static var waits: UInt { 1 }
    private static var left: UInt { 2 }

    private let word = Synchronization.Atomic<UInt>(0)
    /// The frame of the call that has entered, or one below that.
    private let frame = Synchronization.Atomic<UInt>(0)

    private static var me: UInt {
        @inline(__always) get { sgk_shim_thread_pointer() }
    }

    /// Enters if the section is free. Sequentially consistent with the lock: of two threads that each take one of them
    /// and then look at the other, at least one sees the other.
    @inline(__always)
    borrowing func enter(at frame: UInt) -> Bool {
        // An attempt that fails would take the cache line from the thread inside; a look does not.
        guard
            word.load(ordering: .relaxed) == 0
                && word.compareExchange(expected: 0, desired: Section.me, ordering: .sequentiallyConsistent).exchanged
        else { return false }
        self.frame.store(frame, ordering: .relaxed)
        return true
    }

    /// Leaves, unless events wait.
    @inline(__always)
    borrowing func leave() -> Bool {
        word.compareExchange(expected: Section.me, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether no thread is inside at this moment, which includes one that has left without return. What was written
    /// inside before is seen.
    var isFree: Bool {
        let now = word.load(ordering: .sequentiallyConsistent)
        return now == 0 || now & Section.left != 0
    }

    /// Called with the lock, when an event has been put into the queue. True when the section was free: then the caller
    /// has entered it, and has to handle the events.
    borrowing func noteWaiting() -> Bool {
        if takeOver() { return true }
        if word.load(ordering: .relaxed) & Section.waits != 0 { return false }
        if word.bitwiseOr(Section.waits, ordering: .sequentiallyConsistent).oldValue != 0 { return false }
        word.store(Section.me | Section.waits, ordering: .relaxed)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by the thread inside: leaves the section while events wait.
    borrowing func offer() { word.store(Section.waits, ordering: .sequentiallyConsistent) }

    /// Called with the lock: enters if the section is offered.
    borrowing func takeOver() -> Bool {
        if word.load(ordering: .acquiring) != Section.waits { return false }
        word.store(Section.me | Section.waits, ordering: .sequentiallyConsistent)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by the thread inside, when the queue is empty.
    borrowing func leaveEmpty() { word.store(0, ordering: .sequentiallyConsistent) }

    /// Whether `isLeft` has found out before that the section was left without return.
    var isKnownLeft: Bool { word.load(ordering: .relaxed) & Section.left != 0 }

    /// Whether it is to be found out by `isLeft` that the section was left without return: seldom. Called with the
    /// lock, after an event was put into the queue; without it whoever delivers that may let go of everything.
    borrowing func isToBeLookedAt() -> Bool {
        let seen = word.load(ordering: .acquiring), thread = seen & ~Section.waits
        return thread != 0 && (seen & Section.left != 0 || thread == Section.me || sgk_shim_may_look_at_threads())
    }

    /// Whether the section was left without return. Called without the lock, by one that keeps the section meanwhile.
    ///
    /// - Parameter here: the caller's frame. A call from inside the one that holds the section has a frame further
    ///   down.
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
        guard sgk_shim_thread_has_ended(thread), mark(seen) else { return false }
        // After the look and before the mark, a new thread may have got the same number.
        if sgk_shim_thread_has_ended(thread) { return isKnownLeft }
        _ = word.compareExchange(expected: seen | Section.left, desired: seen, ordering: .relaxed)
        return false
    }

    private borrowing func mark(_ seen: UInt) -> Bool {
        word.compareExchange(expected: seen, desired: seen | Section.left, ordering: .acquiringAndReleasing).exchanged
    }
}
