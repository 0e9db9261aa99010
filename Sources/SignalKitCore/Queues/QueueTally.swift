import SignalKitShims
import Synchronization

/// The data about a serial queue for monitoring: the numbers of jobs that were put and run.
final class QueueTally: Registered, @unchecked Sendable {
    static let all = Register<QueueTally>()

    /// The name from the program, copied.
    let name: UnsafePointer<CChar>?
    private let tickets: Tickets
    /// The number of jobs that have run or were released. The queue's runner writes it.
    private let done = Synchronization.Atomic<UInt>(0)
    private let running = Synchronization.Atomic<Bool>(false)

    @exclusivity(unchecked) var previousRegistered: Unmanaged<QueueTally>?
    @exclusivity(unchecked) var nextRegistered: Unmanaged<QueueTally>?

    init(_ name: UnsafePointer<CChar>?, _ tickets: Tickets) {
        self.name = sgk_shim_copy_text(name).map { UnsafePointer($0) }
        self.tickets = tickets
    }

    deinit { sgk_shim_free(UnsafeMutablePointer(mutating: name)) }

    /// True while a thread runs the queue's jobs.
    @inline(__always)
    var isRunning: Bool {
        get { running.load(ordering: .relaxed) }
        set { running.store(newValue, ordering: .relaxed) }
    }

    /// A job has run, or was released.
    @inline(__always)
    func count() { done.store(done.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    /// The number of finished jobs, and the number of pending and running ones.
    var counts: (done: UInt, depth: Int) {
        let done = done.load(ordering: .relaxed)
        return (done, max(Int(bitPattern: tickets.current &- done), 0)) // what is put is counted a moment later
    }

    /// Called in the child of a fork. The jobs belong to the parent.
    func startAgain() {
        done.store(tickets.current, ordering: .relaxed)
        isRunning = false
    }
}
