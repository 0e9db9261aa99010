import AsyncAlgorithms
import SignalKit
import SignalKitReading

extension Signal where T: Sendable, E == NoError {
    /// Starts the signal and sends its values to `channel` one after another. At the end it finishes the channel.
    /// Cancelling the task also does this, and disposes the subscription.
    /// - Parameters:
    ///   - limit: the number of values that are buffered for readers of the channel.
    ///   - overflow: the policy for further values.
    ///   - counter: counts overflow.
    public func send(
        to channel: AsyncChannel<T>, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
    ) async {
        _ = await forEach(limit, overflow, counter) { await channel.send($0) }
        channel.finish()
    }
}

extension Signal where T: Sendable, E: Error {
    /// Starts the signal and sends its values to `channel` one after another. At the end it finishes the channel, after
    /// an error by a failure. Cancelling the task also finishes it, and disposes the subscription.
    /// - Parameters:
    ///   - limit: the number of values that are buffered for readers of the channel.
    ///   - overflow: the policy for further values.
    ///   - counter: counts overflow.
    public func send(
        to channel: AsyncThrowingChannel<T, any Error>, limit: Int, overflow: OverflowPolicy<E>,
        counter: OverflowCounter? = nil
    ) async {
        if case let .failed(error) = await forEach(limit, overflow, counter, { await channel.send($0) }) {
            channel.fail(error)
        } else {
            channel.finish()
        }
    }
}

extension Signal where T: Sendable {
    /// Calls `body` for each value; the end, or `closed` after a cancellation.
    private func forEach(
        _ limit: Int, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?, _ body: (T) async -> Void
    ) async -> Reading<T, E> {
        let reader = SignalReader(self, limit: limit, overflow: overflow, counter: counter)
        return await withTaskCancellationHandler {
            while true {
                let reading = await reader.next()
                guard case let .value(value) = reading else { return reading }
                await body(value)
            }
        } onCancel: {
            reader.close()
        }
    }
}
