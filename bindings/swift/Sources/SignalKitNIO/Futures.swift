import NIOCore
import SignalKit

extension EventLoopFuture where Value: Sendable {
    /// The result of the future, as a value and the completion, or as an error; on the future's event loop.
    ///
    /// Disposal only stops listening: a future cannot be cancelled.
    public var signal: Signal<Value, any Error> {
        Signal { subscriber in
            self.whenComplete { result in
                switch result {
                case let .success(value):
                    subscriber.putNext(value)
                    subscriber.putCompletion()
                case let .failure(error):
                    subscriber.putError(error)
                }
            }
            return EmptyDisposable
        }
    }
}

extension Signal where T: Sendable, E: Error {
    /// Starts the signal; the future has its first value, its error, or `SignalEndedWithoutValue`.
    public func firstFuture(on eventLoop: any NIOCore.EventLoop) -> EventLoopFuture<T> {
        eventLoop.makeFutureWithTask { try await self.get() }
    }
}

extension Signal where T: Sendable, E == NoError {
    /// Starts the signal; the future has its first value, or nil when it completes without one.
    public func firstFuture(on eventLoop: any NIOCore.EventLoop) -> EventLoopFuture<T?> {
        eventLoop.makeFutureWithTask { try await self.getOptional() }
    }
}
