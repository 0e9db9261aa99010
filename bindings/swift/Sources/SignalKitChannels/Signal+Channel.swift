import AsyncAlgorithms
import SignalKit
import SignalKitReading

extension Signal where T: Sendable, E == NoError {
    /// Runs the signal, sends its values to `channel` one after another, and finishes that at the end, or when the
    /// task is cancelled, which disposes the run.
    /// - Parameters:
    ///   - limit: how many values may wait for those who take them out of the channel.
    ///   - overflow: what becomes of more.
    ///   - counter: is told of what overflows.
    public func send(
        to channel: AsyncChannel<T>, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
    ) async {
        _ = await forEach(limit, overflow, counter) { await channel.send($0) }
        channel.finish()
    }
}

extension Signal where T: Sendable, E: Error {
    /// Runs the signal, sends its values to `channel` one after another, and finishes that at the end (or lets it
    /// fail), or when the task is cancelled, which disposes the run.
    /// - Parameters:
    ///   - limit: how many values may wait for those who take them out of the channel.
    ///   - overflow: what becomes of more.
    ///   - counter: is told of what overflows.
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
