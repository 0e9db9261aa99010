import SignalKitShims
import Synchronization

/// In the child of a fork there is one thread. What has threads of its own, or counts on those of others, starts again there: an object that carries
/// this mark does so when it is used first. What waited and ran in the parent is the parent's.
struct ProcessMark: ~Copyable {
    private let number: Synchronization.Atomic<UInt32>

    init() {
        Process.isWatched
        number = .init(sgk_shim_process_number())
    }

    /// Whether the object is as it was made, or has started again, in this process.
    @inline(__always)
    var isCurrent: Bool { number.load(ordering: .acquiring) == sgk_shim_process_number() }

    /// The object comes into the child as it is.
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

/// What carries a mark.
protocol StartsAgain: AnyObject {
    func startAgain()
}

/// Which process this is.
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
