import CSignalKit

@_cdecl("sgk_timer_create") @implementation
public func sgk_timer_create(
    _ seconds: Double, _ repeats: Bool, _ fire: sgk_work_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let fire = required(fire, "fire"), let handle = borrow(queue, as: QueueHandle.self, "queue")
    else { return nil }
    guard isTimeout(seconds, repeats) else { return nil }
    let timer = Timer(timeout: seconds, repeat: repeats, completion: { fire(callback.context) }, queue: handle.queue)
    return TimerHandle(timer).passed()
}

@_cdecl("sgk_timer_start") @implementation
public func sgk_timer_start(_ timer: OpaquePointer!) -> sgk_status {
    guard let handle = borrow(timer, as: TimerHandle.self, "timer"), isServed(handle.timer.executor, after: .infinity)
    else { return lastStatus() }
    handle.timer.start()
    return SGK_OK
}

@_cdecl("sgk_timer_invalidate") @implementation
public func sgk_timer_invalidate(_ timer: OpaquePointer!) -> sgk_status {
    guard let handle = borrow(timer, as: TimerHandle.self, "timer") else { return lastStatus() }
    handle.timer.invalidate()
    return SGK_OK
}

@_cdecl("sgk_timer_fire_and_invalidate") @implementation
public func sgk_timer_fire_and_invalidate(_ timer: OpaquePointer!) -> sgk_status {
    guard let handle = borrow(timer, as: TimerHandle.self, "timer") else { return lastStatus() }
    handle.timer.fireAndInvalidate()
    return SGK_OK
}

@_cdecl("sgk_timer_reset_timeout") @implementation
public func sgk_timer_reset_timeout(_ timer: OpaquePointer!, _ seconds: Double) -> sgk_status {
    guard let handle = borrow(timer, as: TimerHandle.self, "timer"),
        isTimeout(seconds, handle.timer.repeats)
    else { return lastStatus() }
    handle.timer.resetTimeout(seconds)
    return SGK_OK
}

@_cdecl("sgk_timer_is_scheduled") @implementation
public func sgk_timer_is_scheduled(_ timer: OpaquePointer!) -> Bool {
    borrow(timer, as: TimerHandle.self, "timer")?.timer.isScheduled ?? false
}

@_cdecl("sgk_timer_remaining_time") @implementation
public func sgk_timer_remaining_time(_ timer: OpaquePointer!) -> Double {
    borrow(timer, as: TimerHandle.self, "timer")?.timer.remainingTime ?? .infinity
}

@_cdecl("sgk_timer_timeout_date") @implementation
public func sgk_timer_timeout_date(_ timer: OpaquePointer!) -> Double {
    borrow(timer, as: TimerHandle.self, "timer")?.timer.timeoutDate ?? .infinity
}

private func isTimeout(_ seconds: Double, _ repeats: Bool, in function: CString = #function) -> Bool {
    if !seconds.isNaN && (!repeats || seconds > 0) { return true }
    record(SGK_ERROR_ARGUMENT, "seconds", "must be a number, and more than 0 for a repeating timer", in: function)
    return false
}
