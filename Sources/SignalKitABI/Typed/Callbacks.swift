import CSignalKit
import SignalKitSupport

@_cdecl("sgk_callback_create") @implementation
public func sgk_callback_create(
    _ signature: OpaquePointer!, _ result: sgk_value, _ handler: sgk_map_array_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    return create(signature, result) { _ in handler.map { .values($0, callback) } ?? NativeAnswers.Handler.none }
}

@_cdecl("sgk_callback_create_typed") @implementation
public func sgk_callback_create_typed(
    _ signature: OpaquePointer!, _ result: sgk_value, _ handler: sgk_function!, _ handlerSignature: OpaquePointer!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    return create(signature, result) { signature in
        guard let handler = typed(handler, handlerSignature, callback, "handler", .anything) else { return nil }
        if handler.signature.arity == signature.arity { return .typed(handler) }
        record(SGK_ERROR_ARGUMENT, "handler_signature", "must take as many values as the signature")
        return nil
    }
}

/// - Parameter handler: Creates the handler, if there is one. Returns `nil` after it recorded an error.
private func create(
    _ pointer: OpaquePointer?, _ result: sgk_value, in function: CString = #function,
    handler: (Signature) -> NativeAnswers.Handler?
) -> OpaquePointer? {
    let result = Value(borrowing: result)
    guard let signature = signature(pointer, in: function), let handler = handler(signature) else { return nil }
    if handler.exists && (signature.result == SGK_TYPE_cstr || signature.result == SGK_TYPE_text) {
        record(
            SGK_ERROR_ARGUMENT, "signature", "a handler must not return a text: it would not outlive the call",
            in: function)
        return nil
    }
    return NativeFunction.create(signature, fixed: result, handler, in: function).flatMap { ObjectHandle($0).passed() }
}

@_cdecl("sgk_callback_function") @implementation
public func sgk_callback_function(_ callback: OpaquePointer!) -> sgk_function! {
    borrow(callback, as: NativeFunction.self, "callback")?.function
}

@_cdecl("sgk_callback_signal") @implementation
public func sgk_callback_signal(_ callback: OpaquePointer!) -> OpaquePointer! {
    borrow(callback, as: NativeFunction.self, "callback").flatMap { SignalHandle($0.signal).passed() }
}

@_cdecl("sgk_callback_disposable") @implementation
public func sgk_callback_disposable(_ callback: OpaquePointer!) -> OpaquePointer! {
    borrow(callback, as: NativeFunction.self, "callback").flatMap { DisposableHandle($0).passed() }
}
