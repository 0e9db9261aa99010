import CSignalKit
import SignalKitSupport

/// What stands behind a pointer that a C program holds: a counted object that knows its kind, so that a handle of another kind is an error
/// and no crash. The references that C holds are the object's own.
class Handle {
    /// "SGK" and the kind: what a pointer to something else is unlikely to show.
    fileprivate final let mark: UInt32

    class var kind: sgk_live { fatalError() }

    init(_ kind: sgk_live) {
        mark = Handle.mark(kind)
        sgk_support_count(UInt32(kind.rawValue), 1)
    }

    deinit {
        sgk_support_count(mark & 0xff, -1)
    }

    fileprivate static func mark(_ kind: sgk_live) -> UInt32 { 0x5347_4b00 | UInt32(kind.rawValue) }
}

extension Handle {
    /// The pointer for C, with one reference of its own.
    final func passed() -> OpaquePointer {
        let pointer = OpaquePointer(Unmanaged.passRetained(self).toOpaque())
        if sgk_support_is_debug() { Registry.added(pointer) }
        return pointer
    }
}

/// The object behind an argument, or `nil` after having recorded why not.
@inline(__always)
func borrow<H: Handle>(_ pointer: OpaquePointer?, as type: H.Type, _ function: StaticString, _ argument: StaticString) -> H? {
    guard let pointer else {
        record(SGK_ERROR_NULL, function, argument, "is NULL")
        return nil
    }
    if sgk_support_is_debug() && !Registry.isLive(pointer, function) {
        record(SGK_ERROR_HANDLE, function, argument, "is no live handle")
        return nil
    }
    let handle = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    if handle.mark != Handle.mark(H.kind) {
        record(SGK_ERROR_HANDLE, function, argument, "is a handle of another kind")
        return nil
    }
    return unsafeDowncast(handle, to: H.self)
}

/// `X_retain`.
func retain<H: Handle>(_ pointer: OpaquePointer?, as type: H.Type, _ function: StaticString) -> OpaquePointer? {
    guard pointer != nil, let handle = borrow(pointer, as: type, function, "handle") else { return nil }
    _ = Unmanaged.passRetained(handle)
    if sgk_support_is_debug() { Registry.added(pointer!) }
    return pointer
}

/// `X_release`.
func release<H: Handle>(_ pointer: OpaquePointer?, as type: H.Type, _ function: StaticString) {
    guard pointer != nil, let handle = borrow(pointer, as: type, function, "handle") else { return }
    if sgk_support_is_debug() && !Registry.removed(pointer!, function) { return }
    Unmanaged.passUnretained(handle).release()
}
