import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_version") @implementation
public func sgk_version() -> UnsafePointer<CChar>! { CString("1.0.0").text }

@_cdecl("sgk_last_error") @implementation
public func sgk_last_error() -> UnsafePointer<CChar>! {
    sgk_support_error_is_read()
    return sgk_support_error_text()
}

@_cdecl("sgk_last_status") @implementation
public func sgk_last_status() -> sgk_status {
    sgk_support_error_is_read()
    return lastStatus()
}

@_cdecl("sgk_clear_error") @implementation
public func sgk_clear_error() { sgk_support_clear_error() }

@_cdecl("sgk_set_log_handler") @implementation
public func sgk_set_log_handler(_ log: sgk_log_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!) {
    Log.receivesWarnings
    Log.handler.set(log, context, destroy)
}

@_cdecl("sgk_set_unhandled_error_handler") @implementation
public func sgk_set_unhandled_error_handler(
    _ handler: sgk_unhandled_error_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) {
    Unhandled.handler.set(handler, context, destroy)
}

@_cdecl("sgk_ignore_error") @implementation
public func sgk_ignore_error(_ context: UnsafeMutableRawPointer!, _ error: sgk_value) {}

@_cdecl("sgk_live_count") @implementation
public func sgk_live_count(_ kind: sgk_live) -> Int64 {
    kind.rawValue < UInt32(SGK_SHIM_LIVE_KINDS) ? sgk_support_counted(UInt32(kind.rawValue)) : -1
}

@_cdecl("sgk_live_total") @implementation
public func sgk_live_total() -> Int64 { sgk_support_counted_all() }
