import CSignalKit

@_cdecl("sgk_queue_create_virtual") @implementation
public func sgk_queue_create_virtual(_ beside: OpaquePointer!) -> OpaquePointer! {
    if beside == nil {
        let time = VirtualTime()
        return QueueHandle(time.queue, of: time).passed()
    }
    guard let time = time(of: beside, "beside") else { return nil }
    return QueueHandle(time.makeQueue(), of: time).passed()
}

@_cdecl("sgk_queue_now") @implementation
public func sgk_queue_now(_ queue: OpaquePointer!) -> Double {
    borrow(queue, as: QueueHandle.self, "queue")?.queue.now ?? .nan
}

@_cdecl("sgk_queue_advance") @implementation
public func sgk_queue_advance(_ queue: OpaquePointer!, _ seconds: Double) -> sgk_status {
    guard let clock = clock(queue), isFinite(seconds, from: 0, "seconds") else { return lastStatus() }
    return clock.advance(to: clock.now + seconds) ? SGK_OK : busy()
}

@_cdecl("sgk_queue_advance_to") @implementation
public func sgk_queue_advance_to(_ queue: OpaquePointer!, _ time: Double) -> sgk_status {
    guard let clock = clock(queue), isFinite(time, from: -.infinity, "time") else { return lastStatus() }
    return clock.advance(to: time) ? SGK_OK : busy()
}

@_cdecl("sgk_queue_run") @implementation
public func sgk_queue_run(_ queue: OpaquePointer!, _ limit: Int64) -> Int64 {
    guard let clock = clock(queue) else { return Int64(lastStatus().rawValue) }
    if limit < 1 { return Int64(failed(SGK_ERROR_ARGUMENT, "limit", "must be 1 or more").rawValue) }
    return clock.run(atMost: Int(limit)).map { Int64($0) } ?? Int64(busy().rawValue)
}

@_cdecl("sgk_queue_pending") @implementation
public func sgk_queue_pending(_ queue: OpaquePointer!) -> Int64 {
    clock(queue).map { Int64($0.timeline.count) } ?? Int64(lastStatus().rawValue)
}

@_cdecl("sgk_queue_suspend") @implementation
public func sgk_queue_suspend(_ queue: OpaquePointer!, _ seconds: Double) -> sgk_status {
    guard let clock = clock(queue), isFinite(seconds, from: 0, "seconds") else { return lastStatus() }
    clock.suspend(seconds)
    return SGK_OK
}

private func clock(_ queue: OpaquePointer?, in function: CString = #function) -> VirtualClock? {
    time(of: queue, "queue", in: function)?.clock
}

private func time(of queue: OpaquePointer?, _ argument: CString, in function: CString = #function) -> VirtualTime? {
    guard let handle = borrow(queue, as: QueueHandle.self, argument, in: function) else { return nil }
    if let time = handle.time { return time }
    record(SGK_ERROR_ARGUMENT, argument, "must have a virtual clock", in: function)
    return nil
}

private func busy(in function: CString = #function) -> sgk_status {
    failed(SGK_ERROR_THREAD, "queue", "another thread is advancing the clock", in: function)
}
