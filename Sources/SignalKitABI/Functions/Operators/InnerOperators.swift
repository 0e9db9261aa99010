import CSignalKit

@_cdecl("sgk_signal_throttled") @implementation
public func sgk_signal_throttled(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_throttled") { $0 |> mapToThrottled { $0.signal ?? .fail($0) } }
}
