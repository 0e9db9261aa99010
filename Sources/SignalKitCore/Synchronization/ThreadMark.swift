import SignalKitShims
import Synchronization

/// The thread that is inside a part of the program for one thread at a time. It is stored in a `let` of a class.
struct ThreadMark: ~Copyable, Sendable {
    /// That thread, or 0. A thread that reads its own number here has written it itself.
    private let thread = Synchronization.Atomic<UInt>(0)

    /// The identity for waiting threads, or 0.
    var owner: CurrentWork.Owner { thread.load(ordering: .relaxed) }

    var isMine: Bool { thread.load(ordering: .relaxed) == sgk_shim_thread_pointer() }

    /// The calling thread is inside until another one is.
    func set() { thread.store(sgk_shim_thread_pointer(), ordering: .relaxed) }

    func clear() { thread.store(0, ordering: .relaxed) }

    /// Runs `body` with the calling thread inside.
    @inline(__always)
    func run(_ body: () -> Void) {
        let before = thread.exchange(sgk_shim_thread_pointer(), ordering: .acquiring)
        body()
        thread.store(before, ordering: .releasing)
    }

    /// Like `run`, but returns false if another thread is inside. The same thread may enter again.
    func ifAlone(_ body: () -> Void) -> Bool {
        let me = sgk_shim_thread_pointer()
        let (isFirst, before) = thread.compareExchange(expected: 0, desired: me, ordering: .acquiring)
        if !isFirst && before != me { return false }
        body()
        if isFirst { thread.store(0, ordering: .releasing) }
        return true
    }
}
