/// Runs an action when it is disposed, once, even if several threads dispose it. Deallocation does not run it.
///
/// A second call returns immediately, possibly while the action is running on another thread. The action is released
/// when it returns.
public final class ActionDisposable: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var action: (() -> Void)?

    /// Creates a disposable that calls `action` once.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    public func dispose() {
        lock.lock()
        let taken = action
        action = nil
        lock.unlock()
        taken?()
    }
}
