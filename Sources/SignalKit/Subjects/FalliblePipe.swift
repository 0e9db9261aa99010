/// A `ValuePipe` that can end with an error.
public final class FalliblePipe<T, E>: @unchecked Sendable {
    private let feed: Feed<T, E>

    /// - Parameter replay: whether a new listener gets the latest value, if there was one, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
    }

    /// What is put in from now on. It does not keep the pipe.
    public func signal() -> Signal<T, E> { feed.signal() }

    /// Puts a value in, for all listeners of this moment.
    public func putNext(_ next: T) { feed.put(next) }

    /// Ends the pipe: all listeners, also later ones, are told of the error, after the values put before. What is put
    /// later goes nowhere.
    public func putError(_ error: E) { feed.fail(error) }

    /// Ends the pipe, as `putError` does, without an error.
    public func complete() { feed.complete() }
}
