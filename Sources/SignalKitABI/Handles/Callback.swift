import CSignalKit
import SignalKitSupport

/// The context of a C callback. When its last reference is released, `destroy` runs once.
struct Context: ~Copyable {
    let pointer: UnsafeMutableRawPointer?
    private let destroy: sgk_destroy_fn?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        self.pointer = pointer
        self.destroy = destroy
        Context.begins()
    }

    deinit { Context.ends(pointer, destroy) }

    // Counts a context that an object contains itself. The object also knows when the context ends.
    @inline(__always)
    static func begins() { sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), 1) }

    @inline(__always)
    static func ends(_ pointer: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        destroy?(pointer)
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), -1)
    }
}

/// The context of a C callback with several callers. Each caller retains this object.
class Callback {
    private final let held: Context
    /// The function that it was given to, for messages.
    final let function: CString
    final var context: UnsafeMutableRawPointer? { held.pointer }
    /// The operators that it represents in descriptions.
    var operatorCount: Int { 1 }
    func operation(at index: Int) -> CString { function }

    init(_ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?, in function: CString = #function) {
        held = Context(context, destroy)
        self.function = function
    }
}
