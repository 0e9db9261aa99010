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
public func sgk_multicast_create() -> OpaquePointer! { MulticastHandle(NameTable()).passed() }

@_cdecl("sgk_multicast_get") @implementation
public func sgk_multicast_get(_ multicast: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ signal: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(multicast, as: MulticastHandle.self, "sgk_multicast_get", "multicast"),
        let key = required(key, "sgk_multicast_get", "key"), let signal = upstream(signal, "sgk_multicast_get")
    else { return nil }
    return SignalHandle(handle.runs.get(NameKey(key), signal)).passed()
}

extension NameKey {
    fileprivate init(_ name: UnsafePointer<CChar>) {
        self.init(bytes: UnsafeBufferPointer(start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: strlen(name)))
    }
}

// MARK: Managers

@_cdecl("sgk_multicast_signal_manager_retain") @implementation
public func sgk_multicast_signal_manager_retain(_ handle: OpaquePointer!) -> OpaquePointer! {
    retain(handle, as: MulticastSignalManagerHandle.self, "sgk_multicast_signal_manager_retain")
}

@_cdecl("sgk_multicast_signal_manager_release") @implementation
public func sgk_multicast_signal_manager_release(_ handle: OpaquePointer!) {
    release(handle, as: MulticastSignalManagerHandle.self, "sgk_multicast_signal_manager_release")
}

@_cdecl("sgk_multicast_signal_manager_create") @implementation
public func sgk_multicast_signal_manager_create() -> OpaquePointer! { MulticastSignalManagerHandle().passed() }

@_cdecl("sgk_multicast_signal_manager_multicasted_signal") @implementation
public func sgk_multicast_signal_manager_multicasted_signal(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ producer: sgk_deferred_fn!, _ context: UnsafeMutableRawPointer!
) -> OpaquePointer! {
    let function: StaticString = "sgk_multicast_signal_manager_multicasted_signal"
    guard let manager = borrow(manager, as: MulticastSignalManagerHandle.self, function, "manager")?.manager,
        let producer = required(producer, function, "producer")
    else { return nil }
    let produce = { returned(producer(context), function) }
    return SignalHandle(key.map { manager.multicastedSignal(NameKey($0), produce) } ?? produce()).passed()
}

@_cdecl("sgk_multicast_signal_manager_start_standalone_signal_if_not_running") @implementation
public func sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ producer: sgk_deferred_fn!, _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    let function: StaticString = "sgk_multicast_signal_manager_start_standalone_signal_if_not_running"
    guard let manager = borrow(manager, as: MulticastSignalManagerHandle.self, function, "manager")?.manager, let key = required(key, function, "key"),
        let producer = required(producer, function, "producer")
    else { return lastStatus() }
    manager.startStandaloneSignalIfNotRunning(NameKey(key)) { returned(producer(context), function) }
    return SGK_OK
}

@_cdecl("sgk_multicast_signal_manager_multicasted_pipe") @implementation
public func sgk_multicast_signal_manager_multicasted_pipe(_ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!) -> OpaquePointer! {
    let function: StaticString = "sgk_multicast_signal_manager_multicasted_pipe"
    guard let manager = borrow(manager, as: MulticastSignalManagerHandle.self, function, "manager")?.manager, let key = required(key, function, "key")
    else { return nil }
    return passed(manager.multicastedPipe(NameKey(key)))
}

@_cdecl("sgk_multicast_signal_manager_next") @implementation
public func sgk_multicast_signal_manager_next(_ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: sgk_value) -> sgk_status {
    let function: StaticString = "sgk_multicast_signal_manager_next", value = Value(borrowing: value)
    guard let manager = borrow(manager, as: MulticastSignalManagerHandle.self, function, "manager")?.manager, let key = required(key, function, "key")
    else { return lastStatus() }
    return status(of: manager.putNext(value, NameKey(key)), function, "key")
}

// MARK: One after another

@_cdecl("sgk_sequencer_retain") @implementation
public func sgk_sequencer_retain(_ handle: OpaquePointer!) -> OpaquePointer! { retain(handle, as: SequencerHandle.self, "sgk_sequencer_retain") }

@_cdecl("sgk_sequencer_release") @implementation
public func sgk_sequencer_release(_ handle: OpaquePointer!) { release(handle, as: SequencerHandle.self, "sgk_sequencer_release") }

@_cdecl("sgk_sequencer_create") @implementation
public func sgk_sequencer_create() -> OpaquePointer! { SequencerHandle(SignalQueue()).passed() }

@_cdecl("sgk_sequencer_enqueue") @implementation
public func sgk_sequencer_enqueue(_ sequencer: OpaquePointer!, _ signal: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(sequencer, as: SequencerHandle.self, "sgk_sequencer_enqueue", "sequencer"),
        let signal = upstream(signal, "sgk_sequencer_enqueue")
    else { return nil }
    return SignalHandle(handle.queue.enqueue(signal)).passed()
}
