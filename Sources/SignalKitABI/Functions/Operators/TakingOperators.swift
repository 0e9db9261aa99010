import CSignalKit

@_cdecl("sgk_signal_take") @implementation
public func sgk_signal_take(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { isNotNegative(count) ? $0 |> take(Int(count)) : nil }
}

@_cdecl("sgk_signal_take_last") @implementation
public func sgk_signal_take_last(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { isNotNegative(count) ? $0 |> takeLast(Int(count)) : nil }
}

@_cdecl("sgk_signal_take_while") @implementation
public func sgk_signal_take_while(
    _ signal: OpaquePointer!, _ f: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "filter") { signal, f, callback in
        signal |> take(while: { callback.call(f, $0) })
    }
}

@_cdecl("sgk_signal_skip") @implementation
public func sgk_signal_skip(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { isNotNegative(count) ? $0 |> skip(Int(count)) : nil }
}

@_cdecl("sgk_signal_skip_while") @implementation
public func sgk_signal_skip_while(
    _ signal: OpaquePointer!, _ f: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "filter") { signal, f, callback in
        signal |> skip(while: { callback.call(f, $0) })
    }
}
