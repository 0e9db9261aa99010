/// Runs closures in order, or inline if the caller is already on the queue.
///
/// `isCurrent` is true inside the queue's work, and inside work of queues that target it. The concurrent queues are
/// never current. The main queue is current in its work and on the main thread, even inside `sync` of another queue
/// that was called there.
///
/// **Warning:** inside `other.sync` the queue that called it is not current. Calling `sync` on that queue deadlocks.
public final class Queue: @unchecked Sendable {
    let executor: Executor

    init(executor: Executor) {
        self.executor = executor
    }

    /// The queue of the main thread.
    public class func mainQueue() -> Queue { main }
    /// Returns a concurrent queue for work of normal priority.
    public class func concurrentDefaultQueue() -> Queue { concurrentDefault }
    /// Returns a concurrent queue for work of low priority.
    public class func concurrentBackgroundQueue() -> Queue { concurrentBackground }

    #if !hasFeature(Embedded)
    /// The concurrent queue for work of normal priority, as `queue: .concurrent`.
    public static var concurrent: Queue { concurrentDefaultQueue() }
    /// The concurrent queue for work of low priority, as `queue: .background`.
    public static var background: Queue { concurrentBackgroundQueue() }
    #endif

    /// Returns whether the caller runs on this queue, as defined by `Queue`.
    public func isCurrent() -> Bool { executor.isCurrent }

    /// Runs `f` inline when the queue is current, otherwise later.
    @preconcurrency
    public func async(_ f: @escaping @Sendable () -> Void) {
        if executor.isCurrent { f() } else { executor.enqueue(f) }
    }

    /// Runs `f` inline when the queue is current, otherwise on the queue, and returns after it.
    public func sync(_ f: () -> Void) {
        if executor.isCurrent { f() } else { executor.enqueueAndWait(f) }
    }

    /// Like `sync`, but returns false if `f` was released because the queue's thread pool was shut down.
    func trySync(_ f: () -> Void) -> Bool { executor.runIfIdle(f) || executor.runAndWait(f) == true }

    /// Runs `f` later, never inline.
    @preconcurrency
    public func justDispatch(_ f: @escaping @Sendable () -> Void) {
        executor.enqueue(f)
    }

    /// Runs `f` in `delay` seconds, never inline, by a clock that stops while the system sleeps.
    ///
    /// - Returns: cancels and releases `f` when it is disposed. Releasing it has no effect.
    @discardableResult
    @preconcurrency
    public func after(_ delay: Double, _ f: @escaping @Sendable () -> Void) -> Disposable {
        executor.after(delay, f)
    }

    /// The time of the queue's clock, in seconds since a fixed point. It stops while the system sleeps.
    public var now: Double { executor.now }
}

#if SIGNALKIT_LIBRARY
// The queues of the library for C. Swift programs exchange dispatch queues.
extension Queue {
    static let main = Queue(executor: SerialExecutor(MainJobQueue.shared))
    static let concurrentDefault = Queue(executor: ConcurrentExecutor(WorkerPool.standard))
    static let concurrentBackground = Queue(executor: ConcurrentExecutor(WorkerPool.background))

    /// Creates a serial queue. The C string `cName` is copied, and debuggers show it.
    convenience init(cName: UnsafePointer<CChar>?) {
        self.init(executor: SerialExecutor(PoolJobQueue(WorkerPool.standard, name: cName)))
    }
}
#endif
