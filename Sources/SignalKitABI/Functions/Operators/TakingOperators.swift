import CSignalKit

@_cdecl("sgk_signal_take") @implementation
public func sgk_signal_take(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { signal in
        if count >= 0 { return signal |> take(Int(count)) }
        record(SGK_ERROR_ARGUMENT, "count", "is negative")
        return nil
    }
}

@_cdecl("sgk_signal_take_until") @implementation
public func sgk_signal_take_until(
    _ signal: OpaquePointer!, _ until: sgk_take_until_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, until, context, destroy, "until") { signal, until, callback in
        signal |> take(until: { SignalTakeAction(callback.call(until, $0)) })
    }
}

extension SignalTakeAction {
    init(_ action: sgk_take_action) {
        self.init(
            passthrough: action.rawValue & SGK_TAKE_PASSTHROUGH.rawValue != 0,
            complete: action.rawValue & SGK_TAKE_COMPLETE.rawValue != 0)
    }
}

@_cdecl("sgk_signal_take_last") @implementation
public func sgk_signal_take_last(_ signal: OpaquePointer!) -> OpaquePointer! { derive(signal) { $0 |> takeLast } }

@_cdecl("sgk_signal_last") @implementation
public func sgk_signal_last(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { last(signal: $0) |> map { $0 ?? .null } }
}
