/// The lifetime of a shared subscription without subscribers.
public enum SharedRunLifetime {
    /// It ends with its last subscriber.
    case whileUsed
    /// It continues for a number of seconds, by the queue's clock, unless a subscriber joins in that time. (A negative
    /// number or NaN counts as 0.)
    case `for`(Double, Queue)
    /// It continues until its terminal event.
    case forever
}

/// Shares one subscription to `signal`, and replays its latest values to later subscribers.
///
/// The first subscriber starts the signal. A later one receives the latest `replay` values first, in one order with the
/// following values. A subscriber after the terminal event receives these values and the terminal event, as long as the
/// shared signal exists. So `restart` or a downstream retry receives them forever (see `multicast`).
///
/// `keep` decides how long the source continues after the last subscriber was disposed. Then the next subscriber starts
/// it again, and no earlier value is replayed. If the source releases its subscriber without a terminal event, as
/// `never` does, each subscriber starts it.
///
/// **Ownership:** the shared signal keeps a source without subscribers running. After its release the source is
/// disposed with the last subscriber. A subscription of the source to its own shared signal does not count.
public func share<T, E>(
    replay: Int = 0, keep: SharedRunLifetime = .whileUsed
) -> (_ signal: Signal<T, E>) -> Signal<T, E> {
    let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
    let parameter = parameter(replay, keep)
    return { shared($0, parameter) { run.init(kinds, replaying: replay, hold: hold(keep), over: { _ in }) } }
}

/// The subscriptions to `signal`, one at a time, each in a separate connection.
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

/// After its release no subscriber can join.
private final class SharedSignal<T, E> {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var run: Connection<T, E>?

    deinit {
        run?.retire()
    }

    /// Joins the subscription, or begins one. It replaces a subscription that no listener can join.
    func connect(_ sink: Sink<T, E>, to signal: Signal<T, E>, _ make: () -> Connection<T, E>) {
        var over: Connection<T, E>?
        while true {
            let (run, isNew) = current(after: over, make)
            if run.add(sink) { return isNew ? run.start(signal) : () }
            over = run
        }
    }

    /// Creates the new subscription under the lock. The old one is released without the lock.
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
