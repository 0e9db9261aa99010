import SignalKitShims
import Synchronization

/// A mutex of four bytes that sleeps on a futex: for sections of a few instructions.
///
/// Nothing is called and nothing is released while it is held. It is stored in a `let` of a class, where an atomic keeps one
/// address for life (a lock that can be copied or moved is no lock).
struct SmallLock: ~Copyable {
    private static var free: UInt32 { 0 }
    private static var held: UInt32 { 1 }
    private static var heldWithSleepers: UInt32 { 2 }

    private let word = Synchronization.Atomic<UInt32>(SmallLock.free)

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
        if word.exchange(SmallLock.free, ordering: .releasing) == SmallLock.heldWithSleepers { sgk_shim_futex_wake_one(address) }
    }

    @inline(__always)
    borrowing func withLock<R: ~Copyable>(_ body: () -> R) -> R {
        lock()
        defer { unlock() }
        return body()
    }

    @inline(never)
    private borrowing func sleepUntilLocked() {
        // The sections are so short that the lock is most likely free again before a sleep would have begun.
        for _ in 0..<64 {
            sgk_shim_pause()
            if word.load(ordering: .relaxed) == SmallLock.free && tryLock() { return }
        }
        // Whoever has waited takes the lock as "with sleepers": it cannot know whether others still sleep.
        while word.exchange(SmallLock.heldWithSleepers, ordering: .acquiring) != SmallLock.free {
            sgk_shim_futex_wait(address, SmallLock.heldWithSleepers)
        }
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}
