import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_share") @implementation
public func sgk_signal_share(
    _ signal: OpaquePointer!, _ replay: Int64, _ keep: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal) { signal in
        if replay < 0 {
            record(SGK_ERROR_ARGUMENT, "replay", "must be 0 or more")
            return nil
        }
        guard isTime(keep, "keep"), let lifetime = lifetime(keep, queue) else { return nil }
        return signal |> share(replay: Int(replay), keep: lifetime)
    }
}

/// Returns how long a shared subscription without subscribers stays active. Only a finite time more than 0 needs a
/// queue.
private func lifetime(_ seconds: Double, _ queue: OpaquePointer?) -> SharedRunLifetime? {
    if seconds == 0 { return .whileUsed }
    if seconds == .infinity { return .forever }
    return borrow(queue, as: QueueHandle.self, "queue", in: "sgk_signal_share").map { .for(seconds, $0.queue) }
}

// MARK: Runs by name

@_cdecl("sgk_multicast_create") @implementation
public func sgk_multicast_create() -> OpaquePointer! { ObjectHandle(NameTable<Connection<Value, Value>>()).passed() }

@_cdecl("sgk_multicast_get") @implementation
public func sgk_multicast_get(
    _ multicast: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ signal: OpaquePointer!
) -> OpaquePointer! {
    guard let runs = borrow(multicast, as: NameTable<Connection<Value, Value>>.self, "multicast"),
        let key = required(key, "key"), let signal = upstream(signal)
    else { return nil }
    return SignalHandle(runs.get(NameKey(key), signal)).passed()
}

extension NameKey {
    fileprivate init(_ name: UnsafePointer<CChar>) {
        self.init(
            bytes: UnsafeBufferPointer(
                start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: strlen(name)))
    }
}

// MARK: Managers

@_cdecl("sgk_multicast_signal_manager_create") @implementation
public func sgk_multicast_signal_manager_create() -> OpaquePointer! {
    ObjectHandle(MulticastSignalManager<Value, Value>()).passed()
}

@_cdecl("sgk_multicast_signal_manager_multicasted_signal") @implementation
public func sgk_multicast_signal_manager_multicasted_signal(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ producer: sgk_deferred_fn!,
    _ context: UnsafeMutableRawPointer!
) -> OpaquePointer! {
    guard let manager = borrow(manager, as: MulticastSignalManager<Value, Value>.self, "manager"),
        let producer = required(producer, "producer")
    else { return nil }
    let produce = { returned(producer(context)) }
    return SignalHandle(key.map { manager.multicastedSignal(NameKey($0), produce) } ?? produce()).passed()
}

@_cdecl("sgk_multicast_signal_manager_start_standalone_signal_if_not_running") @implementation
public func sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ producer: sgk_deferred_fn!,
    _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    guard let manager = borrow(manager, as: MulticastSignalManager<Value, Value>.self, "manager"),
        let key = required(key, "key"),
        let producer = required(producer, "producer")
    else { return lastStatus() }
    manager.startStandaloneSignalIfNotRunning(NameKey(key)) { returned(producer(context)) }
    return SGK_OK
}

@_cdecl("sgk_multicast_signal_manager_multicasted_pipe") @implementation
public func sgk_multicast_signal_manager_multicasted_pipe(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!
) -> OpaquePointer! {
    guard let object = borrow(manager, as: MulticastSignalManager<Value, Value>.self, "manager"),
        let key = required(key, "key")
    else { return nil }
    return passed(object.multicastedPipe(NameKey(key), keeping: borrowed(manager)))
}

@_cdecl("sgk_multicast_signal_manager_next") @implementation
public func sgk_multicast_signal_manager_next(
    _ manager: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: sgk_value
) -> sgk_status {
    let value = Value(borrowing: value)
    guard let manager = borrow(manager, as: MulticastSignalManager<Value, Value>.self, "manager"),
        let key = required(key, "key")
    else { return lastStatus() }
    return status(of: manager.putNext(value, NameKey(key)), "key")
}

// MARK: One after another

@_cdecl("sgk_sequencer_create") @implementation
public func sgk_sequencer_create() -> OpaquePointer! { ObjectHandle(SignalQueue()).passed() }

@_cdecl("sgk_sequencer_enqueue") @implementation
public func sgk_sequencer_enqueue(_ sequencer: OpaquePointer!, _ signal: OpaquePointer!) -> OpaquePointer! {
    guard let queue = borrow(sequencer, as: SignalQueue.self, "sequencer"),
        let signal = upstream(signal)
    else { return nil }
    return SignalHandle(queue.enqueue(signal)).passed()
}
