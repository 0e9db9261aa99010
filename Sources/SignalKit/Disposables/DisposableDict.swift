/// Holds a disposable per key.
///
/// Keys are hashed and compared while the container is locked: their `==` and `hash(into:)` must not use it.
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
        // The stored key goes after unlocking too: it may be an object.
        var removed: (key: T, value: any Disposable)?
        if isDisposed {
            obsolete = disposable
        } else if let index = members.index(forKey: key) {
            let current = members[index].value
            obsolete = current === disposable ? nil : current
            if let disposable { members.values[index] = disposable } else { removed = members.remove(at: index) }
        } else {
            obsolete = nil
            if let disposable { members[key] = disposable }
        }
        lock.unlock()
        withExtendedLifetime(removed) { obsolete?.dispose() }
    }

    /// Disposes each member once, in no particular order.
    public func dispose() {
        lock.lock()
        isDisposed = true
        let taken = members
        members = [:]
        lock.unlock()
        for member in taken.values { Turns.dispose(member) }
    }
}
