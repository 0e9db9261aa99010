/// What has become of a run.
enum RunState {
    case running, ended, disposed
}

extension Disposable {
    /// What has become of the run that this disposes; nil: it disposes something else.
    var runState: RunState? {
        guard let run = self as? Subscription ?? (self as? WaitableDisposable)?.subscription else { return nil }
        return run.isDisposed ? .disposed : run.isOver ? .ended : .running
    }
}
