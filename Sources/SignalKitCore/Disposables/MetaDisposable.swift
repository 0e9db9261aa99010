/// Retains at most one disposable, which can be replaced.
public final class MetaDisposable: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var slot = Slot.empty

    /// Creates an empty container.
    public init() {}

    /// Stores `disposable`, then disposes the previous one. A disposed container disposes the new one immediately
    /// instead. Setting the same disposable again has no effect.
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
