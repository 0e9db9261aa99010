import CSignalKit
import SignalKitSupport

/// A typed function as the closures of an operator call it, in one run: what does not fit ends the run with an error.
struct TypedCall {
    let function: TypedFunction
    let run: Attempt<Value, Value>

    /// The result; `nil` when the run has come to its end, and what the closure returns goes nowhere.
    func callAsFunction(_ value: Value) -> Value? { run.isActive ? checked(function.call(spreading: value)) : nil }
    func callAsFunction(_ values: UnsafeBufferPointer<Value>) -> Value? {
        run.isActive ? checked(function.call(all: values)) : nil
    }
    func callAsFunction(_ first: Value, _ second: Value) -> Value? {
        run.isActive ? checked(function.call(first, spreading: second)) : nil
    }

    private func checked(_ outcome: TypedFunction.Outcome) -> Value? {
        switch outcome {
        case let .result(value): return value
        case let .failure(error): return run.fail(error, instead: nil)
        }
    }
}

/// What an operator wants to know from its function.
enum Wanted {
    case anything, something, yesOrNo, number, signal

    func isGiven(by type: sgk_type) -> Bool {
        switch self {
        case .anything: return true
        case .something: return type != SGK_TYPE_void
        case .yesOrNo: return type == SGK_TYPE_bool || Wanted.number.isGiven(by: type)
        case .number: return type.rawValue >= SGK_TYPE_i8.rawValue && type.rawValue <= SGK_TYPE_u64.rawValue
        case .signal: return type == SGK_TYPE_ptr
        }
    }

    var complaint: CString {
        switch self {
        case .anything, .something: return "has no result"
        case .yesOrNo: return "has a result that is neither bool nor an integer"
        case .number: return "has a result that is no integer"
        case .signal: return "has a result that is no ptr"
        }
    }
}

/// A function that fits an operator, or `nil` after having recorded why it does not.
/// - Parameter arity: how many values it is to take at least.
func typed(
    _ f: sgk_function?, _ text: OpaquePointer?, _ callback: Callback, _ argument: CString, _ wanted: Wanted,
    arity: Int = 0,
    in function: CString = #function
) -> TypedFunction? {
    guard let f = required(f, argument, in: function), let signature = signature(text, in: function) else { return nil }
    if !wanted.isGiven(by: signature.result) {
        record(SGK_ERROR_ARGUMENT, "signature", wanted.complaint, in: function)
        return nil
    }
    if signature.arity < arity {
        record(SGK_ERROR_ARGUMENT, "signature", "has too few parameters", in: function)
        return nil
    }
    return TypedFunction(f, signature, callback, in: function)
}

/// A signal made of a signal and a typed function.
@inline(never)
private func derive(
    _ pointer: OpaquePointer?, _ f: sgk_function?, _ signature: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ destroy: sgk_destroy_fn?, _ argument: CString, _ wanted: Wanted, arity: Int = 0, if isRight: Bool = true,
    in function: CString = #function, _ transform: @escaping (ValueSignal, TypedCall) -> ValueSignal
) -> OpaquePointer? {
    let callback = Callback(context, destroy, in: function)
    guard isRight, let signal = upstream(pointer, in: function),
        let f = typed(f, signature, callback, argument, wanted, arity: arity, in: function)
    else { return nil }
    return SignalHandle(attempt(depth: signal.depth + 3) { transform(signal, TypedCall(function: f, run: $0)) })
        .passed()
}

/// A signal with one more step, which can fail.
@inline(never)
private func derive(
    _ pointer: OpaquePointer?, _ f: sgk_function?, _ signature: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ destroy: sgk_destroy_fn?, _ argument: CString, _ wanted: Wanted, in function: CString = #function,
    step: (UnsafePointer<sgk_typed>?) -> sgk_step
) -> OpaquePointer? {
    let callback = Callback(context, destroy, in: function)
    guard let handle = upstreamHandle(pointer, in: function),
        let f = typed(f, signature, callback, argument, wanted, in: function)
    else { return nil }
    let (step, owner) = CheckedStep.around(step(f.typed), f)
    return SignalHandle(handle.takeUnretainedValue(), adding: step, owner, canFail: true).passed()
}

extension Optional<Value> {
    /// The answer of a predicate.
    fileprivate var isTrue: Bool { integer != 0 }

    fileprivate var integer: UInt64 {
        if case let .plain(_, bits) = self { return bits }
        return 0
    }

    /// The signal of a function that returns one.
    fileprivate func signal(in function: CString = #function) -> ValueSignal {
        returned(OpaquePointer(bitPattern: UInt(integer)), in: function)
    }
}

@_cdecl("sgk_signal_map_typed") @implementation
public func sgk_signal_map_typed(
    _ signal: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, map, signature, context, destroy, "map", .something, step: sgk_step_map_typed)
}

@_cdecl("sgk_signal_filter_typed") @implementation
public func sgk_signal_filter_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "filter", .yesOrNo, step: sgk_step_filter_typed)
}

@_cdecl("sgk_signal_map_error_typed") @implementation
public func sgk_signal_map_error_typed(
    _ signal: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, map, signature, context, destroy, "map", .something) { signal, call in
        signal |> mapError { call($0) ?? $0 }
    }
}

@_cdecl("sgk_signal_before_next_typed") @implementation
public func sgk_signal_before_next_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "f", .anything, step: sgk_step_tap_typed)
}

@_cdecl("sgk_signal_after_next_typed") @implementation
public func sgk_signal_after_next_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "f", .anything) { signal, call in signal |> afterNext { call($0) } }
}

@_cdecl("sgk_signal_distinct_until_changed_by_typed") @implementation
public func sgk_signal_distinct_until_changed_by_typed(
    _ signal: OpaquePointer!, _ equal: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, equal, signature, context, destroy, "equal", .yesOrNo, arity: 2) { signal, call in
        signal |> distinctUntilChanged(isEqual: { call($0, $1).isTrue })
    }
}

@_cdecl("sgk_signal_reduce_left_typed") @implementation
public func sgk_signal_reduce_left_typed(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, signature, context, destroy, "reduce", .something, arity: 2) { signal, call in
        signal
            |> reduceLeft(value: initial) { (accumulated: Value, value: Value) -> Value in
                call(accumulated, value) ?? accumulated
            }
    }
}

@_cdecl("sgk_signal_scan_typed") @implementation
public func sgk_signal_scan_typed(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, signature, context, destroy, "reduce", .something, arity: 2) { signal, call in
        signal |> scan(initial) { call($0, $1) ?? $0 }
    }
}

@_cdecl("sgk_signal_take_until_typed") @implementation
public func sgk_signal_take_until_typed(
    _ signal: OpaquePointer!, _ until: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, until, signature, context, destroy, "until", .number) { signal, call in
        signal |> take(until: { value in
            SignalTakeAction(sgk_take_action(rawValue: UInt32(truncatingIfNeeded: call(value).integer)))
        })
    }
}

@_cdecl("sgk_signal_take_while_typed") @implementation
public func sgk_signal_take_while_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "filter", .yesOrNo) { signal, call in
        signal |> take(while: { call($0).isTrue })
    }
}

@_cdecl("sgk_signal_skip_while_typed") @implementation
public func sgk_signal_skip_while_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "filter", .yesOrNo) { signal, call in
        signal |> skip(while: { call($0).isTrue })
    }
}

@_cdecl("sgk_signal_map_to_signal_typed") @implementation
public func sgk_signal_map_to_signal_typed(
    _ signal: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, map, signature, context, destroy, "map", .signal) { signal, call in
        signal |> mapToSignal { call($0).signal() }
    }
}

@_cdecl("sgk_signal_map_to_queue_typed") @implementation
public func sgk_signal_map_to_queue_typed(
    _ signal: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, map, signature, context, destroy, "map", .signal) { signal, call in
        signal |> mapToQueue { call($0).signal() }
    }
}

@_cdecl("sgk_signal_catch_typed") @implementation
public func sgk_signal_catch_typed(
    _ signal: OpaquePointer!, _ f: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, signature, context, destroy, "f", .signal) { signal, call in
        signal |> `catch` { call($0).signal() }
    }
}

@_cdecl("sgk_signal_retry_if_typed") @implementation
public func sgk_signal_retry_if_typed(
    _ signal: OpaquePointer!, _ predicate: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, predicate, signature, context, destroy, "predicate", .yesOrNo) { signal, call in
        signal |> retryIf { call($0).isTrue }
    }
}

@_cdecl("sgk_combine_latest_typed") @implementation
public func sgk_combine_latest_typed(
    _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ map: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let combined = combined(signals, count, queue),
        let f = typed(map, signature, callback, "map", .something, of: count)
    else { return nil }
    return joined(by: f, depth: combined.depth) { call in combined.latest { call($0) } }
}

/// A function that takes a value of each of so many signals.
private func typed(
    _ f: sgk_function?, _ text: OpaquePointer?, _ callback: Callback, _ argument: CString, _ wanted: Wanted,
    of count: Int, in function: CString = #function
) -> TypedFunction? {
    guard let f = typed(f, text, callback, argument, wanted, in: function) else { return nil }
    if f.signature.arity == count { return f }
    record(SGK_ERROR_ARGUMENT, "signature", "has not as many parameters as there are signals", in: function)
    return nil
}

/// A signal of what a typed function makes of the values of several.
/// - Parameter depth: how many stages the longest of them has.
private func joined(
    by f: TypedFunction, depth: Int, _ join: @escaping (TypedCall) -> Signal<Value?, Value>
) -> OpaquePointer? {
    SignalHandle(attempt(depth: depth + 3) { join(TypedCall(function: f, run: $0)) |> compactMap { $0 } }).passed()
}

@_cdecl("sgk_signal_map_to_merged_typed") @implementation
public func sgk_signal_map_to_merged_typed(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: Int64, _ overflow: sgk_overflow, _ error: sgk_value,
    _ counter: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let error = Value(borrowing: error), places = places(limit, waiting, overflow, error, counter)
    return derive(signal, map, signature, context, destroy, "map", .signal, if: places != nil) { signal, call in
        signal |> merge(places!.limit, places!.bound) { call($0).signal() }
    }
}

@_cdecl("sgk_signal_map_to_first_typed") @implementation
public func sgk_signal_map_to_first_typed(
    _ signal: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, map, signature, context, destroy, "map", .signal) { signal, call in
        signal |> mapToFirst { call($0).signal() }
    }
}

@_cdecl("sgk_signal_with_latest_from_typed") @implementation
public func sgk_signal_with_latest_from_typed(
    _ signal: OpaquePointer!, _ other: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let source = upstream(signal), let other = upstream(other, "other"),
        let f = typed(map, signature, callback, "map", .something, of: 2)
    else { return nil }
    return joined(by: f, depth: max(source.depth, other.depth)) { call in
        source |> withLatestFrom(other) { paired($0, $1) { call($0) } }
    }
}

@_cdecl("sgk_zip_typed") @implementation
public func sgk_zip_typed(
    _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ limit: Int64, _ overflow: sgk_overflow,
    _ error: sgk_value, _ counter: OpaquePointer!, _ map: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy), error = Value(borrowing: error)
    guard let sources = zipped(signals, count, limit, overflow, error, counter),
        let f = typed(map, signature, callback, "map", .something, of: count)
    else { return nil }
    return joined(by: f, depth: sources.signals.reduce(0) { max($0, $1.depth) }) { call in sources.joined { call($0) } }
}
