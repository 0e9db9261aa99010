/// Shares one run of a signal per key among all who listen at the same time.
///
/// The first one to start a signal of `get` for a key starts the signal given there, the last one to leave disposes it, and after that,
/// or after its completion, which everybody is told of, the next one starts a fresh run. There is no replay of values.
public final class Multicast<T>: @unchecked Sendable {
    private let runs = RunsByName<T, NoError>()

    public init() {}

    /// - Parameters:
    ///   - key: what is shared; keys are compared byte by byte.
    ///   - signal: is started by the first listener of the key; not used by the others.
    public func get(key: String, signal: Signal<T, NoError>) -> Signal<T, NoError> { runs.get(NameKey(key), signal) }
}

/// What `Multicast` does, for signals that can fail too (the C interface has no others).
final class RunsByName<T, E>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var connections: [NameKey: Connection<T, E>] = [:]

    func get(_ key: NameKey, _ signal: Signal<T, E>) -> Signal<T, E> {
        ComposedSignal(of: signal) { sink in
            while true {
                self.lock.lock()
                let running = self.connections[key]
                let connection = running ?? Connection(over: { self.forget($0, key) })
                if running == nil { self.connections[key] = connection }
                self.lock.unlock()
                if connection.add(sink) {
                    if running == nil { connection.start(signal) }
                    return
                }
                // The last listener has just left it: a fresh one is due.
                self.forget(connection, key)
            }
        }
    }

    /// Takes out this very connection; a newer one under the same key stays.
    private func forget(_ connection: Connection<T, E>, _ key: NameKey) {
        lock.lock()
        let isCurrent = connections[key] === connection
        let forgotten = isCurrent ? connections.removeValue(forKey: key) : nil
        lock.unlock()
        withExtendedLifetime(forgotten) {}
    }
}

/// A place for a value and for those who want to hear of it, which clients lock and use by hand.
public final class MulticastPromise<T>: @unchecked Sendable {
    public let subscribers = Bag<(T) -> Void>()
    public let lock = Lock()
    public var value: T?

    public init() {}
}
