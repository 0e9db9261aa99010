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

/// The limit and the overflow policy, as C passes them.
struct BoundArguments {
    let limit: Int
    let overflow: OverflowPolicy<Value>
    let counter: OverflowCounter?

    /// For an operator that never suspends.
    var bound: Bound<Value> { Bound(limit, overflow, counter) }
}

/// Returns the checked arguments, or `nil` after it recorded an error. The limit may be SGK_UNBOUNDED, and the policy
/// SGK_OVERFLOW_SUSPEND, only if the operator allows it.
func bound(
    _ limit: Int64, called argument: CString = "limit", atLeast least: Int64 = 1,
    orUnbounded mayBeUnbounded: Bool = false, _ overflow: sgk_overflow, _ error: Value, _ counter: OpaquePointer?,
    notSuspending refusal: CString? = nil, in function: CString = #function
) -> BoundArguments? {
    guard let limit = count(limit, argument, atLeast: least, orUnbounded: mayBeUnbounded, in: function),
        let policy = policy(overflow, error, in: function)
    else { return nil }
    if let refusal, case .suspend = policy {
        record(SGK_ERROR_ARGUMENT, "overflow", refusal, in: function)
        return nil
    }
    if counter == nil { return BoundArguments(limit: limit, overflow: policy, counter: nil) }
    return borrow(counter, as: OverflowCounter.self, "counter", in: function).map {
        BoundArguments(limit: limit, overflow: policy, counter: $0)
    }
}

func isCount(_ number: Int64, _ argument: CString, in function: CString = #function) -> Bool {
    count(number, argument, in: function) != nil
}

/// Returns a checked count, or `nil` after it recorded that the count is too small.
func count(
    _ number: Int64, _ argument: CString, atLeast least: Int64 = 1, orUnbounded mayBeUnbounded: Bool = false,
    in function: CString = #function
) -> Int? {
    if mayBeUnbounded && number == Int64(SGK_UNBOUNDED) { return .max }
    if number >= least { return Int(number) }
    record(SGK_ERROR_ARGUMENT, argument, least == 0 ? "must be 0 or more" : "must be 1 or more", in: function)
    return nil
}

private func policy(
    _ overflow: sgk_overflow, _ error: Value, in function: CString = #function
) -> OverflowPolicy<
    Value
>? {
    switch overflow {
    case SGK_OVERFLOW_SUSPEND: return .suspend
    case SGK_OVERFLOW_DROP_OLDEST: return .dropOldest
    case SGK_OVERFLOW_DROP_NEWEST: return .dropNewest
    case SGK_OVERFLOW_KEEP_LATEST: return .keepLatest
    case SGK_OVERFLOW_ERROR: return .fail(error)
    default:
        record(SGK_ERROR_ARGUMENT, "overflow", "must be a sgk_overflow", in: function)
        return nil
    }
}
