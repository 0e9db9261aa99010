extension Disposable {
    /// The state of the subscription that this disposes: "running", "ended" or "disposed". Nil if it disposes another
    /// object.
    var runState: CString? {
        guard let run = self as? Subscription ?? (self as? WaitableDisposable)?.subscription else { return nil }
        return run.isDisposed ? "disposed" : run.isOver ? "ended" : "running"
    }
}
