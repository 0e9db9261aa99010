/// Something that can be disposed of, which cancels work or frees resources. Disposing twice is allowed and does
/// nothing.
public protocol Disposable: AnyObject {
    /// Cancels the work or frees the resources.
    func dispose()
}

final class NoDisposable: Disposable, @unchecked Sendable {
    func dispose() {}
}

/// The one disposable that has nothing to dispose.
public let EmptyDisposable: any Disposable & Sendable = NoDisposable()
