import CSignalKit

@_cdecl("sgk_overflow_counter_create") @implementation
public func sgk_overflow_counter_create() -> OpaquePointer! { ObjectHandle(OverflowCounter()).passed() }

@_cdecl("sgk_overflow_counter_dropped") @implementation
public func sgk_overflow_counter_dropped(_ counter: OpaquePointer!) -> Int64 {
    borrow(counter, as: OverflowCounter.self, "counter").map { Int64($0.dropped) } ?? -1
}

@_cdecl("sgk_overflow_counter_suspended") @implementation
public func sgk_overflow_counter_suspended(_ counter: OpaquePointer!) -> Int64 {
    borrow(counter, as: OverflowCounter.self, "counter").map { Int64($0.suspended) } ?? -1
}

@_cdecl("sgk_signal_deliver_on_bounded") @implementation
public func sgk_signal_deliver_on_bounded(
    _ signal: OpaquePointer!, _ queue: OpaquePointer!, _ limit: Int64, _ overflow: sgk_overflow, _ error: sgk_value,
    _ counter: OpaquePointer!
) -> OpaquePointer! {
    let error = Value(borrowing: error)
    return derive(signal, on: queue) { signal, queue in
        if limit < 1 {
            record(SGK_ERROR_ARGUMENT, "limit", "is less than 1")
            return nil
        }
        guard let policy = policy(overflow, error) else { return nil }
        guard let counter = known(counter) else { return nil }
        return signal |> deliverOn(queue, limit: Int(limit), overflow: policy, counter: counter)
    }
}

/// The counter, if there is one; nothing after having recorded that it is none.
private func known(_ counter: OpaquePointer?, in function: CString = #function) -> OverflowCounter?? {
    if counter == nil { return .some(nil) }
    return borrow(counter, as: OverflowCounter.self, "counter", in: function).map { .some($0) }
}

/// How much may wait in an operator that joins.
func bound(
    _ limit: Int64, _ argument: CString, atLeast least: Int64, _ overflow: sgk_overflow, _ error: Value,
    _ counter: OpaquePointer?, in function: CString = #function
) -> Bound<Value>? {
    guard let limit = count(limit, argument, atLeast: least, in: function),
        let policy = policy(overflow, error, in: function), let counter = known(counter, in: function)
    else { return nil }
    if case .suspend = policy {
        record(SGK_ERROR_ARGUMENT, "overflow", "cannot suspend where signals are joined", in: function)
        return nil
    }
    return Bound(limit, policy, counter)
}

/// A number of things, of which SGK_UNBOUNDED stands for any.
func count(_ number: Int64, _ argument: CString, atLeast least: Int64, in function: CString = #function) -> Int? {
    if number == Int64(SGK_UNBOUNDED) { return .max }
    if number >= least { return Int(number) }
    record(SGK_ERROR_ARGUMENT, argument, "is too small", in: function)
    return nil
}

private func policy(_ overflow: sgk_overflow, _ error: Value, in function: CString = #function) -> OverflowPolicy<
    Value
>? {
    switch overflow {
    case SGK_OVERFLOW_SUSPEND: return .suspend
    case SGK_OVERFLOW_DROP_OLDEST: return .dropOldest
    case SGK_OVERFLOW_DROP_NEWEST: return .dropNewest
    case SGK_OVERFLOW_KEEP_LATEST: return .keepLatest
    case SGK_OVERFLOW_ERROR: return .fail(error)
    default:
        record(SGK_ERROR_ARGUMENT, "overflow", "is none of the policies", in: function)
        return nil
    }
}
