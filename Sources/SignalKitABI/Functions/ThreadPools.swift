import CSignalKit

@_cdecl("sgk_thread_pool_create") @implementation
public func sgk_thread_pool_create(_ threadCount: Int32, _ priority: Double) -> OpaquePointer! {
    if threadCount < 1 || threadCount > 1024 {
        record(SGK_ERROR_ARGUMENT, "thread_count", "is not from 1 to 1024")
        return nil
    }
    if !(priority >= 0 && priority <= 1) {
        record(SGK_ERROR_ARGUMENT, "thread_priority", "is not from 0 to 1")
        return nil
    }
    let pool = ThreadPool(upTo: Int(threadCount), priority)
    if pool.threadCount < Int(threadCount) {
        record(SGK_ERROR_SYSTEM, "thread_count", "the system refuses so many threads")
        return nil
    }
    return ObjectHandle(pool).passed()
}

@_cdecl("sgk_thread_pool_add_task") @implementation
public func sgk_thread_pool_add_task(
    _ pool: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let pool = borrow(pool, as: ThreadPool.self, "pool"),
        let work = required(work, "work"), hasRoom()
    else { return nil }
    // Not `ThreadPoolTask.cancel`: what C holds would keep the task, and that its context.
    let cancelled = Atomic<Bool>(value: false)
    pool.addTask(ThreadPoolTask { _ in
        if !cancelled.value { work(callback.context) }
    })
    return DisposableHandle(ActionDisposable { cancelled.swap(true) }).passedInAnyCase()
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
