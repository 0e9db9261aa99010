import SignalKitShims
import Synchronization

/// A lock for sections with user code, which may try to take it again. So it stores the thread that holds it.
struct OwnedLock: ~Copyable {
    private let lock = FutexLock()
    /// The thread inside, or 0. A thread that reads its own number here has written it itself.
    private let owner = Synchronization.Atomic<UInt>(0)

    var isMine: Bool { owner.load(ordering: .relaxed) == sgk_shim_thread_pointer() }

    /// Waits for other threads. If the calling thread already holds the lock, the program ends instead of hanging.
    borrowing func enter() {
        precondition(!isMine, "a thread must not lock a lock that it holds")
        lock.lock()
        owner.store(sgk_shim_thread_pointer(), ordering: .relaxed)
    }

    /// Enters if no thread is inside.
    borrowing func tryEnter() -> Bool {
        if isMine || !lock.tryLock() { return false }
        owner.store(sgk_shim_thread_pointer(), ordering: .relaxed)
        return true
    }

    borrowing func leave() {
        owner.store(0, ordering: .relaxed)
        lock.unlock()
    }
}
