import SignalKitShims
import Synchronization

/// A mutex of eight bytes that sleeps on a futex: for sections of a few instructions.
///
/// Nothing is called and nothing is released while it is held. It is stored in a `let` of a class, where an atomic keeps one
/// address for life (a lock that can be copied or moved is no lock).
///
/// One atomic operation to lock; unlocking is a plain store, and a look whether somebody sleeps. That look can come too early, by as much as a
/// core keeps a store to itself: nanoseconds, in which somebody would have to fall asleep. Therefore nobody sleeps for long without looking.
struct SmallLock: ~Copyable {
    private static var free: UInt32 { 0 }
    private static var held: UInt32 { 1 }
    /// Nanoseconds.
    private static var longestSleep: Int64 { 1_000_000 }

    private let word = Synchronization.Atomic<UInt32>(SmallLock.free)
    /// 1 when somebody sleeps, or is about to: on this word, which whoever is to wake them sets to 0.
    private let sleepers = Synchronization.Atomic<UInt32>(0)

    @inline(__always)
    borrowing func lock() {
        if !tryLock() { sleepUntilLocked() }
    }

    /// In one order with the atomic operations of who looks at `isFree` instead of locking.
    @inline(__always)
    borrowing func tryLock() -> Bool {
        word.compareExchange(expected: SmallLock.free, desired: SmallLock.held, ordering: .sequentiallyConsistent).exchanged
    }

    /// Whether nobody is inside at this moment. What they have done there is seen.
    var isFree: Bool { word.load(ordering: .sequentiallyConsistent) == SmallLock.free }

    @inline(__always)
    borrowing func unlock() {
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

    /// In the child of a fork: whoever was inside is not there.
    borrowing func forget() { word.store(SmallLock.free, ordering: .relaxed) }

    @inline(never)
    private borrowing func sleepUntilLocked() {
        // The sections are so short that the lock is most likely free again before a sleep would have begun.
        for _ in 0..<64 {
            sgk_shim_pause()
            if word.load(ordering: .relaxed) == SmallLock.free && tryLock() { return }
        }
        while true {
            // Also when the lock is taken now: others may sleep.
            sleepers.store(1, ordering: .sequentiallyConsistent)
            if tryLock() { return }
            sgk_shim_futex_wait_for(address, 1, SmallLock.longestSleep)
        }
    }

    private var address: UInt { withUnsafePointer(to: sleepers) { UInt(bitPattern: $0) } }
}
