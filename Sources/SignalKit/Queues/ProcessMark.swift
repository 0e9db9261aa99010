import SignalKitShims
import Synchronization

/// In the child of a fork there is one thread. What has threads of its own, or counts on those of others, starts again there: an object that carries
/// this mark does so when it is used first. What waited and ran in the parent is the parent's.
struct ProcessMark: ~Copyable {
    private let number = Synchronization.Atomic<UInt32>(Process.number)

    @inline(__always)
    borrowing func check(_ startAgain: () -> Void) {
        if number.load(ordering: .acquiring) != Process.number { comeIntoChild(startAgain) }
    }

    /// Whether the object is as it was made, or has started again, in this process.
    var isCurrent: Bool { number.load(ordering: .acquiring) == Process.number }

    /// The object comes into the child as it is.
    borrowing func renew() { number.store(Process.number, ordering: .releasing) }

    @inline(never)
    private borrowing func comeIntoChild(_ startAgain: () -> Void) {
        Process.withLock {
            if isCurrent { return }
            startAgain()
            renew()
        }
    }
}

/// Which process this is.
private enum Process {
    private final class State: Sendable {
        /// How many forks lie between it and the one that loaded the library.
        let number = Synchronization.Atomic<UInt32>(0)
        let lock = SmallLock()

        init() { sgk_shim_in_forked_child { Process.begin() } }
    }

    private static let state = State()

    static func withLock(_ body: () -> Void) { state.lock.withLock(body) }

    static var number: UInt32 { state.number.load(ordering: .relaxed) }

    /// On the only thread of a new process.
    private static func begin() {
        state.lock.forget()
        state.number.add(1, ordering: .relaxed)
        WorkInFlight.startAgain()
        CurrentWork.comeIntoChild()
    }
}
