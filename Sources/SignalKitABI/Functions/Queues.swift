import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_queue_retain") @implementation
public func sgk_queue_retain(_ handle: OpaquePointer!) -> OpaquePointer! { retain(handle, as: QueueHandle.self, "sgk_queue_retain") }

@_cdecl("sgk_queue_release") @implementation
public func sgk_queue_release(_ handle: OpaquePointer!) { release(handle, as: QueueHandle.self, "sgk_queue_release") }

@_cdecl("sgk_queue_create") @implementation
public func sgk_queue_create(_ name: UnsafePointer<CChar>!) -> OpaquePointer! { QueueHandle(Queue(cName: name)).passed() }

@_cdecl("sgk_queue_main") @implementation
public func sgk_queue_main() -> OpaquePointer! {
    Log.receivesWarnings
    return QueueHandle(Queue.mainQueue()).passed()
}

@_cdecl("sgk_queue_concurrent_default") @implementation
public func sgk_queue_concurrent_default() -> OpaquePointer! { QueueHandle(Queue.concurrentDefaultQueue()).passed() }

@_cdecl("sgk_queue_concurrent_background") @implementation
public func sgk_queue_concurrent_background() -> OpaquePointer! { QueueHandle(Queue.concurrentBackgroundQueue()).passed() }

@_cdecl("sgk_queue_is_current") @implementation
public func sgk_queue_is_current(_ queue: OpaquePointer!) -> Bool {
    borrow(queue, as: QueueHandle.self, "sgk_queue_is_current", "queue")?.queue.isCurrent() ?? false
}

@_cdecl("sgk_queue_async") @implementation
public func sgk_queue_async(
    _ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(queue, as: QueueHandle.self, "sgk_queue_async", "queue"), let work = required(work, "sgk_queue_async", "work")
    else { return lastStatus() }
    return handle.queue.tryAsync { work(callback.context) } ? SGK_OK : ended("sgk_queue_async")
}

@_cdecl("sgk_queue_sync") @implementation
public func sgk_queue_sync(_ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!) -> sgk_status {
    guard let handle = borrow(queue, as: QueueHandle.self, "sgk_queue_sync", "queue"), let work = required(work, "sgk_queue_sync", "work")
    else { return lastStatus() }
    if handle.queue.trySync({ work(context) }) { return SGK_OK }
    return ended("sgk_queue_sync")
}

private func ended(_ function: StaticString) -> sgk_status { failed(SGK_ERROR_ENDED, function, "queue", "what runs its work has ended") }

@_cdecl("sgk_queue_dispatch") @implementation
public func sgk_queue_dispatch(
    _ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(queue, as: QueueHandle.self, "sgk_queue_dispatch", "queue"), let work = required(work, "sgk_queue_dispatch", "work")
    else { return lastStatus() }
    return handle.queue.tryDispatch { work(callback.context) } ? SGK_OK : ended("sgk_queue_dispatch")
}

@_cdecl("sgk_queue_after") @implementation
public func sgk_queue_after(
    _ queue: OpaquePointer!, _ seconds: Double, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let handle = borrow(queue, as: QueueHandle.self, "sgk_queue_after", "queue"), let work = required(work, "sgk_queue_after", "work")
    else { return nil }
    if !hasRoom("sgk_queue_after") { return nil }
    if seconds.isNaN {
        record(SGK_ERROR_ARGUMENT, "sgk_queue_after", "seconds", "is not a number")
        return nil
    }
    return DisposableHandle(handle.queue.after(seconds) { work(callback.context) }).passedInAnyCase()
}

@_cdecl("sgk_drain") @implementation
public func sgk_drain(_ seconds: Double) -> sgk_status {
    guard isTime(seconds, "sgk_drain") else { return lastStatus() }
    let deadline = sgk_shim_monotonic_seconds() + seconds
    while true {
        if sgk_shim_is_main_thread() { _ = sgk_support_main_drain() }
        if WorkInFlight.isNone { return SGK_OK }
        if sgk_shim_monotonic_seconds() >= deadline { return failed(SGK_ERROR_TIMEOUT, "sgk_drain", "seconds", "are over, and there still is work") }
        usleep(200)
    }
}

// MARK: The main queue's loop

@_cdecl("sgk_main_run") @implementation
public func sgk_main_run() -> sgk_status { loop(sgk_support_main_run(), "sgk_main_run") }

@_cdecl("sgk_main_stop") @implementation
public func sgk_main_stop() -> sgk_status {
    sgk_support_main_stop()
    return SGK_OK
}

@_cdecl("sgk_main_drain") @implementation
public func sgk_main_drain() -> sgk_status { loop(sgk_support_main_drain(), "sgk_main_drain") }

@_cdecl("sgk_main_fd") @implementation
public func sgk_main_fd() -> Int32 {
    let descriptor = sgk_support_main_fd()
    if descriptor < 0 { record(sgk_status(rawValue: descriptor), "sgk_main_fd", "descriptor", "the system gave none") } else { MainQueueWatch.shared.settle() }
    return descriptor
}

private func loop(_ status: Int32, _ function: StaticString) -> sgk_status {
    switch sgk_status(rawValue: status) {
    case SGK_OK:
        MainQueueWatch.shared.settle()
        return SGK_OK
    case SGK_ERROR_THREAD: return failed(SGK_ERROR_THREAD, function, "thread", "is not the main thread")
    default: return failed(SGK_ERROR_SYSTEM, function, "descriptor", "the system refused it")
    }
}
