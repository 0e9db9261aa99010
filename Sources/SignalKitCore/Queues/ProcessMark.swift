import SignalKitShims
import Synchronization

/// Detects that an object is in the child of a fork, where only the forking thread exists. An object with threads, or
/// one that relies on others' threads, starts again at its first use there. The pending work belongs to the parent.
struct ProcessMark: ~Copyable {
    private let number: Synchronization.Atomic<UInt32>

    init() {
        Process.isWatched
        number = .init(sgk_shim_process_number())
    }

    /// True if the object was created or has started again in this process.
    @inline(__always)
    var isCurrent: Bool { number.load(ordering: .acquiring) == sgk_shim_process_number() }

    /// The object continues in the child without a restart.
    borrowing func renew() { number.store(sgk_shim_process_number(), ordering: .releasing) }

    /// (It takes the object instead of a closure, because a closure would retain the object each time.)
    @inline(__always)
    borrowing func check(_ owner: some StartsAgain) {
        if !isCurrent { comeIntoChild(owner) }
    }

    @inline(never)
    private borrowing func comeIntoChild(_ owner: some StartsAgain) {
        Process.withLock {
            if isCurrent { return }
            owner.startAgain()
            renew()
        }
    }
}

/// An object with a `ProcessMark`.
protocol StartsAgain: AnyObject {
    func startAgain()
}

/// The number of the process.
private enum Process {
    private static let lock = SmallLock()

    static let isWatched: Void = sgk_shim_in_forked_child { Process.begin() }

    static func withLock(_ body: () -> Void) { lock.withLock(body) }

    /// On the only thread of a new process.
    private static func begin() {
        lock.forget()
        Worker.comeIntoChild()
        sgk_shim_process_is_new()
        WorkInFlight.startAgain()
        CurrentWork.comeIntoChild()
    }
}
