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
        bound(limit, overflow, error, counter).map {
            signal |> deliverOn(queue, limit: $0.limit, overflow: $0.overflow, counter: $0.counter)
        }
    }
}

/// How much may wait, and what becomes of the rest.
struct Bound {
    let limit: Int
    let overflow: OverflowPolicy<Value>
    let counter: OverflowCounter?
}

/// A bound as C gives it, or `nil` after having recorded what is wrong with it.
func bound(
    _ limit: Int64, _ overflow: sgk_overflow, _ error: Value, _ counter: OpaquePointer?,
    in function: CString = #function
) -> Bound? {
    guard isCount(limit, "limit", in: function), let policy = policy(overflow, error, in: function) else { return nil }
    if counter == nil { return Bound(limit: Int(limit), overflow: policy, counter: nil) }
    return borrow(counter, as: OverflowCounter.self, "counter", in: function).map {
        Bound(limit: Int(limit), overflow: policy, counter: $0)
    }
}

/// Whether so many can be, or an error having been recorded that they cannot.
func isCount(_ count: Int64, _ argument: CString, in function: CString = #function) -> Bool {
    if count >= 1 { return true }
    record(SGK_ERROR_ARGUMENT, argument, "is less than 1", in: function)
    return false
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
