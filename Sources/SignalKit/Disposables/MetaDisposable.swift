/// Holds at most one disposable, which can be replaced.
public final class MetaDisposable: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var isDisposed = false
    @exclusivity(unchecked) private var child: (any Disposable)?

    public init() {}

    /// Stores `disposable`, then disposes the one that was there before. On a disposed container it is disposed at once instead.
    /// Setting the one that is there already changes nothing.
    public func set(_ disposable: Disposable?) {
        lock.lock()
        let obsolete: (any Disposable)?
        if isDisposed {
            obsolete = disposable
        } else if child === disposable {
            obsolete = nil
        } else {
            obsolete = child
            child = disposable
        }
        lock.unlock()
        obsolete?.dispose()
    }

    public func dispose() {
        lock.lock()
        isDisposed = true
        let taken = child
        child = nil
        lock.unlock()
        if let taken { Turns.dispose(taken) }
    }
}
