import CSignalKit

@_cdecl("sgk_signal_throttle") @implementation
public func sgk_signal_throttle(_ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue, "sgk_signal_throttle") { isTime(seconds, "sgk_signal_throttle") ? $0 |> throttle(seconds, queue: $1) : nil }
}

@_cdecl("sgk_signal_debounce") @implementation
public func sgk_signal_debounce(_ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue, "sgk_signal_debounce") { isTime(seconds, "sgk_signal_debounce") ? $0 |> debounce(seconds, queue: $1) : nil }
}

@_cdecl("sgk_signal_deliver_on") @implementation
public func sgk_signal_deliver_on(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue, "sgk_signal_deliver_on") { $0 |> deliverOn($1) }
}
