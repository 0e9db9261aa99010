import SignalKitShims
import Synchronization

/// A critical section for one thread at a time, in addition to a lock that guards its pending events (`EventQueue`).
///
///     word:  0            free
///            thread       taken
///            thread | 1   taken, with pending events
///            thread | 2   exited without returning: taken permanently (or 3)
///            1            offered: no thread is inside, and the next caller with an event handles the pending ones
///
/// Entering and leaving take one atomic operation each, without the lock. Events are put into the queue and taken out
/// only under the lock, so no event is missed.
///
/// A thread can exit the section without returning: by a `longjmp` out of a callback, or by its end. A caller that
/// finds the section taken can check this. The word contains the thread, and the next field a place on its stack.
struct Section: ~Copyable {
    private static var waits: UInt { 1 }
    private static var left: UInt { 2 }

    private let word = Synchronization.Atomic<UInt>(0)
    /// The frame of the call that has entered, or a lower frame.
    private let frame = Synchronization.Atomic<UInt>(0)

    private static var me: UInt {
        @inline(__always) get { sgk_shim_thread_pointer() }
    }

    /// Enters if the section is free. Sequentially consistent with the lock: if two threads each take one of them and
    /// then check the other, at least one sees the other.
    @inline(__always)
    borrowing func enter(at frame: UInt) -> Bool {
        // A failed exchange would take the cache line from the thread inside. A load does not.
        guard
            word.load(ordering: .relaxed) == 0
                && word.compareExchange(expected: 0, desired: Section.me, ordering: .sequentiallyConsistent).exchanged
        else { return false }
        self.frame.store(frame, ordering: .relaxed)
        return true
    }

    /// Leaves the section, unless events are pending.
    @inline(__always)
    borrowing func leave() -> Bool {
        word.compareExchange(expected: Section.me, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// True if no thread is inside now, or the thread inside has exited without returning. Earlier writes of the
    /// section are visible.
    var isFree: Bool {
        let now = word.load(ordering: .sequentiallyConsistent)
        return now == 0 || now & Section.left != 0
    }

    /// Called with the lock, after an event was put into the queue. Returns true if the section was free. Then the
    /// caller has entered it, and must handle the events.
    borrowing func noteWaiting() -> Bool {
        if takeOver() { return true }
        if word.load(ordering: .relaxed) & Section.waits != 0 { return false }
        if word.bitwiseOr(Section.waits, ordering: .sequentiallyConsistent).oldValue != 0 { return false }
        word.store(Section.me | Section.waits, ordering: .relaxed)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by the thread inside. Leaves the section although events are pending.
    borrowing func offer() { word.store(Section.waits, ordering: .sequentiallyConsistent) }

    /// Called with the lock. Enters the section if it is offered.
    borrowing func takeOver() -> Bool {
        if word.load(ordering: .acquiring) != Section.waits { return false }
        word.store(Section.me | Section.waits, ordering: .sequentiallyConsistent)
        frame.store(sgk_shim_frame(), ordering: .relaxed)
        return true
    }

    /// Called with the lock, by the thread inside, if the queue is empty.
    borrowing func leaveEmpty() { word.store(0, ordering: .sequentiallyConsistent) }

    /// Called with the lock. If the calling thread is inside, it does not leave by `leave`, as if events were pending.
    borrowing func stayIfMine() {
        if word.load(ordering: .relaxed) != Section.me { return }
        _ = word.bitwiseOr(Section.waits, ordering: .relaxed)
    }

    /// True if `isLeft` has found that the section was exited without returning.
    var isKnownLeft: Bool { word.load(ordering: .relaxed) & Section.left != 0 }

    /// Returns whether the caller must check the section by `isLeft`, which is rare. Called with the lock, after an
    /// event was put into the queue. Without the lock, the thread that delivers the event may release the object.
    borrowing func isToBeLookedAt() -> Bool {
        let seen = word.load(ordering: .acquiring), thread = seen & ~Section.waits
        return thread != 0 && (seen & Section.left != 0 || thread == Section.me || sgk_shim_may_look_at_threads())
    }

    /// Returns whether the section was exited without returning. Called without the lock, by a caller that retains the
    /// section.
    ///
    /// - Parameter here: the caller's frame. A call inside the section has a lower frame.
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
        // Between the check and the mark, a new thread may have got the same number.
        if sgk_shim_thread_has_ended(thread) { return isKnownLeft }
        _ = word.compareExchange(expected: seen | Section.left, desired: seen, ordering: .relaxed)
        return false
    }

    private borrowing func mark(_ seen: UInt) -> Bool {
        word.compareExchange(expected: seen, desired: seen | Section.left, ordering: .acquiringAndReleasing).exchanged
    }
}
