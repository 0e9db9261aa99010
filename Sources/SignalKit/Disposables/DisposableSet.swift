/// Holds any number of disposables and disposes them in the order in which they were added. One that was added twice is
/// held twice.
///
/// A run that is over, by its end or its disposal, leaves the set. (One whose source has gone without an end stays:
/// there may be something left to dispose.)
public final class DisposableSet: Disposable, @unchecked Sendable {
    private let members = MemberList<any Disposable>()

    /// Begins empty.
    public init() {}

    deinit {
        _ = members.takeAll()
    }

    /// On a disposed set the disposable is disposed at once.
    public func add(_ disposable: Disposable) { add(disposable, run: Membership.run(of: disposable)) }

    /// Takes out the first occurrence without disposing it, in constant time.
    public func remove(_ disposable: Disposable) { remove(disposable, run: Membership.run(of: disposable)) }

    /// Takes out the latest member without disposing it; nothing happens on an empty or disposed set.
    public func removeLast() { _ = members.takeLast() }

    public func dispose() {
        members.close()
        for member in members.takeAll() { Turns.dispose(member) }
    }

    /// - Parameter run: what the disposable stands for, if that is a run.
    func add(_ disposable: any Disposable, run: Subscription?) {
        if let run, run.isDone { return }
        if !members.add(disposable, run ?? disposable, run: run) { disposable.dispose() }
    }

    func remove(_ disposable: any Disposable, run: Subscription?) { members.remove(run ?? disposable) }
}
