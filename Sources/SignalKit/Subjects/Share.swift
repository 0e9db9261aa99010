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
/// comes after it gets the latest values and the end. A run that listens to itself is not kept by that. A source that
/// lets go of its subscriber without an end, as `never` does, has no run that could be joined: each listener starts it
/// anew.
public func share<T, E>(
    replay: Int = 0, keep: SharedRunLifetime = .whileUsed
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
    let parameter = parameter(replay, keep)
    return { shared($0, parameter) { run.init(kinds, replaying: replay, hold: hold(keep), over: { _ in }) } }
}

/// The runs of `signal`, one at a time, each in a connection of its own.
func shared<T, E>(
    _ signal: Signal<T, E>, _ parameter: Parameter = .none, as operation: CString = #function,
    _ make: @escaping () -> Connection<T, E>
) -> Signal<T, E> {
    let shared = SharedSignal<T, E>()
    return ComposedSignal(of: signal, parameter, as: operation) { shared.connect($0, to: signal, make) }
}

private func parameter(_ replay: Int, _ keep: SharedRunLifetime) -> Parameter {
    switch keep {
    case .whileUsed: return replay > 0 ? .count(replay) : .none
    case let .for(seconds, _): return .several([.count(replay), .seconds(seconds)])
    case .forever: return .several([.count(replay), .seconds(.infinity)])
    }
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
    private let lock = SmallLock()
    @exclusivity(unchecked) private var run: Connection<T, E>?

    deinit {
        run?.retire()
    }

    /// Joins the run, or begins one. A run that cannot be joined any more makes way.
    func connect(_ sink: Sink<T, E>, to signal: Signal<T, E>, _ make: () -> Connection<T, E>) {
        var over: Connection<T, E>?
        while true {
            let (run, isNew) = current(after: over, make)
            if run.add(sink) { return isNew ? run.start(signal) : () }
            over = run
        }
    }

    /// A run is made under the lock, and the one before let go without it.
    private func current(
        after over: Connection<T, E>?, _ make: () -> Connection<T, E>
    ) -> (run: Connection<T, E>, isNew: Bool) {
        lock.withLock {
            if let run, run !== over { return (run, false) }
            let new = make()
            run = new
            return (new, true)
        }
    }
}
