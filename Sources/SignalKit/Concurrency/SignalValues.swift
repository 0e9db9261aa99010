#if !hasFeature(Embedded)
/// What happens to values that arrive faster than they are taken.
public enum SignalBufferingPolicy: Sendable {
    /// All wait.
    case unbounded
    /// So many wait; a new one drops the oldest.
    case newest(Int)
    /// So many wait; a new one is dropped.
    case oldest(Int)
}

/// The values of a signal, to be iterated with `for await`.
///
/// Each iteration starts the signal anew, and disposes it when it is left or its task is cancelled. It ends with the
/// completion of the signal, with its error, or when its source goes away.
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

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var inner: AsyncThrowingStream<Element, any Error>.Iterator

        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            do {
                return try await inner.next(isolation: actor)
            } catch {
                // What was thrown is what the signal failed with.
                throw error as! Failure
            }
        }
    }
}

extension Signal where E: Error {
    /// The values as an asynchronous sequence that throws the signal's error.
    /// - Parameter bufferingPolicy: what happens to values that arrive while nobody waits for one.
    public func values(bufferingPolicy: SignalBufferingPolicy = .unbounded) -> SignalValues<T, E> {
        SignalValues(start: { StreamFeed.start(self, $0) { $0 } }, policy: bufferingPolicy)
    }
}

extension Signal where E == NoError {
    /// The values as an asynchronous sequence.
    /// - Parameter bufferingPolicy: what happens to values that arrive while nobody waits for one.
    public func values(bufferingPolicy: SignalBufferingPolicy = .unbounded) -> SignalValues<T, Never> {
        SignalValues(start: { StreamFeed.start(self, $0) { _ in CancellationError() } }, policy: bufferingPolicy)
    }
}

/// Passes the events of a signal on to a stream; goes with the callbacks, which ends the stream if nothing else has.
private final class StreamFeed<T>: @unchecked Sendable {
    private let continuation: AsyncThrowingStream<T, any Error>.Continuation

    private init(_ continuation: AsyncThrowingStream<T, any Error>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }

    static func start<E>(
        _ signal: Signal<T, E>, _ continuation: AsyncThrowingStream<T, any Error>.Continuation,
        _ failure: @escaping (E) -> any Error
    ) -> any Disposable {
        let feed = StreamFeed(continuation)
        return signal.start(
            next: { feed.continuation.yield($0) },
            error: { feed.continuation.finish(throwing: failure($0)) },
            completed: { feed.continuation.finish() }
        )
    }
}
#endif
