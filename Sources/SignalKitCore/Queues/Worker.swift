import SignalKitShims
import Synchronization

/// One thread of a pool.
final class Worker {
    private static let key = sgk_shim_thread_key()

    let pool: WorkerPool
    let process = ProcessMark()
    private let isCalled = Synchronization.Atomic<UInt32>(0)
    /// The observations about the thread, for the watch of the pool.
    private var sight = sgk_shim_sight()
    // The thread itself accesses the following, or other threads under the pool's lock.
    /// The system's number of the thread. The pool lists the thread when that is known.
    private var number: Int32 = 0
    /// True if it is the one thread that searches for work. A new thread starts with a search.
    var isLooking = true
    /// True if it has worked since its last search.
    var mayLook = false
    /// True if it ends after a long rest.
    var mayEnd = false

    init(_ pool: WorkerPool) { self.pool = pool }

    /// The worker whose thread the caller is.
    static var current: Worker? {
        sgk_shim_thread_get(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns whether the thread is not blocked, according to the observations since `forgetSight`.
    func runs() -> Bool { sgk_shim_thread_runs(number, &sight) }
    func forgetSight() { sight = sgk_shim_sight() }

    func run() {
        number = sgk_shim_thread_number()
        sgk_shim_thread_set(Worker.key, Unmanaged.passUnretained(self).toOpaque())
        let hook = Worker.begin(pool.threadName)
        pool.begin(self)
        while let job = pool.next(for: self) {
            job.runAndLetGo()
            WorkInFlight.end()
        }
        pool.end(self)
        sgk_shim_thread_set(Worker.key, nil)
        hook?(pool.threadName, false)
    }

    // MARK: The hook of all threads of the library

    /// Each thread calls it with its name: with true before its first work, with false after its last.
    typealias Hook = (_ name: CString, _ begins: Bool) -> Void

    private static let hookLock = SmallLock()
    nonisolated(unsafe) private static var hook: Hook?

    /// Sets the hook of the threads that begin later.
    static func set(_ new: Hook?) {
        hookLock.lock()
        let old = hook
        hook = new
        hookLock.unlock()
        withExtendedLifetime(old) {}
    }

    /// Names the calling thread and calls the hook. Returns the hook for the thread's end.
    @discardableResult
    static func begin(_ name: CString) -> Hook? {
        sgk_shim_thread_set_name(name.text)
        hookLock.lock()
        let hook = hook
        hookLock.unlock()
        hook?(name, true)
        return hook
    }

    /// Called in the child of a fork.
    static func comeIntoChild() { hookLock.forget() }

    /// Sleeps until it is woken, or for `seconds`. After a spurious wake-up of the futex the time starts again. Returns
    /// whether it was woken.
    func sleep(_ seconds: Double) -> Bool {
        while isCalled.load(ordering: .acquiring) == 0 && sgk_shim_futex_wait_for(address, 0, nanoseconds(seconds)) {}
        return isCalled.exchange(0, ordering: .acquiring) != 0
    }

    func wake() {
        isCalled.store(1, ordering: .releasing)
        sgk_shim_futex_wake_one(address)
    }

    private var address: UInt { withUnsafePointer(to: isCalled) { UInt(bitPattern: $0) } }
}
