import SignalKitShims
import Synchronization

/// A mutex of four bytes for sections of any length, such as those with user code. A thread that waits for a long time
/// sleeps until it is woken. (It is the third mutex in Ulrich Drepper's "Futexes Are Tricky".)
///
///     word:  0   free
///            1   held
///            2   held, and other threads may sleep
///
/// Locking and unlocking take one atomic operation each. (`SmallLock` unlocks without one, so its sleeping threads
/// check again periodically.)
struct FutexLock: ~Copyable {
    private static var free: UInt32 { 0 }
    private static var held: UInt32 { 1 }
    private static var contended: UInt32 { 2 }

    private let word = Synchronization.Atomic<UInt32>(FutexLock.free)

    @inline(__always)
    borrowing func lock() {
        if !tryLock() { sleepUntilLocked() }
    }

    @inline(__always)
    borrowing func tryLock() -> Bool {
        word.compareExchange(
            expected: FutexLock.free, desired: FutexLock.held, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    @inline(__always)
    borrowing func unlock() {
        if word.exchange(FutexLock.free, ordering: .releasing) != FutexLock.contended { return }
        sgk_shim_futex_wake_one(address)
    }

    /// True if a thread is sleeping, or is about to sleep.
    var isContended: Bool { word.load(ordering: .relaxed) == FutexLock.contended }

    /// Called in the child of a fork, where the thread inside does not exist.
    borrowing func forget() { word.store(FutexLock.free, ordering: .relaxed) }

    @inline(never)
    private borrowing func sleepUntilLocked() {
        // Most sections are so short that the lock is free again before a sleep would have begun.
        for _ in 0..<64 {
            sgk_shim_pause()
            if word.load(ordering: .relaxed) == FutexLock.free && tryLock() { return }
        }
        // After its sleep a thread does not know whether others are sleeping. So it takes the lock as contended.
        while word.exchange(FutexLock.contended, ordering: .acquiring) != FutexLock.free {
            sgk_shim_futex_wait(address, FutexLock.contended)
        }
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}
