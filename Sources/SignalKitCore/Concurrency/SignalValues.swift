#if !hasFeature(Embedded)
/// The policy for values that arrive faster than they are read. The numbers are 1 or more.
public enum SignalBufferingPolicy: Sendable {
    /// All wait.
    case unbounded
    /// At most this number is pending. A new value drops the oldest.
    case newest(Int)
    /// At most this number is pending. A new value is dropped.
    case oldest(Int)
    /// When this number is pending, the source is paused, until half of them were read. Nothing is lost. A source that
    /// cannot be paused exceeds the number.
    case paused(Int)
}

/// The values of a signal, for iteration with `for await`.
///
/// Each iteration starts the signal again, and disposes it when the loop ends or its task is cancelled. The iteration
/// ends with the completion or error of the signal, or when its source is released.
public struct SignalValues<Element, Failure: Error>: AsyncSequence, Sendable {
    fileprivate let start: @Sendable () -> SignalReader<Element, Failure>

    public func makeAsyncIterator() -> Iterator { Iterator(reader: start()) }

    /// One iteration, which is one subscription to the signal.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: SignalReader<Element, Failure>

        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            while !Task.isCancelled {
                switch reader.nextNow() {
                case let .value(value): return value
                case .timeout: await call { [reader] in reader.whenReady($0) }
                case let .failed(error):
                    reader.close()
                    throw error
                case .completed, .closed, .refused: return nil
                }
            }
            reader.close()
            return nil
        }
    }
}

extension Signal where E: Error {
    /// The values as an asynchronous sequence: `for await value in signal.values`, with `try` if the signal can fail.
    ///
    /// Nothing is lost. When 1,024 values are pending, the source is paused, until half of them were read. A source
    /// that cannot be paused goes on. If more than 65,536 values are then pending, a warning is written once per
    /// iteration (`SignalDiagnostics`). `values(buffering:)` sets another limit or policy.
    public var values: SignalValues<T, E> { values(buffering: .paused(1024)) }

    /// Like `values`, with a limit. Dropped values are not reported.
    ///
    /// - Parameter policy: decides about values that arrive while no reader waits.
    public func values(buffering policy: SignalBufferingPolicy) -> SignalValues<T, E> {
        let (limit, overflow): (Int, OverflowPolicy<E>) =
            switch policy {
            case .unbounded: (.max, .dropNewest)
            case let .newest(count): (count, .dropOldest)
            case let .oldest(count): (count, .dropNewest)
            case let .paused(count): (count, .pause())
            }
        return SignalValues { SignalReader(self, limit: limit, overflow: overflow) }
    }
}
#endif
