import CSignalKit

@_cdecl("sgk_reader_create") @implementation
public func sgk_reader_create(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    guard let signal = source(signal),
        let bound = bound.checked(BoundRules(limit: 1024, overflow: SGK_OVERFLOW_SUSPEND, mayPause: true))
    else { return nil }
    return ObjectHandle(
        SignalReader(signal, limit: bound.limit, overflow: bound.overflow, counter: bound.counter)
    ).passed()
}

@_cdecl("sgk_reader_next") @implementation
public func sgk_reader_next(
    _ reader: OpaquePointer!, _ seconds: Double, _ value: UnsafeMutablePointer<sgk_value>!
) -> sgk_status {
    value?.pointee = sgk_null()
    guard let reader = borrow(reader, as: SignalReader<Value, Value>.self, "reader"), isTime(seconds),
        let value = required(value, "value")
    else { return lastStatus() }
    return status(of: reader.next(timeout: seconds), value)
}

@_cdecl("sgk_reader_fd") @implementation
public func sgk_reader_fd(_ reader: OpaquePointer!) -> Int32 {
    guard let reader = borrow(reader, as: SignalReader<Value, Value>.self, "reader") else {
        return lastStatus().rawValue
    }
    guard let descriptor = reader.descriptor() else { return SGK_ERROR_ENDED.rawValue }
    if descriptor >= 0 { return descriptor }
    return failed(SGK_ERROR_SYSTEM, "descriptor", "the system cannot create a descriptor").rawValue
}

@_cdecl("sgk_reader_when_ready") @implementation
public func sgk_reader_when_ready(
    _ reader: OpaquePointer!, _ ready: sgk_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let reader = borrow(reader, as: SignalReader<Value, Value>.self, "reader"),
        let ready = required(ready, "ready")
    else { return lastStatus() }
    reader.whenReady { ready(callback.context) }
    return SGK_OK
}

@_cdecl("sgk_reader_close") @implementation
public func sgk_reader_close(_ reader: OpaquePointer!) -> sgk_status {
    guard let reader = borrow(reader, as: SignalReader<Value, Value>.self, "reader") else { return lastStatus() }
    reader.close()
    return SGK_OK
}

@_cdecl("sgk_signal_get") @implementation
public func sgk_signal_get(
    _ signal: OpaquePointer!, _ seconds: Double, _ value: UnsafeMutablePointer<sgk_value>!
) -> sgk_status {
    value?.pointee = sgk_null()
    guard let signal = upstream(signal), isTime(seconds), let value = required(value, "value")
    else { return lastStatus() }
    return status(of: signal.readFirst(timeout: seconds), value)
}

@_cdecl("sgk_signal_collect") @implementation
public func sgk_signal_collect(
    _ signal: OpaquePointer!, _ limit: Int64, _ seconds: Double, _ values: UnsafeMutablePointer<sgk_value>!
) -> sgk_status {
    values?.pointee = sgk_null()
    guard let signal = upstream(signal), isCount(limit, "limit"), isTime(seconds),
        let values = required(values, "values")
    else { return lastStatus() }
    var all: [Value] = []
    let reading = signal.readAll(limit: Int(limit), timeout: seconds) { all.append($0) }
    guard case .completed = reading else { return status(of: reading, values) }
    return status(of: .value(.array(all)), values)
}

/// Returns the status of a read, and stores the value or the error at the caller's place.
@inline(never)
private func status(
    of reading: Reading<Value, Value>, _ place: UnsafeMutablePointer<sgk_value>, in function: CString = #function
) -> sgk_status {
    switch reading {
    case let .value(value):
        place.pointee = value.handedOut()
        return SGK_OK
    case let .failed(error):
        place.pointee = error.handedOut()
        return SGK_ERROR_FAILED
    case .completed: return SGK_ERROR_COMPLETED
    case .timeout: return SGK_ERROR_TIMEOUT
    case .closed: return SGK_ERROR_ENDED
    case .refused:
        Slowness.refusedToWait()
        return failed(SGK_ERROR_THREAD, "thread", "must not wait inside work of a serial queue", in: function)
    }
}
