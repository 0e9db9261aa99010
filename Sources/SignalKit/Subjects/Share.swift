/// How long a shared run goes on when nobody listens.
public enum SharedRunLifetime {
    /// It ends with its last listener.
    case whileUsed
    /// It goes on for so many seconds, by the queue's clock, unless somebody listens by then. (A number that is none or
    /// negative is taken as 0.)
    case `for`(Double, Queue)
    /// It goes on until its end.
    case forever
}

/// Shares one run of `signal` among all listeners: the first one starts it, and a later one gets the latest `replay`
/// values of it first, in one order with those that follow.
///
/// When the last listener has left, `keep` says when the run is over; the next listener then starts it anew, and
/// nothing of the former run is replayed. A run that is kept so needs the shared signal: when nobody has that any more,
/// the run ends with its last listener. The end of the source stays as long as somebody has the shared signal: whoever
/// comes after it gets the latest values and the end. A run that listens to itself is not kept by that.
public func share<T, E>(
    replay: Int = 0, keep: SharedRunLifetime = .whileUsed
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    { shared($0) { Connection(replaying: replay, hold: hold(keep), over: { _ in }) } }
}

/// The runs of `signal`, one at a time, each in a connection of its own.
func shared<T, E>(_ signal: Signal<T, E>, _ make: @escaping () -> Connection<T, E>) -> Signal<T, E> {
    let shared = SharedSignal<T, E>()
    return ComposedSignal(of: signal) { shared.runs.connect($0, to: signal, NameKey(""), make) }
}

private func hold(_ keep: SharedRunLifetime) -> Hold? {
    switch keep {
    case .whileUsed: return nil
    case let .for(seconds, queue): return Hold((seconds, queue))
    case .forever: return Hold(nil)
    }
}

/// Nobody can join any more when it goes.
private final class SharedSignal<T, E> {
    let runs = NameTable<Connection<T, E>>()

    deinit {
        for run in runs.removeAll() { run.retire() }
    }
}
