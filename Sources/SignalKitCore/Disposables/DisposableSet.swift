/// Retains any number of disposables and disposes them in the order of their addition. A disposable that was added
/// twice is retained twice.
///
/// A subscription that has ended or was disposed leaves the set. (It stays if its source was released without an end,
/// because there may be something left to dispose.)
public final class DisposableSet: Disposable, @unchecked Sendable {
    private let members = MemberList<any Disposable>()

    /// Creates an empty set.
    public init() {}

    deinit {
        _ = members.takeAll()
    }

    /// Adds a disposable. A disposed set disposes it immediately.
    public func add(_ disposable: Disposable) { add(disposable, run: Membership.run(of: disposable)) }

    /// Removes the first occurrence without disposing it, in constant time.
    public func remove(_ disposable: Disposable) { remove(disposable, run: Membership.run(of: disposable)) }

    /// Removes the latest member without disposing it. It has no effect on an empty or disposed set.
    public func removeLast() { _ = members.takeLast() }

    public func dispose() {
        members.close()
        for member in members.takeAll() { Turns.dispose(member) }
    }

    /// - Parameter run: the subscription that the disposable represents, if there is one.
    func add(_ disposable: any Disposable, run: Subscription?) {
        if let run, run.isDone { return }
        if !members.add(disposable, run ?? disposable, run: run) { disposable.dispose() }
    }

    func remove(_ disposable: any Disposable, run: Subscription?) { members.remove(run ?? disposable) }
}
