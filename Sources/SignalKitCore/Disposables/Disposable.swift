/// An object that cancels work or releases resources. Disposing it twice is allowed. The second call has no effect.
@preconcurrency
public protocol Disposable: AnyObject, Sendable {
    /// Cancels the work or frees the resources.
    func dispose()
}

final class NoDisposable: Disposable, @unchecked Sendable {
    func dispose() {}
}

/// The one disposable that has nothing to dispose.
public let EmptyDisposable: any Disposable & Sendable = NoDisposable()
