/// The state of a subscription.
enum RunState {
    case running, ended, disposed
}

extension Disposable {
    /// The state of the subscription that this disposes, or nil if it disposes another object.
    var runState: RunState? {
        guard let run = self as? Subscription ?? (self as? WaitableDisposable)?.subscription else { return nil }
        return run.isDisposed ? .disposed : run.isOver ? .ended : .running
    }
}
