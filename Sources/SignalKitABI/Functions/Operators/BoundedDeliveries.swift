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
        guard let bound = Bound(limit, overflow, error, counter) else { return nil }
        return signal |> deliverOn(queue, limit: bound.limit, overflow: bound.overflow, counter: bound.counter)
    }
}

/// How many values may wait, and what becomes of more, as C says it; `nil` after having recorded what is wrong with it.
struct Bound {
    let limit: Int
    let overflow: OverflowPolicy<Value>
    let counter: OverflowCounter?

    init?(
        _ limit: Int64, _ overflow: sgk_overflow, _ error: Value, _ counter: OpaquePointer?, in function: CString = #function
    ) {
        if limit < 1 {
            record(SGK_ERROR_ARGUMENT, "limit", "is less than 1", in: function)
            return nil
        }
        guard let policy = policy(overflow, error, in: function) else { return nil }
        var known: OverflowCounter?
        if counter != nil {
            known = borrow(counter, as: OverflowCounter.self, "counter", in: function)
            if known == nil { return nil }
        }
        (self.limit, self.overflow, self.counter) = (Int(limit), policy, known)
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
