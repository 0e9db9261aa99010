import ServiceLifecycle
import SignalKit
import SignalKitReading

/// A signal as a service: it is started when the service runs, and its values are handled one after another.
///
/// The service ends with the signal, and fails with its error. When it returns, its work has ended. Therefore a group,
/// which shuts its services down from the last to the first, ends subscriptions in that order.
public struct SignalService: Service {
    /// The effect of a graceful shutdown.
    public enum Shutdown: Sendable {
        /// Disposes the subscription and drops pending values. Only the current value is finished.
        case dispose
        /// Calls the closure, which ends the source (`pipe.complete()`). The service handles all values until the end.
        case drain(@Sendable () -> Void)
    }

    private let body: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - limit: the number of values that are buffered.
    ///   - overflow: the policy for further values.
    ///   - counter: counts overflow.
    ///   - next: handles a value; its exception ends the service.
    public init<T: Sendable, E: Error>(
        _ signal: Signal<T, E>, shutdown: Shutdown = .dispose, limit: Int = 1024,
        overflow: OverflowPolicy<E> = .dropOldest, counter: OverflowCounter? = nil,
        next: @escaping @Sendable (T) async throws -> Void
    ) {
        nonisolated(unsafe) let overflow = overflow
        body = {
            let reader = SignalReader(signal, limit: limit, overflow: overflow, counter: counter)
            if case let .failed(error) = try await handle(reader, shutdown, next) { throw error }
        }
    }

    /// The same, of a signal that cannot fail.
    public init<T: Sendable>(
        _ signal: Signal<T, NoError>, shutdown: Shutdown = .dispose, limit: Int = 1024,
        overflow: OverflowPolicy<NoError> = .dropOldest, counter: OverflowCounter? = nil,
        next: @escaping @Sendable (T) async throws -> Void
    ) {
        nonisolated(unsafe) let overflow = overflow
        body = {
            let reader = SignalReader(signal, limit: limit, overflow: overflow, counter: counter)
            _ = try await handle(reader, shutdown, next)
        }
    }

    public func run() async throws { try await body() }
}

/// Calls `next` for each value; the end, or `closed` after a shutdown.
private func handle<T: Sendable, E>(
    _ reader: SignalReader<T, E>, _ shutdown: SignalService.Shutdown, _ next: (T) async throws -> Void
) async throws -> Reading<T, E> {
    defer { reader.close() }
    return try await withTaskCancellationHandler {
        try await withGracefulShutdownHandler {
            while true {
                let reading = await reader.next()
                guard case let .value(value) = reading else {
                    try Task.checkCancellation()
                    return reading
                }
                try await next(value)
            }
        } onGracefulShutdown: {
            switch shutdown {
            case .dispose: reader.close()
            case let .drain(stop): stop()
            }
        }
    } onCancel: {
        reader.close()
    }
}
