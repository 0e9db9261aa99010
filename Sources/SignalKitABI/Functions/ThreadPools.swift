import CSignalKit
import Synchronization

@_cdecl("sgk_thread_pool_create") @implementation
public func sgk_thread_pool_create(_ threadCount: Int32, _ priority: Double) -> OpaquePointer! {
    if !(priority >= 0 && priority <= 1) {
        record(SGK_ERROR_ARGUMENT, "thread_priority", "must be from 0 to 1")
        return nil
    }
    return threads(threadCount, "thread_count", priority).flatMap { ObjectHandle($0).passed() }
}

@_cdecl("sgk_queue_create_concurrent") @implementation
public func sgk_queue_create_concurrent(_ name: UnsafePointer<CChar>!, _ count: Int32) -> OpaquePointer! {
    threads(count, "threads").flatMap {
        QueueHandle(Queue(executor: ConcurrentExecutor(alone: $0, name: name))).passed()
    }
}

/// Creates a pool with all of these threads, or returns `nil` after it recorded the error.
private func threads(
    _ count: Int32, _ argument: CString, _ priority: Double = 0.5, in function: CString = #function
) -> ThreadPool? {
    if count < 1 || count > 1024 {
        record(SGK_ERROR_ARGUMENT, argument, "must be from 1 to 1024", in: function)
        return nil
    }
    let pool = ThreadPool(upTo: Int(count), priority)
    if pool.threadCount == Int(count) { return pool }
    record(SGK_ERROR_SYSTEM, argument, "the system cannot create this many threads", in: function)
    return nil
}

@_cdecl("sgk_thread_pool_add_task") @implementation
public func sgk_thread_pool_add_task(
    _ pool: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let context = Context(context, destroy)
    guard let pool = borrow(pool, as: ThreadPool.self, "pool"),
        let work = required(work, "work"), hasRoom()
    else { return nil }
    let task = Task(work, context)
    let handle = DisposableHandle(task).passedInAnyCase()
    pool.workers.put(task)
    return handle
}

@_cdecl("sgk_thread_pool_next_queue") @implementation
public func sgk_thread_pool_next_queue(_ pool: OpaquePointer!) -> OpaquePointer! {
    borrow(pool, as: ThreadPool.self, "pool").flatMap { QueueHandle($0.nextQueue().asQueue()).passed() }
}

@_cdecl("sgk_thread_pool_queue") @implementation
public func sgk_thread_pool_queue(_ pool: OpaquePointer!) -> OpaquePointer! {
    borrow(pool, as: ThreadPool.self, "pool").flatMap { QueueHandle($0.asQueue()).passed() }
}

@_cdecl("sgk_thread_pool_is_current_thread_in_pool") @implementation
public func sgk_thread_pool_is_current_thread_in_pool(_ pool: OpaquePointer!) -> Bool {
    borrow(pool, as: ThreadPool.self, "pool")?.isCurrentThreadInPool() ?? false
}

@_cdecl("sgk_thread_pool_shutdown") @implementation
public func sgk_thread_pool_shutdown(_ pool: OpaquePointer!) -> sgk_status {
    guard let pool = borrow(pool, as: ThreadPool.self, "pool") else { return lastStatus() }
    pool.shutdown()
    return SGK_OK
}

/// A task from C. The same object cancels it; references to it do not retain the context.
private final class Task: Job, Disposable, @unchecked Sendable {
    private let work: sgk_work_fn
    private var context: Context?
    private let isCancelled = Synchronization.Atomic<Bool>(false)

    init(_ work: @escaping sgk_work_fn, _ context: consuming Context) {
        self.work = work
        self.context = consume context
    }

    override func run() {
        if !isCancelled.load(ordering: .acquiring) { work(context?.pointer) }
        context = nil
    }

    override func refuse() { context = nil }

    func dispose() { isCancelled.store(true, ordering: .releasing) }
}
