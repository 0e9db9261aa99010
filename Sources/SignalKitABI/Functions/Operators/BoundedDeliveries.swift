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
        var known: OverflowCounter?
        if counter != nil {
            known = borrow(counter, as: OverflowCounter.self, "counter")
            if known == nil { return nil }
        }
        return signal |> deliverOn(queue, limit: Int(limit), overflow: policy, counter: known)
    }
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
