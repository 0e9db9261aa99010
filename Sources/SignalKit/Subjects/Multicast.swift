/// Shares one run of `signal` among all listeners of the same time: the first one starts it, the last one to leave
/// disposes it, and after that the next one starts it anew. There is no replay of values, but a listener that comes
/// after the end is told of the end.
public func multicast<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    multicast(signal, over: {})
}

/// - Parameter over: called, without a lock, whenever a run is over.
func multicast<T, E>(_ signal: Signal<T, E>, over: @escaping () -> Void) -> Signal<T, E> {
    let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
    return shared(signal) { run.init(kinds, over: { _ in over() }) }
}

/// Shares one run of a signal per key among all listeners of the same time.
///
/// The first one to start a signal of `get` for a key starts the signal given there, the last one to leave disposes it,
/// and after that, or after its completion, which all are told of, the next one starts a fresh run. There is no replay
/// of values.
public final class Multicast<T>: @unchecked Sendable {
    private let runs = NameTable<Connection<T, NoError>>()

    /// Begins without runs.
    public init() {}

    /// - Parameters:
    ///   - key: what is shared; keys are compared byte by byte.
    ///   - signal: is started by the first listener of the key; not used by the others.
    public func get(key: String, signal: Signal<T, NoError>) -> Signal<T, NoError> { runs.get(NameKey(key), signal) }
}

extension NameTable {
    /// What `Multicast` does, for signals that can fail too (the C interface has no others).
    func get<T, E>(_ key: NameKey, _ signal: Signal<T, E>) -> Signal<T, E> where Item == Connection<T, E> {
        let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
        return ComposedSignal(of: signal) { sink in
            self.connect(sink, to: signal, key) {
                run.init(kinds, over: { ended in self.remove(key) { $0 === ended } })
            }
        }
    }

    /// Joins the run of a key, or begins one.
    func connect<T, E>(
        _ sink: Sink<T, E>, to signal: Signal<T, E>, _ key: NameKey, _ make: () -> Connection<T, E>
    ) where Item == Connection<T, E> {
        join(key, make) { connection, isNew in
            guard connection.add(sink) else { return false }
            if isNew { connection.start(signal) }
            return true
        }
    }
}

/// A place for a value and for its observers, which clients lock and use by hand.
public final class MulticastPromise<T>: @unchecked Sendable {
    /// The observers.
    public let subscribers = Bag<(T) -> Void>()
    /// What its clients lock.
    public let lock = Lock()
    /// The value, if there is one.
    public var value: T?

    /// Without a value or observers.
    public init() {}
}
