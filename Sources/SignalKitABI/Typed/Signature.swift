import CSignalKit
import SignalKitSupport

/// A compiled signature: the types, and how functions of them are called. Callbacks keep it as long as they can be
/// called.
final class Signature {
    let plan: OpaquePointer

    /// `nil` when libffi refuses.
    static func create(_ parameters: [sgk_type], _ result: sgk_type, throughLibffi: Bool) -> Signature? {
        sgk_support_plan_create(parameters, parameters.count, result, throughLibffi).map { Signature($0) }
    }

    private init(_ plan: OpaquePointer) { self.plan = plan }

    deinit { sgk_support_plan_free(plan) }

    var result: sgk_type { sgk_support_plan_result(plan) }
    /// The number of values that the parameters take.
    var arity: Int { sgk_support_plan_arity(plan) }
}

/// The signature that a typed function is given. When there is none because its text was wrong, that error stays.
func signature(
    _ pointer: OpaquePointer?, _ argument: CString = "signature", in function: CString = #function
) -> Signature? {
    if pointer == nil && sgk_support_may_have_failed(SGK_LIVE_SIGNATURE.rawValue) { return nil }
    return borrow(pointer, as: Signature.self, argument, in: function)
}

@_cdecl("sgk_signature_create") @implementation
public func sgk_signature_create(_ text: UnsafePointer<CChar>!) -> OpaquePointer! {
    guard let text = required(text, "text") else { return nil }
    var parser = SignatureParser(text)
    guard let signature = parser.signature() else { return nil }
    return ObjectHandle(signature).passed()
}

/// The signature does not count as a live object, because nothing destroys it.
@_cdecl("sgk_signature_shared") @implementation
public func sgk_signature_shared(_ text: UnsafePointer<CChar>!) -> OpaquePointer! {
    guard let text = required(text, "text") else { return nil }
    if let known = sgk_support_shared(text) { return OpaquePointer(known) }
    var parser = SignatureParser(text)
    guard let signature = parser.signature() else { return nil }
    let handle = Unmanaged.passRetained(ObjectHandle(signature)).toOpaque()
    sgk_support_share(text, handle)
    sgk_support_count(UInt32(SGK_LIVE_SIGNATURE.rawValue), -1)
    return OpaquePointer(handle)
}

@_cdecl("sgk_signature_arity") @implementation
public func sgk_signature_arity(_ signature: OpaquePointer!) -> Int {
    borrow(signature, as: Signature.self, "signature")?.arity ?? 0
}

@_cdecl("sgk_signature_uses_libffi") @implementation
public func sgk_signature_uses_libffi(_ signature: OpaquePointer!) -> Bool {
    guard let signature = borrow(signature, as: Signature.self, "signature") else { return false }
    return sgk_support_plan_uses_libffi(signature.plan)
}
