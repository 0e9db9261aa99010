import CSignalKit

@_cdecl("sgk_pipe_create") @implementation
public func sgk_pipe_create() -> OpaquePointer! { PipeHandle(Feed(replay: false)).passed() }

@_cdecl("sgk_pipe_create_replay") @implementation
public func sgk_pipe_create_replay() -> OpaquePointer! { PipeHandle(Feed(replay: true)).passed() }

@_cdecl("sgk_pipe_signal") @implementation
public func sgk_pipe_signal(_ pipe: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(pipe, as: PipeHandle.self, "pipe") else { return nil }
    return SignalHandle(handle.feed.signal()).passed()
}

@_cdecl("sgk_pipe_next") @implementation
public func sgk_pipe_next(_ pipe: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    if let handle = known(pipe, as: PipeHandle.self), let plain = Value(plain: value) { return next(handle, plain) }
    return nextSlowly(pipe, value)
}

/// Handles every case except a plain value for a live pipe.
@inline(never)
private func nextSlowly(_ pipe: OpaquePointer?, _ value: sgk_value, in function: CString = #function) -> sgk_status {
    let value = Value(borrowing: value)
    guard let handle = peek(pipe, as: PipeHandle.self, "pipe", in: function) else { return lastStatus() }
    return next(handle, value, in: function)
}

@inline(__always)
private func next(_ handle: Unmanaged<PipeHandle>, _ value: Value, in function: CString = #function) -> sgk_status {
    let put = Listeners.put(value, into: handle._withUnsafeGuaranteedRef { $0.listeners })
    if put == .accepted { return SGK_OK }
    return put == .paused ? SGK_PAUSED : put == .left ? status(of: put, "pipe", in: function) : SGK_ERROR_ENDED
}

@_cdecl("sgk_pipe_is_paused") @implementation
public func sgk_pipe_is_paused(_ pipe: OpaquePointer!) -> Bool {
    borrow(pipe, as: PipeHandle.self, "pipe")?.feed.listeners.isPaused ?? false
}

@_cdecl("sgk_pipe_on_resume") @implementation
public func sgk_pipe_on_resume(
    _ pipe: OpaquePointer!, _ resumed: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(pipe, as: PipeHandle.self, "pipe"), let resumed = required(resumed, "resumed"),
        let queue = borrow(queue, as: QueueHandle.self, "queue")?.queue
    else { return lastStatus() }
    handle.feed.listeners.onResume(queue) { resumed(callback.context) }
    return SGK_OK
}

@_cdecl("sgk_pipe_complete") @implementation
public func sgk_pipe_complete(_ pipe: OpaquePointer!) -> sgk_status { finish(pipe, .completed) }

@_cdecl("sgk_pipe_error") @implementation
public func sgk_pipe_error(_ pipe: OpaquePointer!, _ error: sgk_value) -> sgk_status {
    finish(pipe, .error(Value(borrowing: error)))
}

/// Retains only the listeners during the call. If a callback releases the last reference to the pipe, the pipe and its
/// latest value are destroyed then.
private func finish(_ pipe: OpaquePointer?, _ end: End<Value>, in function: CString = #function) -> sgk_status {
    guard let handle = peek(pipe, as: PipeHandle.self, "pipe", in: function) else { return lastStatus() }
    let listeners = handle._withUnsafeGuaranteedRef { $0.listeners }.takeUnretainedValue()
    return status(of: listeners.finish(end), "pipe", in: function)
}

/// The handle of a signal that cannot fail.
func passed(_ signal: Signal<Value, NoError>) -> OpaquePointer? {
    SignalHandle(signal |> castError(Value.self, as: .hidden)).passed()
}
