import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_multicast") @implementation
public func sgk_signal_multicast(_ signal: OpaquePointer!) -> OpaquePointer! { derive(signal, "sgk_signal_multicast") { $0 |> multicast } }

// MARK: Runs by name

@_cdecl("sgk_multicast_retain") @implementation
public func sgk_multicast_retain(_ handle: OpaquePointer!) -> OpaquePointer! { retain(handle, as: MulticastHandle.self, "sgk_multicast_retain") }

@_cdecl("sgk_multicast_release") @implementation
public func sgk_multicast_release(_ handle: OpaquePointer!) { release(handle, as: MulticastHandle.self, "sgk_multicast_release") }

@_cdecl("sgk_multicast_create") @implementation
public func sgk_multicast_create() -> OpaquePointer! { MulticastHandle(RunsByName()).passed() }

@_cdecl("sgk_multicast_get") @implementation
public func sgk_multicast_get(_ multicast: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ signal: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(multicast, as: MulticastHandle.self, "sgk_multicast_get", "multicast"),
        let key = required(key, "sgk_multicast_get", "key"), let signal = upstream(signal, "sgk_multicast_get")
    else { return nil }
    let name = UnsafeBufferPointer(start: UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self), count: strlen(key))
    return SignalHandle(handle.runs.get(NameKey(bytes: name), signal)).passed()
}

// MARK: One after another

@_cdecl("sgk_signal_queue_retain") @implementation
public func sgk_signal_queue_retain(_ handle: OpaquePointer!) -> OpaquePointer! { retain(handle, as: SignalQueueHandle.self, "sgk_signal_queue_retain") }

@_cdecl("sgk_signal_queue_release") @implementation
public func sgk_signal_queue_release(_ handle: OpaquePointer!) { release(handle, as: SignalQueueHandle.self, "sgk_signal_queue_release") }

@_cdecl("sgk_signal_queue_create") @implementation
public func sgk_signal_queue_create() -> OpaquePointer! { SignalQueueHandle(SignalQueue()).passed() }

@_cdecl("sgk_signal_queue_enqueue") @implementation
public func sgk_signal_queue_enqueue(_ queue: OpaquePointer!, _ signal: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(queue, as: SignalQueueHandle.self, "sgk_signal_queue_enqueue", "queue"),
        let signal = upstream(signal, "sgk_signal_queue_enqueue")
    else { return nil }
    return SignalHandle(handle.queue.enqueue(signal)).passed()
}
