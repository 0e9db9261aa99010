import CSignalKit
import SignalKitSupport

/// The object behind a handle of a C program. It counts references and stores its kind, so that a handle of another
/// kind causes an error instead of a crash. The references of the C program are references to this object.
class Handle {
    /// "SGK" and the kind: what a pointer to something else is unlikely to show.
    fileprivate final let mark: UInt32

    class var kind: sgk_live { fatalError() }

    /// The name that the program assigned.
    var name: UnsafePointer<CChar>? { nil }

    init(_ kind: sgk_live) {
        mark = Handle.mark(kind)
        sgk_support_count(UInt32(kind.rawValue), 1)
    }

    deinit {
        sgk_support_count(mark & 0xff, -1)
    }

    /// The mark behind a pointer that may be no object of ours: read as memory (the first field, after an object's
    /// header).
    fileprivate static func mark(at pointer: UnsafeRawPointer) -> UInt32 {
        pointer.load(fromByteOffset: SGK_OBJECT_HEADER, as: UInt32.self)
    }

    /// Gives a reference of C's back. (`Unmanaged.release` would first count up.)
    fileprivate static func letGo(_ pointer: UnsafeMutableRawPointer) {
        _ = Unmanaged<Handle>.fromOpaque(pointer).moved()
    }

    static func kind(at pointer: UnsafeRawPointer) -> UInt32 { mark(at: pointer) & 0xff }

    fileprivate static var mark: UInt32 { 0x5347_4b00 }
    fileprivate static func mark(_ kind: sgk_live) -> UInt32 { mark | UInt32(kind.rawValue) }
}

extension Handle {
    /// Returns the pointer for C, with one reference. Returns `nil` if the object is from the memory reserve, so that
    /// the program stops before the reserve is exhausted.
    final consuming func passed() -> OpaquePointer? {
        let pointer = OpaquePointer(Unmanaged.passRetained(consume self).toOpaque())
        return sgk_support_attends(.max) ? Handle.attended(pointer) : pointer
    }

    @inline(never)
    private static func attended(_ pointer: OpaquePointer) -> OpaquePointer? {
        let kind = kind(at: UnsafeRawPointer(pointer))
        if !sgk_support_has_room() {
            recordNoMemory(sgk_live_text(sgk_live(rawValue: kind)))
            letGo(UnsafeMutableRawPointer(pointer))
            return nil
        }
        sgk_support_made(kind)
        if sgk_support_is_debug() { Registry.added(pointer) }
        return pointer
    }

    /// Returns a pointer even when memory is short. Use it for work in progress that nobody could stop without a
    /// handle.
    final consuming func passedInAnyCase() -> OpaquePointer {
        let pointer = OpaquePointer(Unmanaged.passRetained(consume self).toOpaque())
        if sgk_support_is_debug() { Registry.added(pointer) }
        return pointer
    }
}

/// The handle behind an argument, or `nil` after having recorded why not.
@inline(never)
func borrow<H: Handle>(
    _ pointer: OpaquePointer?, as type: H.Type, _ argument: CString, in function: CString = #function
) -> H? {
    peek(pointer, as: type, argument, in: function)?.takeUnretainedValue()
}

/// Returns the object behind an argument that represents one.
@inline(__always)
func borrow<Object: Handled>(
    _ pointer: OpaquePointer?, as type: Object.Type, _ argument: CString, in function: CString = #function
) -> Object? {
    object(pointer, Object.kind, argument, in: function).map { unsafeDowncast($0, to: Object.self) }
}

@inline(never)
private func object(
    _ pointer: OpaquePointer?, _ kind: sgk_live, _ argument: CString, in function: CString
) -> AnyObject? {
    guard let handle = known(pointer, kind) ?? examine(pointer, kind, argument, in: function) else { return nil }
    return Unmanaged<ObjectHandle>.fromOpaque(handle)._withUnsafeGuaranteedRef { $0.object }
}

/// Returns the handle of an object that was borrowed before. A caller that retains the handle instead of the object
/// makes it visible in the counts.
func borrowed(_ pointer: OpaquePointer!) -> AnyObject {
    Unmanaged<ObjectHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// `borrow` without counting: for a function that uses the handle before it calls anything of the program's.
@inline(__always)
func peek<H: Handle>(
    _ pointer: OpaquePointer?, as type: H.Type, _ argument: CString, in function: CString = #function
) -> Unmanaged<H>? {
    known(pointer, as: type) ?? examine(pointer, H.kind, argument, in: function).map { .fromOpaque($0) }
}

/// Returns the handle behind an argument if the fast check succeeds.
@inline(__always)
func known<H: Handle>(_ pointer: OpaquePointer?, as type: H.Type) -> Unmanaged<H>? {
    known(pointer, H.kind).map { .fromOpaque($0) }
}

@inline(__always)
private func known(_ pointer: OpaquePointer?, _ kind: sgk_live) -> UnsafeMutableRawPointer? {
    guard let pointer, sgk_support_is_debug_off(), Handle.mark(at: UnsafeRawPointer(pointer)) == Handle.mark(kind)
    else { return nil }
    return UnsafeMutableRawPointer(pointer)
}

/// The pointer, if it is to a live handle of that kind, or `nil` after having recorded what else it is.
@inline(never)
private func examine(
    _ pointer: OpaquePointer?, _ kind: sgk_live, _ argument: CString, in function: CString
) -> UnsafeMutableRawPointer? {
    guard let pointer else {
        record(SGK_ERROR_NULL, argument, "must not be NULL", in: function)
        return nil
    }
    if sgk_support_is_debug() && !Registry.isLive(pointer, in: function) {
        record(SGK_ERROR_HANDLE, argument, "must be a live handle", in: function)
        return nil
    }
    if Handle.mark(at: UnsafeRawPointer(pointer)) != Handle.mark(kind) {
        record(SGK_ERROR_HANDLE, argument, "must have the handle type of this parameter", in: function)
        return nil
    }
    return UnsafeMutableRawPointer(pointer)
}

// MARK: References that C holds

@_cdecl("sgk_retain") @implementation
public func sgk_retain(_ pointer: UnsafeMutableRawPointer!) -> UnsafeMutableRawPointer! {
    guard let pointer else { return nil }
    if sgk_support_is_debug() && !Registry.isLive(OpaquePointer(pointer), in: #function) {
        record(SGK_ERROR_HANDLE, "handle", "must be a live handle")
        return nil
    }
    guard isHandle(pointer) else { return nil }
    _ = Unmanaged<Handle>.fromOpaque(pointer).retain()
    if sgk_support_is_debug() { Registry.added(OpaquePointer(pointer)) }
    return pointer
}

@_cdecl("sgk_release") @implementation
public func sgk_release(_ pointer: UnsafeMutableRawPointer!) {
    guard let pointer else { return }
    if sgk_support_is_debug() && !Registry.removed(OpaquePointer(pointer), in: #function) {
        return record(SGK_ERROR_HANDLE, "handle", "must be a live handle")
    }
    if isHandle(pointer) { Handle.letGo(pointer) }
}

/// Whether a pointer is to a handle of any kind, or `false` with an error.
private func isHandle(_ pointer: UnsafeRawPointer, in function: CString = #function) -> Bool {
    if Handle.mark(at: pointer) & ~0xff == Handle.mark { return true }
    record(SGK_ERROR_HANDLE, "handle", "must be a handle", in: function)
    return false
}
