import SignalKitShims
import Synchronization

/// Tells an object that it is in the child of a fork, where only the thread that forked exists. An object that has
/// threads, or relies on others', starts again when it is used there first. The work of the parent stays the parent's.
struct ProcessMark: ~Copyable {
    private let number: Synchronization.Atomic<UInt32>

    init() {
        Process.isWatched
        number = .init(sgk_shim_process_number())
    }

    /// Whether the object is as it was made, or has started again, in this process.
    @inline(__always)
    var isCurrent: Bool { number.load(ordering: .acquiring) == sgk_shim_process_number() }

    /// The object continues in the child without a restart.
    borrowing func renew() { number.store(sgk_shim_process_number(), ordering: .releasing) }

    /// (Takes the object, not a closure: the object would be retained for that, each time.)
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
        sgk_shim_process_is_new()
        WorkInFlight.startAgain()
        CurrentWork.comeIntoChild()
    }
}
