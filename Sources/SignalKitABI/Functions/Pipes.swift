import CSignalKit

@_cdecl("sgk_pipe_retain") @implementation
public func sgk_pipe_retain(_ handle: OpaquePointer!) -> OpaquePointer! { retain(handle, as: PipeHandle.self, "sgk_pipe_retain") }

@_cdecl("sgk_pipe_release") @implementation
public func sgk_pipe_release(_ handle: OpaquePointer!) { release(handle, as: PipeHandle.self, "sgk_pipe_release") }

@_cdecl("sgk_pipe_create") @implementation
public func sgk_pipe_create() -> OpaquePointer! { PipeHandle(ValuePipe()).passed() }

@_cdecl("sgk_pipe_signal") @implementation
public func sgk_pipe_signal(_ pipe: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(pipe, as: PipeHandle.self, "sgk_pipe_signal", "pipe") else { return nil }
    return SignalHandle(handle.pipe.signal() |> castError(Value.self)).passed()
}

@_cdecl("sgk_pipe_next") @implementation
public func sgk_pipe_next(_ pipe: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    guard let handle = borrow(pipe, as: PipeHandle.self, "sgk_pipe_next", "pipe") else { return lastStatus() }
    handle.pipe.putNext(Value(borrowing: value))
    return SGK_OK
}
