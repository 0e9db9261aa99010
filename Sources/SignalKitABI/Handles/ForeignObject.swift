import CSignalKit

/// A C object with the function that releases it.
final class ForeignObject {
    let object: UnsafeMutableRawPointer?
    private let drop: sgk_destroy_fn?

    init(_ object: UnsafeMutableRawPointer?, _ drop: sgk_destroy_fn?) {
        self.object = object
        self.drop = drop
    }

    deinit {
        drop?(object)
    }
}
