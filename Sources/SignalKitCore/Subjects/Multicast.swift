/// Shares one subscription to `signal` among all simultaneous subscribers.
///
/// The first subscriber starts the signal. When the last one has been disposed, the signal is disposed, and the next
/// subscriber starts it again. Values are not replayed.
///
/// The terminal event is stored as long as the shared signal exists, and a later subscriber receives it. So `restart`
/// or a downstream retry receives the same end forever. Use `Multicast` to start the source again after its end.
///
/// If the source releases its subscriber without a terminal event, as `never` does, each subscriber starts it.
public func multicast<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    multicast(signal, over: {})
}

/// - Parameter over: called, without a lock, whenever the shared subscription is over.
func multicast<T, E>(_ signal: Signal<T, E>, over: @escaping () -> Void) -> Signal<T, E> {
    let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
    return shared(signal) { run.init(kinds, over: { _ in over() }) }
}

/// Shares one subscription per key among all simultaneous subscribers.
///
/// The first subscriber of a key starts the signal that was passed with it. When the last subscriber was disposed, or
/// after the completion, the next subscriber starts its signal. The completion is not stored, and values are not
/// replayed. If the source releases its subscriber without a terminal event, each subscriber starts its own signal.
public final class Multicast<T>: @unchecked Sendable {
    private let runs = NameTable<Connection<T, NoError>>()

    /// Creates an object without subscriptions.
    public init() {}

    /// - Parameters:
    ///   - key: the key of the shared signal. Keys are compared byte by byte.
    ///   - signal: started by the first subscriber of the key. Ignored for the others.
    public func get(key: String, signal: Signal<T, NoError>) -> Signal<T, NoError> { runs.get(NameKey(key), signal) }
}

extension NameTable {
    /// Like `Multicast`, also for signals that can fail, because all signals of the C interface can.
    func get<T, E>(_ key: NameKey, _ signal: Signal<T, E>) -> Signal<T, E> where Item == Connection<T, E> {
        let run = Connection<T, E>.self, kinds = Connection<T, E>.Kinds()
        return ComposedSignal(of: signal) { sink in
            self.connect(sink, to: signal, key) {
                run.init(kinds, over: { ended in self.remove(key) { $0 === ended } })
            }
        }
    }

    /// Joins the subscription of a key, or begins one.
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
    /// The lock for the users of this object.
    public let lock = Lock()
    /// The value, if there is one.
    public var value: T?

    /// Without a value or observers.
    public init() {}
}
