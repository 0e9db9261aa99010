import CSignalKit

@_cdecl("sgk_queue_local_create") @implementation
public func sgk_queue_local_create(
    _ generator: sgk_make_object_fn!, _ drop: sgk_destroy_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let generator = required(generator, "generate"),
        let queue = borrow(queue, as: QueueHandle.self, "queue")?.queue
    else { return nil }
    if queue.executor.isConcurrent {
        record(SGK_ERROR_ARGUMENT, "queue", "must be a serial queue")
        return nil
    }
    return ObjectHandle(QueueLocalObject(queue: queue, generate: { ForeignObject(generator(callback.context), drop) }))
        .passed()
}

@_cdecl("sgk_queue_local_unsafe_get") @implementation
public func sgk_queue_local_unsafe_get(_ local: OpaquePointer!) -> UnsafeMutableRawPointer! {
    guard let local = borrow(local, as: QueueLocalObject<ForeignObject>.self, "local") else { return nil }
    if local.queue.isCurrent() { return local.unsafeGet()?.object }
    record(SGK_ERROR_THREAD, "local", "call this from work of its queue")
    return nil
}

@_cdecl("sgk_queue_local_with") @implementation
public func sgk_queue_local_with(
    _ local: OpaquePointer!, _ use: sgk_use_object_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let local = borrow(local, as: QueueLocalObject<ForeignObject>.self, "local"), let use = required(use, "use")
    else { return lastStatus() }
    local.with { use(callback.context, $0.object) }
    return SGK_OK
}

@_cdecl("sgk_queue_local_sync_with") @implementation
public func sgk_queue_local_sync_with(
    _ local: OpaquePointer!, _ use: sgk_use_object_fn!, _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    guard let local = borrow(local, as: QueueLocalObject<ForeignObject>.self, "local"),
        let use = required(use, "use")
    else { return lastStatus() }
    let executor = local.queue.executor, work = { use(context, local.made.object) }
    return executor.runIfIdle(work) ? SGK_OK : wait(for: executor, "local", work)
}

@_cdecl("sgk_queue_local_signal_with") @implementation
public func sgk_queue_local_signal_with(
    _ local: OpaquePointer!, _ generator: sgk_object_generator_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let local = borrow(local, as: QueueLocalObject<ForeignObject>.self, "local"),
        let generator = required(generator, "generator")
    else { return nil }
    return SignalHandle(
        local.signalWith { object, subscriber in
            generate(SubscriberHandle(subscriber)) { generator(callback.context, object.object, $0) }
        }
    ).passed()
}
