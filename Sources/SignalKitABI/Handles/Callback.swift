import CSignalKit
import SignalKitSupport

/// The context of a C callback. Whatever calls the function holds this; when the last one lets go, `destroy` runs, once.
final class Callback {
    let context: UnsafeMutableRawPointer?
    private let destroy: sgk_destroy_fn?

    init(_ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        self.context = context
        self.destroy = destroy
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), 1)
    }

    deinit {
        destroy?(context)
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), -1)
    }
}
