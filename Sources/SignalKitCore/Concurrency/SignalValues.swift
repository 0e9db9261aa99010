#if !hasFeature(Embedded)
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
    fileprivate let start:
        @Sendable (AsyncThrowingStream<Element, any Error>.Continuation, Atomic<Int>?) -> any Disposable
    fileprivate let policy: SignalBufferingPolicy

    public func makeAsyncIterator() -> Iterator {
        let limit: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
        switch policy {
        case .unbounded: limit = .unbounded
        case let .newest(count): limit = .bufferingNewest(count)
        case let .oldest(count): limit = .bufferingOldest(count)
        }
        var pending: Atomic<Int>?
        if case .unbounded = policy { pending = Atomic(value: 0) }
        let stream = AsyncThrowingStream(bufferingPolicy: limit) { continuation in
            let subscription = MetaDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.set(start(continuation, pending))
        }
        return Iterator(inner: stream.makeAsyncIterator(), pending: pending)
    }

    /// One iteration, which is one subscription to the signal.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var inner: AsyncThrowingStream<Element, any Error>.Iterator
        /// How many values wait, in an iteration without a limit.
        fileprivate let pending: Atomic<Int>?

        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            do {
                let value = try await inner.next(isolation: actor)
                if value != nil { pending?.modify { $0 - 1 } }
                return value
            } catch {
                // The thrown error is the error of the signal.
                throw error as! Failure
            }
        }
    }
}

extension Signal where E: Error {
    /// The values as an asynchronous sequence: `for await value in signal.values`, with `try` if the signal can fail.
    ///
    /// Nothing is lost: any number of values can be pending. If more than 65,536 are, a warning is written once per
    /// iteration (`SignalDiagnostics`). `values(buffering:)` sets a limit.
    public var values: SignalValues<T, E> { values(buffering: .unbounded) }

    /// Like `values`, with a limit. Dropped values are not reported.
    ///
    /// - Parameter policy: decides about values that arrive while no reader waits.
    public func values(buffering policy: SignalBufferingPolicy) -> SignalValues<T, E> {
        SignalValues(start: { StreamFeed.start(self, $0, $1) }, policy: policy)
    }
}

/// Forwards the events of a signal to a stream. It is released with the callbacks, which ends the stream.
private final class StreamFeed<T>: Sendable {
    private let continuation: AsyncThrowingStream<T, any Error>.Continuation

    private init(_ continuation: AsyncThrowingStream<T, any Error>.Continuation) { self.continuation = continuation }

    deinit {
        continuation.finish()
    }

    static func start<E: Error>(
        _ signal: Signal<T, E>, _ continuation: AsyncThrowingStream<T, any Error>.Continuation, _ pending: Atomic<Int>?
    ) -> any Disposable {
        let feed = StreamFeed(continuation)
        return signal.start(
            next: { value in
                if pending?.modify({ $0 + 1 }) == Record.many + 1 {
                    Warnings.sink("more than 65536 values wait for a slow reader of a signal (see Signal.values)")
                }
                feed.continuation.yield(value)
            },
            error: { feed.continuation.finish(throwing: $0) },
            completed: { feed.continuation.finish() }
        )
    }
}
#endif
