import SignalKitShims

extension Signal {
    /// Accepts the connections of a socket, and merges the signals that `serve` makes of them.
    ///
    ///     readiness ──► a free place ──► accept, on the queue ──► serve ──► merge
    ///         └──── a pause, until it was accepted ────┘
    ///
    /// A connection waits in the system until there is a place. The signal of a connection owns it, so it is closed
    /// when that signal has ended, or was disposed or dropped.
    ///
    /// - Parameter value: any value.
    static func accept<U>(
        from listener: Int32, limit: Int, queue: Queue, failure: @escaping (SystemError) -> E, value: U,
        serve: @escaping (_ connection: Int32) -> Signal
    ) -> Signal {
        deferred(of: .none, depth: 4, .several([.count(Int(listener)), .count(limit)])) {
            owning(sgk_shim_socket_listener(listener), by: "accept", failure) { listener in
                var source: Gate<U, E>?
                // Locked: a blocking listener would block one of two threads that see the same connection.
                let accepting = Atomic(value: listener)
                let ready = Signal<U, E>.readiness(
                    of: listener.number, for: .readable, queue: queue, failure: failure, started: { source = $0 }
                ) { _ in
                    source?.pause()
                    return value
                }
                return ready
                    |> merge(limit, .none) { _ in
                        deferred(of: .none, depth: 0) {
                            source?.resume()
                            let isPaused = source?.isPaused ?? true // then it is reported again after the pause
                            let accepted =
                                isPaused ? -Int32(SGK_SHIM_AGAIN) : accepting.with { sgk_shim_socket_accept($0.number) }
                            if accepted == -Int32(SGK_SHIM_AGAIN) { return .complete() }
                            if accepted == -Int32(SGK_SHIM_NO_ROOM) {
                                source?.pause()
                                return afterDisposed(.complete() |> delay(0.1, queue: queue), as: .hidden) {
                                    source?.resume()
                                }
                            }
                            return owning(accepted, by: "accept", failure) { serve($0.number) }
                        }
                            |> runOn(chosen: { queue }) // later: a place is free before its last connection is closed
                    }
            }
        }
    }

    /// Connects at each start, and forwards the signal that `use` makes of the connection.
    ///
    /// - Parameters:
    ///   - open: calls `sgk_shim_socket_connect`.
    ///   - value: any value.
    static func connect<U>(
        queue: Queue, open: @escaping () -> Int32, failure: @escaping (SystemError) -> E, value: U,
        use: @escaping (_ connection: Int32) -> Signal
    ) -> Signal {
        deferred(of: .none, depth: 4) {
            owning(open(), by: "connect", failure) { connection in
                Signal<U, E>.connected(connection, queue: queue, failure: failure, make: { _ in value })
                    |> mapToSignal { _ in use(connection.number) }
            }
        }
    }
}

/// The signal that `body` makes of a descriptor, which is closed after that signal has ended or was disposed.
@inline(never)
private func owning<T, E>(
    _ number: Int32, by call: StaticString, _ failure: (SystemError) -> E, _ body: (Descriptor) -> Signal<T, E>
) -> Signal<T, E> {
    if number < 0 { return .fail(failure(SystemError(-number, call))) }
    let descriptor = Descriptor.connection(number)
    return afterDisposed(body(descriptor), as: .hidden) { withExtendedLifetime(descriptor) {} }
}

#if !hasFeature(Embedded)
extension Signal where E == SystemError {
    /// Accepts the connections of a listening socket, and merges the signals that `serve` makes of them. It never
    /// completes.
    ///
    /// The signal of a connection owns it: the connection is closed when that signal has completed or was disposed. It
    /// is non-blocking. An error of a signal ends the result, and so closes all connections: catch it in `serve`.
    ///
    /// While `limit` signals run, and during a pause, nothing is accepted, and new clients wait in the system. They
    /// also wait if there is no descriptor for them.
    ///
    /// - Parameters:
    ///   - listener: a stream socket, after `listen`. A subscription uses a duplicate.
    ///   - limit: the most connections at the same time.
    ///   - queue: where connections are accepted, and `serve` is called.
    ///   - serve: makes the signal that uses a connection.
    @preconcurrency
    public static func accept(
        from listener: Int32, limit: Int, queue: Queue, serve: @escaping @Sendable (_ connection: Int32) -> Signal
    ) -> Signal {
        precondition(limit > 0, "limit must be 1 or more")
        return accept(from: listener, limit: limit, queue: queue, failure: identity, value: (), serve: serve)
    }

    /// Connects a stream socket at each start, and forwards the signal that `use` makes of the connection.
    ///
    /// The connection is closed when that signal has ended, or when the subscription is disposed. It is non-blocking.
    /// If it cannot be established, the result fails, for example with ECONNREFUSED.
    ///
    /// - Parameters:
    ///   - address: the bytes of a socket address, such as a `sockaddr_in` or a `sockaddr_un`.
    ///   - queue: where `use` is called.
    ///   - use: makes the signal that uses the connection.
    @preconcurrency
    public static func connect(
        to address: [UInt8], queue: Queue, use: @escaping @Sendable (_ connection: Int32) -> Signal
    ) -> Signal {
        precondition((2...Int(SGK_SHIM_ADDRESS)).contains(address.count), "address must have from 2 to 128 bytes")
        return connect(
            queue: queue, open: { sgk_shim_socket_connect(address, address.count) }, failure: identity, value: (),
            use: use)
    }
}
#endif
