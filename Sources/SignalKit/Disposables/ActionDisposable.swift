/// Runs an action when disposed: once, whatever the number of threads that dispose. Deallocation does not run it.
///
/// A second caller returns at once, possibly while the action still runs on another thread. The action is freed when
/// its run returns.
public final class ActionDisposable: Disposable, @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var action: (() -> Void)?

    /// Creates a disposable that calls `action` once.
    public init(action: @escaping () -> Void) {
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
