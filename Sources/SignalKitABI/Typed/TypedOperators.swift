import CSignalKit
import SignalKitSupport

/// The arguments of an operator with a typed function, as C passes them.
private struct TypedOperator {
    private let signal: OpaquePointer?
    private let f: sgk_function?
    private let signature: OpaquePointer?
    private let callback: Callback
    private let argument: CString
    private let name: CString

    /// - Parameters:
    ///   - argument: what the function is called in the header.
    ///   - name: the operator's.
    init(
        _ signal: OpaquePointer?, _ f: sgk_function?, _ signature: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
        _ destroy: sgk_destroy_fn?, _ argument: CString, in name: CString = #function
    ) {
        self.signal = signal
        self.f = f
        self.signature = signature
        self.argument = argument
        self.name = name
        callback = Callback(context, destroy, in: name)
    }

    /// A signal whose closures call the function.
    /// - Parameters:
    ///   - wanted: what the function is to return.
    ///   - arity: how many values it is to take at least.
    func stage(
        _ wanted: Wanted, arity: Int = 0, _ transform: @escaping (ValueSignal, TypedCall) -> ValueSignal
    ) -> OpaquePointer? {
        guard let signal = upstream(signal, in: name), let f = function(wanted, arity) else { return nil }
        let made = attempt(of: .one(signal), depth: signal.depth + 3, as: name) { run in
            transform(signal, TypedCall(function: f, run: run))
        }
        return SignalHandle(made).passed()
    }

    /// A signal with one more step, which can fail.
    func step(_ wanted: Wanted, _ step: (UnsafePointer<sgk_typed>?) -> sgk_step) -> OpaquePointer? {
        guard let handle = upstreamHandle(signal, in: name), let f = function(wanted, 0) else { return nil }
        let (step, owner) = CheckedStep.around(step(f.typed), f)
        return SignalHandle(handle.takeUnretainedValue(), adding: step, owner, canFail: true).passed()
    }

    private func function(_ wanted: Wanted, _ arity: Int) -> TypedFunction? {
        typed(f, signature, callback, argument, wanted, arity: arity, in: name)
    }
}

/// Creates an operator that takes only a signal and a function. Support/typed_operators.c calls it.
@_cdecl("sgk_support_typed_operator")
public func sgk_support_typed_operator(
    _ kind: sgk_typed_operator, _ name: UnsafePointer<CChar>, _ argument: UnsafePointer<CChar>,
    _ signal: OpaquePointer?, _ f: sgk_function?, _ signature: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ destroy: sgk_destroy_fn?
) -> OpaquePointer? {
    let made = TypedOperator(
        signal, f, signature, context, destroy, CString(text: argument), in: CString(text: name))
    switch kind {
    case SGK_TYPED_map: return made.step(.something, sgk_step_map_typed)
    case SGK_TYPED_filter: return made.step(.yesOrNo, sgk_step_filter_typed)
    case SGK_TYPED_before_next: return made.step(.anything, sgk_step_tap_typed)
    case SGK_TYPED_after_next: return made.stage(.anything) { signal, f in signal |> afterNext { f($0) } }
    case SGK_TYPED_before_error: return made.stage(.anything) { signal, f in signal |> beforeError { f($0) } }
    case SGK_TYPED_map_error: return made.stage(.something) { signal, f in signal |> mapError { f($0) ?? $0 } }
    case SGK_TYPED_distinct_until_changed_by:
        return made.stage(.yesOrNo, arity: 2) { signal, f in
            signal |> distinctUntilChanged(isEqual: { f.says($0, $1) })
        }
    case SGK_TYPED_take_while: return made.stage(.yesOrNo) { signal, f in signal |> take(while: { f.says($0) }) }
    case SGK_TYPED_skip_while: return made.stage(.yesOrNo) { signal, f in signal |> skip(while: { f.says($0) }) }
    case SGK_TYPED_switch_map: return made.stage(.signal) { signal, f in signal |> mapToSignal { f.signal($0) } }
    case SGK_TYPED_concat_map: return made.stage(.signal) { signal, f in signal |> mapToQueue { f.signal($0) } }
    case SGK_TYPED_concat_map_latest:
        return made.stage(.signal) { signal, f in signal |> mapToThrottled { f.signal($0) } }
    case SGK_TYPED_exhaust_map: return made.stage(.signal) { signal, f in signal |> mapToFirst { f.signal($0) } }
    case SGK_TYPED_catch: return made.stage(.signal) { signal, f in signal |> `catch` { f.signal($0) } }
    default: return nil
    }
}

// MARK: Operators with more arguments

@_cdecl("sgk_signal_reduce_typed") @implementation
public func sgk_signal_reduce_typed(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return TypedOperator(signal, reduce, signature, context, destroy, "reduce").stage(.something, arity: 2) {
        signal, f in
        signal
            |> reduceLeft(value: initial) { (accumulated: Value, value: Value) -> Value in
                f(accumulated, value) ?? accumulated
            }
    }
}

@_cdecl("sgk_signal_reduce_generator_typed") @implementation
public func sgk_signal_reduce_generator_typed(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ generator: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return TypedOperator(signal, generator, signature, context, destroy, "generator").stage(.signal, arity: 2) {
        signal, f in reduced(signal, initial) { f.signal($0, $1) }
    }
}

@_cdecl("sgk_signal_scan_typed") @implementation
public func sgk_signal_scan_typed(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_function!, _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return TypedOperator(signal, reduce, signature, context, destroy, "reduce").stage(.something, arity: 2) {
        signal, f in signal |> scan(initial) { f($0, $1) ?? $0 }
    }
}

@_cdecl("sgk_signal_distinct_by_typed") @implementation
public func sgk_signal_distinct_by_typed(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!,
    _ key: sgk_function!, _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    let made = TypedOperator(signal, key, signature, context, destroy, "key")
    guard let bound = kept(bound) else { return nil }
    return made.stage(.something) { signal, f in distinct(signal, bound) { value, _ in f(value) ?? value } }
}

@_cdecl("sgk_signal_merge_map_typed") @implementation
public func sgk_signal_merge_map_typed(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>!, _ map: sgk_function!,
    _ signature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let waiting = GivenBound(waiting)
    let made = TypedOperator(signal, map, signature, context, destroy, "map")
    guard let places = places(limit, waiting) else { return nil }
    return made.stage(.signal) { signal, f in signal |> merge(places.limit, places.bound) { f.signal($0) } }
}
