/// Holds a disposable per key.
public final class DisposableDict<T: Hashable>: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var isDisposed = false
    @exclusivity(unchecked) private var members: [T: any Disposable] = [:]

    public init() {}

    /// Stores `disposable` under `key`, then disposes what was there before; `nil` removes and disposes it. Setting the one that is
    /// there already changes nothing. On a disposed container the disposable is disposed at once.
    public func set(_ disposable: Disposable?, forKey key: T) {
        lock.lock()
        let obsolete: (any Disposable)?
        if isDisposed {
            obsolete = disposable
        } else {
            let current = members[key]
            if current === disposable {
                obsolete = nil
            } else {
                members[key] = disposable
                obsolete = current
            }
        }
        lock.unlock()
        obsolete?.dispose()
    }

    /// Disposes each member once, in no particular order.
    public func dispose() {
        lock.lock()
        isDisposed = true
        let taken = members
        members = [:]
        lock.unlock()
        for member in taken.values { member.dispose() }
    }
}
