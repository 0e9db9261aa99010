import CSignalKit
import SignalKitSupport

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
    return joined(by: f, of: Sources(combined.signals)) { call in combined.latest { $1.emitted(call($0)) } }
}

/// Returns a function that takes one value of each signal.
private func typed(
    _ f: sgk_function?, _ text: OpaquePointer?, _ callback: Callback, _ argument: CString, _ wanted: Wanted,
    of count: Int, in function: CString = #function
) -> TypedFunction? {
    guard let f = typed(f, text, callback, argument, wanted, in: function) else { return nil }
    if f.signature.arity == count { return f }
    record(SGK_ERROR_ARGUMENT, "signature", "must have one parameter for each signal", in: function)
    return nil
}

/// Creates a signal that combines the values of several signals with a typed function.
private func joined(
    by f: TypedFunction, of sources: Sources, in function: CString = #function,
    _ join: @escaping (TypedCall) -> Signal<Value?, Value>
) -> OpaquePointer? {
    let signal = attempt(of: sources, depth: sources.depth + 3, as: function) { run in
        join(TypedCall(function: f, run: run)) |> compactMap { $0 }
    }
    return SignalHandle(signal).passed()
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
    return joined(by: f, of: [source, other]) { call in
        source |> withLatestFrom(other) { paired($0, $1) { call($0) } }
    }
}

@_cdecl("sgk_zip_typed") @implementation
public func sgk_zip_typed(
    _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ bound: UnsafePointer<sgk_bound>!, _ map: sgk_function!,
    _ signature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy), bound = GivenBound(bound)
    guard let sources = zipped(signals, count, bound),
        let f = typed(map, signature, callback, "map", .something, of: count)
    else { return nil }
    return joined(by: f, of: Sources(sources.signals)) { call in sources.joined { $1.emitted(call($0)) } }
}
