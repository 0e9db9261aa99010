/// Retains one disposable per key.
///
/// A subscription that has ended is removed (see `DisposableSet`). Keys are hashed and compared while the container is
/// locked, so their `==` and `hash(into:)` must not use it.
public final class DisposableDict<T: Hashable>: Disposable, @unchecked Sendable {
    private let entries = Entries<T>()

    /// Creates an empty container.
    public init() {}

    deinit {
        for entry in entries.close() { _ = entry.take() }
    }

    /// Stores `disposable` under `key`, then disposes the previous one. `nil` removes and disposes the previous one.
    /// Setting the same disposable again has no effect. On a disposed container the new disposable is disposed
    /// immediately.
    public func set(_ disposable: Disposable?, forKey key: T) {
        set(disposable, forKey: key, run: disposable.flatMap { Membership.run(of: $0) })
    }

    /// Disposes each member once, in no particular order.
    public func dispose() {
        for entry in entries.close() { entry.dispose() }
    }

    /// - Parameter run: the subscription that the disposable represents, if there is one.
    func set(_ disposable: (any Disposable)?, forKey key: T, run: Subscription?) {
        guard let disposable else {
            entries.remove(key)
            return
        }
        let entry = Entry(disposable, key, entries, run)
        entry.enter(run: run)
        entries.store(entry)
    }
}

/// A disposable under its key.
private final class Entry<T: Hashable>: Membership {
    let disposable: any Disposable
    let key: T
    private let entries: Entries<T>
    /// Under the lock of the entries.
    @exclusivity(unchecked) var hasLeft = false

    init(_ disposable: any Disposable, _ key: T, _ entries: Entries<T>, _ run: Subscription?) {
        self.disposable = disposable
        self.key = key
        self.entries = entries
        super.init(of: run ?? disposable)
    }

    override func leave() { entries.left(self) }

    /// Disposes the disposable, unless the entry has left the container.
    func dispose() {
        if take() { Turns.dispose(disposable) }
    }
}

/// The content of such a container. Removed entries and their keys are released after unlocking, because they may be
/// objects.
private final class Entries<T: Hashable>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var isClosed = false
    @exclusivity(unchecked) private var members: [T: Entry<T>] = [:]

    func store(_ entry: Entry<T>) {
        lock.lock()
        let current = isClosed ? nil : members[entry.key]
        let isThere = current?.disposable === entry.disposable
        var removed: (key: T, value: Entry<T>)?
        if isClosed || isThere || entry.hasLeft {
            if !isThere { removed = take(entry.key) }
        } else {
            members[entry.key] = entry
        }
        let isLate = isClosed
        lock.unlock()
        if isThere { _ = entry.take() } else if isLate { entry.dispose() } else { current?.dispose() }
        withExtendedLifetime(removed) {}
    }

    func remove(_ key: T) {
        lock.lock()
        let removed = take(key)
        lock.unlock()
        removed?.value.dispose()
    }

    func left(_ entry: Entry<T>) {
        lock.lock()
        entry.hasLeft = true
        let removed = members[entry.key] === entry ? take(entry.key) : nil
        lock.unlock()
        withExtendedLifetime(removed) {}
    }

    /// Prevents later additions and returns the entries.
    func close() -> Dictionary<T, Entry<T>>.Values {
        lock.lock()
        isClosed = true
        let taken = members
        members = [:]
        lock.unlock()
        return taken.values
    }

    private func take(_ key: T) -> (key: T, value: Entry<T>)? {
        members.index(forKey: key).map { members.remove(at: $0) }
    }
}
