/// Holds any number of disposables and disposes them in the order in which they were added. One that was added twice is held twice.
public final class DisposableSet: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var isDisposed = false
    @exclusivity(unchecked) private var members: [any Disposable] = []

    public init() {}

    /// On a disposed set the disposable is disposed at once.
    public func add(_ disposable: Disposable) {
        lock.lock()
        let late = isDisposed
        if !late { members.append(disposable) }
        lock.unlock()
        if late { disposable.dispose() }
    }

    /// Takes out the first occurrence without disposing it.
    public func remove(_ disposable: Disposable) {
        lock.lock()
        let index = members.firstIndex { $0 === disposable }
        let removed = index.map { members.remove(at: $0) }
        lock.unlock()
        withExtendedLifetime(removed) {}
    }

    /// Takes out the latest member without disposing it; nothing happens on an empty or disposed set.
    public func removeLast() {
        lock.lock()
        let removed = members.popLast()
        lock.unlock()
        withExtendedLifetime(removed) {}
    }

    public func dispose() {
        lock.lock()
        isDisposed = true
        let taken = members
        members = []
        lock.unlock()
        for member in taken { Turns.dispose(member) }
    }
}
