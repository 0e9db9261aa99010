/// Holds at most one disposable, which can be replaced.
public final class MetaDisposable: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var slot = Slot.empty

    /// Begins empty.
    public init() {}

    /// Stores `disposable`, then disposes the one that was there before. On a disposed container it is disposed at once
    /// instead. Setting the one that is there already changes nothing.
    public func set(_ disposable: Disposable?) {
        let obsolete: (any Disposable)? = lock.withLock {
            guard let disposable else { return slot.take() }
            if case let .holding(current) = slot, current === disposable { return nil }
            return slot.store(disposable)
        }
        obsolete?.dispose()
    }

    public func dispose() {
        if let taken = lock.withLock({ slot.close() }) { Turns.dispose(taken) }
    }
}
