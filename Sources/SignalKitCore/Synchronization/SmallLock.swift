import SignalKitShims
import Synchronization

/// A mutex of eight bytes that sleeps on a futex, for sections of a few instructions.
///
/// No function is called and no object is released while it is held. It is stored in a `let` of a class, where an
/// atomic has a permanent address. (A lock must not be copied or moved.)
///
/// Locking takes one atomic operation. Unlocking is a plain store, then a check for sleeping threads. A core can delay
/// its store by nanoseconds, so the check can miss a thread that is just falling asleep. Therefore no thread sleeps for
/// long without checking the lock again.
struct SmallLock: ~Copyable {
    private static var free: UInt32 { 0 }
    private static var held: UInt32 { 1 }
    /// Nanoseconds.
    private static var longestSleep: Int64 { 1_000_000 }

    private let word = Synchronization.Atomic<UInt32>(SmallLock.free)
    /// 1 if a thread is sleeping on this word, or is about to. The thread that wakes it sets it to 0.
    private let sleepers = Synchronization.Atomic<UInt32>(0)

    @inline(__always)
    borrowing func lock() {
        if !tryLock() { sleepUntilLocked() }
    }

    /// Sequentially consistent, for the threads that check `isFree` instead of locking.
    @inline(__always)
    borrowing func tryLock() -> Bool {
        let (expected, desired) = (SmallLock.free, SmallLock.held)
        return word.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent).exchanged
    }

    /// True if no thread is inside now. Earlier writes of the section are visible.
    var isFree: Bool { word.load(ordering: .sequentiallyConsistent) == SmallLock.free }

    /// An ordinary build needs the fence. Without it the optimizer moves the retain of a reference that was read in the
    /// section past the store, and another thread can destroy the object in between.
    @inline(__always)
    borrowing func unlock() {
        #if !hasFeature(Embedded)
        atomicMemoryFence(ordering: .releasing)
        #endif
        word.store(SmallLock.free, ordering: .releasing)
        if sleepers.load(ordering: .relaxed) != 0 { wake() }
    }

    @inline(never)
    private borrowing func wake() {
        if sleepers.exchange(0, ordering: .relaxed) != 0 { sgk_shim_futex_wake_one(address) }
    }

    @inline(__always)
    borrowing func withLock<R: ~Copyable>(_ body: () -> R) -> R {
        lock()
        defer { unlock() }
        return body()
    }

    /// Called in the child of a fork, where the thread inside does not exist.
    borrowing func forget() { word.store(SmallLock.free, ordering: .relaxed) }

    @inline(never)
    private borrowing func sleepUntilLocked() {
        // The sections are so short that the lock is most likely free again before a sleep would have begun.
        for _ in 0..<64 {
            sgk_shim_pause()
            if word.load(ordering: .relaxed) == SmallLock.free && tryLock() { return }
        }
        while !lockAfterSleep() {}
    }

    /// Like `lock`, but gives up and returns false when `isFutile`. It checks that before each sleep.
    @inline(__always)
    borrowing func lock(unless isFutile: () -> Bool) -> Bool {
        if tryLock() { return true }
        while !isFutile() {
            if lockAfterSleep() { return true }
        }
        return false
    }

    /// Returns true if it has locked. Otherwise it has slept.
    @inline(never)
    private borrowing func lockAfterSleep() -> Bool {
        // It stays set when this thread gets the lock, because others may be sleeping.
        sleepers.store(1, ordering: .sequentiallyConsistent)
        if tryLock() { return true }
        sgk_shim_futex_wait_for(address, 1, SmallLock.longestSleep)
        return false
    }

    private var address: UInt { withUnsafePointer(to: sleepers) { UInt(bitPattern: $0) } }
}
