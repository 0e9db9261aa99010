#if !hasFeature(Embedded)
import Synchronization

/// The policy for values that arrive faster than they are read.
public enum SignalBufferingPolicy: Sendable {
    /// All wait.
    case unbounded
    /// At most this number is pending. A new value drops the oldest.
    case newest(Int)
    /// At most this number is pending. A new value is dropped.
    case oldest(Int)
}

/// The values of a signal, for iteration with `for await`.
///
/// Each iteration starts the signal again, and disposes it when the loop ends or its task is cancelled. The iteration
/// ends with the completion or error of the signal, or when its source is released.
public struct SignalValues<Element, Failure: Error>: AsyncSequence, Sendable {
    fileprivate let start: @Sendable (AsyncThrowingStream<Element, any Error>.Continuation) -> any Disposable
    fileprivate let policy: SignalBufferingPolicy

    public func makeAsyncIterator() -> Iterator {
        let limit: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
        switch policy {
        case .unbounded: limit = .unbounded
        case let .newest(count): limit = .bufferingNewest(count)
        case let .oldest(count): limit = .bufferingOldest(count)
        }
        let stream = AsyncThrowingStream(bufferingPolicy: limit) { continuation in
            let subscription = MetaDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.set(start(continuation))
        }
        return Iterator(inner: stream.makeAsyncIterator())
    }

    /// One iteration, which is one subscription to the signal.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var inner: AsyncThrowingStream<Element, any Error>.Iterator

        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            do {
                return try await inner.next(isolation: actor)
            } catch {
                // The thrown error is the error of the signal.
                throw error as! Failure
            }
        }
    }
}

extension Signal where E: Error {
    /// The values as an asynchronous sequence that throws the signal's error: `for try await value in signal.values`.
    ///
    /// At most 1,024 values are pending. One more drops the oldest, and a warning is written once per iteration
    /// (`SignalDiagnostics`). `bufferedValues` sets another limit.
    public var values: SignalValues<T, E> { iteration(nil) }

    /// Like `values`, with another limit. Dropped values are not reported.
    ///
    /// - Parameter policy: decides about values that arrive while no reader waits.
    public func bufferedValues(_ policy: SignalBufferingPolicy) -> SignalValues<T, E> { iteration(policy) }

    private func iteration(_ policy: SignalBufferingPolicy?) -> SignalValues<T, E> {
        SignalValues(start: { StreamFeed.start(self, $0, warns: policy == nil) { $0 } }, policy: policy ?? .usual)
    }
}

extension Signal where E == NoError {
    /// The values as an asynchronous sequence: `for await value in signal.values`.
    ///
    /// At most 1,024 values are pending. One more drops the oldest, and a warning is written once per iteration
    /// (`SignalDiagnostics`). `bufferedValues` sets another limit.
    public var values: SignalValues<T, Never> { iteration(nil) }

    /// Like `values`, with another limit. Dropped values are not reported.
    ///
    /// - Parameter policy: decides about values that arrive while no reader waits.
    public func bufferedValues(_ policy: SignalBufferingPolicy) -> SignalValues<T, Never> { iteration(policy) }

    private func iteration(_ policy: SignalBufferingPolicy?) -> SignalValues<T, Never> {
        SignalValues(
            start: { StreamFeed.start(self, $0, warns: policy == nil) { _ in CancellationError() } },
            policy: policy ?? .usual)
    }
}

extension SignalBufferingPolicy {
    fileprivate static var usual: SignalBufferingPolicy { .newest(1024) }
}

/// Forwards the events of a signal to a stream. It is released with the callbacks, which ends the stream.
private final class StreamFeed<T>: @unchecked Sendable {
    private let continuation: AsyncThrowingStream<T, any Error>.Continuation
    /// True if the next dropped value will be reported.
    private let warns: Synchronization.Atomic<Bool>

    private init(_ continuation: AsyncThrowingStream<T, any Error>.Continuation, _ warns: Bool) {
        self.continuation = continuation
        self.warns = Synchronization.Atomic(warns)
    }

    deinit {
        continuation.finish()
    }

    static func start<E>(
        _ signal: Signal<T, E>, _ continuation: AsyncThrowingStream<T, any Error>.Continuation, warns: Bool,
        _ failure: @escaping (E) -> any Error
    ) -> any Disposable {
        let feed = StreamFeed(continuation, warns)
        return signal.start(
            next: { feed.put($0) },
            error: { feed.continuation.finish(throwing: failure($0)) },
            completed: { feed.continuation.finish() }
        )
    }

    private func put(_ value: T) {
        guard case .dropped = continuation.yield(value), warns.exchange(false, ordering: .relaxed) else { return }
        Warnings.sink("a slow reader lost values of a signal (see Signal.values)")
    }
}
#endif
