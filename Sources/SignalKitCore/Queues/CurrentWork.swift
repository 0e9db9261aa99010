import SignalKitShims
import Synchronization

/// The queue whose work the calling thread runs, and the threads that wait for it. It is a stack, and its innermost
/// frame is current. If another thread waits for the work, its frame also refers to the stack of that thread.
enum CurrentWork {
    /// The object that a thread waits for: a `JobQueue`, an executor, a clock, or a thread (see `thread`).
    typealias Owner = UInt

    struct Frame {
        let owner: Owner
        let context: Context
        /// The enclosing work of the thread.
        let below: UnsafeMutablePointer<Frame>?
        /// The thread that waits for this.
        fileprivate let waiting: Unmanaged<Wait>?
        /// Where work that stops continues, if not on the queue of the owner.
        let continuing: Unmanaged<Executor>?

        fileprivate var standing: Standing {
            switch context {
            case .queue, .loop: return .still
            #if !SIGNALKIT_LIBRARY
            case .dispatch: return .still
            #endif
            case .virtual: return .moving(Unmanaged<VirtualClock>.fromOpaque(pointer!).takeUnretainedValue())
            case .none:
                if let below, case let found = below.pointee.standing, !found.isFree { return found }
                return waiting?._withUnsafeGuaranteedRef { $0.frame }?.pointee.standing ?? .free
            }
        }

        var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: owner) }

        fileprivate func contains(_ owner: Owner) -> Bool {
            self.owner == owner || below?.pointee.contains(owner) == true
                || waiting?._withUnsafeGuaranteedRef { $0.holdsUp(owner) } == true
        }
    }

    /// The type of an owner.
    enum Context {
        /// Nothing, or a thread.
        case none
        case queue
        /// A serial queue on a custom loop.
        case loop
        #if !SIGNALKIT_LIBRARY
        /// A serial dispatch queue, by its tag.
        case dispatch
        #endif
        case virtual
    }

    /// The type of work that waits for the calling thread.
    enum Standing {
        case free
        /// A serial queue.
        case still
        /// The thread can move the time itself.
        case moving(VirtualClock)

        fileprivate var isFree: Bool {
            if case .free = self { return true }
            return false
        }
    }

    /// The innermost queue decides. If there is none, the thread that waits for the work decides.
    static var standing: Standing { frame?.pointee.standing ?? .free }

    /// The innermost frame. It is on the thread's stack.
    static var frame: UnsafeMutablePointer<Frame>? { sgk_shim_work_here()?.assumingMemoryBound(to: Frame.self) }

    static func isOf(_ queue: JobQueue) -> Bool { frame?.pointee.owner == owner(queue) }

    static func owner(_ object: AnyObject) -> Owner { Owner(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

    /// The calling thread, as an owner of work.
    static var thread: Owner { sgk_shim_thread_pointer() }

    /// Runs `body` as work of the queue. Nil represents a queue that is never current.
    @inline(__always)
    static func run(of queue: JobQueue?, _ body: () -> Void) {
        run(queue.map { owner($0) } ?? 0, queue == nil ? .none : .queue, body)
    }

    /// Runs `body` as work of a serial queue on a custom loop.
    static func runSerial(of owner: Owner, _ body: () -> Void) { run(owner, .loop, body) }

    #if !SIGNALKIT_LIBRARY
    /// Runs `body` as work of a serial dispatch queue.
    static func runDispatched(of owner: Owner, _ body: () -> Void) { run(owner, .dispatch, body) }
    #endif

    /// Runs `body` as work of virtual time, on the thread that moves that.
    static func run(of clock: VirtualClock, _ body: () -> Void) { run(owner(clock), .virtual, body) }

    /// Runs `body`, for which another thread waits, as work of the current queue.
    static func run(for waiting: Wait, _ body: () -> Void) {
        run(frame?.pointee.owner ?? 0, frame?.pointee.context ?? .none, for: .passUnretained(waiting), body)
    }

    /// Runs `body` on a thread of the executor, also outside of its work. What stops in it continues on the executor.
    static func run(continuingOn executor: Executor, _ body: () -> Void) {
        run(frame?.pointee.owner ?? 0, frame?.pointee.context ?? .none, on: .passUnretained(executor), body)
    }

    @inline(__always)
    private static func run(
        _ owner: Owner, _ context: Context, for waiting: Unmanaged<Wait>? = nil,
        on executor: Unmanaged<Executor>? = nil, _ body: () -> Void
    ) {
        var frame = Frame(owner: owner, context: context, below: frame, waiting: waiting, continuing: executor)
        withUnsafeMutablePointer(to: &frame) {
            sgk_shim_set_work_here($0)
            body()
        }
        sgk_shim_set_work_here(frame.below)
    }

    /// Called in the child of a fork. The queues whose work the only thread is running continue unchanged.
    static func comeIntoChild() {
        Wait.forget()
        var next = frame
        while let frame = next {
            if case .queue = frame.pointee.context {
                Unmanaged<JobQueue>.fromOpaque(frame.pointee.pointer!)._withUnsafeGuaranteedRef { $0.process.renew() }
            }
            next = frame.pointee.below
        }
    }
}

/// A thread that waits for an owner of work. All waits are linked to detect a deadlock before it happens. A thread must
/// not wait for its own work, for a thread that waits for it, or for a pool whose threads all wait for it.
class Wait: @unchecked Sendable {
    private static let lock = SmallLock()
    // The lock guards the following fields, except the constants.
    nonisolated(unsafe) private static var first: Wait?
    /// The number of the latest search, and whether it has found a wait that ends.
    nonisolated(unsafe) private static var look = 0
    nonisolated(unsafe) private static var hasFound = false
    final private var next: Wait?
    final private var latestLook = 0
    final private var isStuck = false
    /// True if a thread has claimed the awaited job.
    final private var isClaimed = false
    final private var owner: CurrentWork.Owner
    /// The only threads that run the owner's work.
    private let pool: WorkerPool?
    /// The mark of the thread that does the awaited work, if there is one.
    final private var inside: UnsafePointer<ThreadMark>?
    /// The word on which the thread sleeps, or nil, and its value during the wait.
    private let word: UnsafePointer<Synchronization.Atomic<UInt32>>?
    private let value: UInt32
    fileprivate let frame = CurrentWork.frame
    private let thread = CurrentWork.thread
    private let threadsPool = Worker.current?.pool
    /// The main queue, if the main thread waits, because no other thread runs that queue. Otherwise 0.
    private let main = sgk_shim_is_main_thread() ? MainThread.owner : 0

    /// - Parameters:
    ///   - pool: the only threads that run the owner's work, or nil if there is always one more.
    ///   - inside: must be valid until the wait has ended.
    ///   - word: must be valid until the wait has ended. When it changes, the thread that changed it may go on before
    ///     the waiting thread wakes. Therefore the wait is over from then on.
    ///   - value: the value of the word during the wait.
    init(
        for owner: CurrentWork.Owner, pool: WorkerPool? = nil, inside: UnsafePointer<ThreadMark>? = nil,
        while word: UnsafePointer<Synchronization.Atomic<UInt32>>? = nil, is value: UInt32 = 0
    ) {
        self.owner = owner
        self.pool = pool
        self.inside = inside
        self.word = word
        self.value = value
    }

    final fileprivate func holdsUp(_ owner: CurrentWork.Owner) -> Bool {
        owner == thread || owner == main || frame?.pointee.contains(owner) == true
    }

    /// Registers the wait. Returns false if the thread would deadlock. Then no thread can claim the job.
    ///
    /// - Parameter isKnown: whether other threads see the wait. Pass false if the waiting thread calls code that may
    ///   not return.
    final func begin(isKnown: Bool = true) -> Bool {
        Wait.lock.withLock {
            if isClaimed { return true }
            link()
            Wait.forEach { $0.isStuck = true }
            repeat {
                Wait.look += 1
                Wait.hasFound = false
                lookWhetherStuck()
            } while isStuck && Wait.hasFound
            if isStuck || !isKnown { unlink() }
            isClaimed = isStuck
            return !isStuck
        }
    }

    /// Called by a thread before it runs or releases the awaited job. From then on the wait depends on this thread, and
    /// is registered even if it has not begun. Returns false if the job was claimed earlier.
    final func claim() -> Bool {
        Wait.lock.withLock {
            if isClaimed { return false }
            isClaimed = true
            unlink()
            (owner, inside) = (CurrentWork.thread, nil)
            if owner != thread { link() }
            return true
        }
    }

    final private func link() { (next, Wait.first) = (Wait.first, self) }

    @inline(never)
    final private func unlink() {
        var before: Wait?
        var wait = Wait.first
        while let other = wait, other !== self { (before, wait) = (other, other.next) }
        if wait == nil { return }
        if let before { before.next = next } else { Wait.first = next }
        next = nil
    }

    /// Checks whether the wait will end, after the waits on which it depends. The waits of a cycle count as stuck until
    /// a search finds one that is not.
    final private func lookWhetherStuck() {
        latestLook = Wait.look
        if !isStuck { return }
        if let word, word.pointee.load(ordering: .relaxed) != value {
            isStuck = false
            Wait.hasFound = true
            return
        }
        let worker = inside?.pointee.owner ?? 0
        var isHeldUp = false, idle = pool?.threadCount ?? 1
        Wait.forEach { other in
            let holdsUp = other.holdsUp(owner) || worker != 0 && other.holdsUp(worker)
            let isOfPool = pool != nil && other.threadsPool === pool
            if !holdsUp && !isOfPool { return }
            if other.latestLook != Wait.look { other.lookWhetherStuck() }
            if !other.isStuck { return }
            if holdsUp { isHeldUp = true }
            if isOfPool { idle -= 1 }
        }
        isStuck = isHeldUp || idle == 0
        if !isStuck { Wait.hasFound = true }
    }

    private static func forEach(_ body: (Wait) -> Void) {
        var wait = first
        while let other = wait {
            body(other)
            wait = other.next
        }
    }

    final func end() { Wait.lock.withLock { unlink() } }

    /// Called in the child of a fork, where the other threads do not exist.
    fileprivate static func forget() {
        lock.forget()
        first = nil
    }
}
