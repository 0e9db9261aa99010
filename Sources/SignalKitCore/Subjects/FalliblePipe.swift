/// A `ValuePipe` that can end with an error.
public final class FalliblePipe<T, E>: @unchecked Sendable {
    private let feed: Feed<T, E>

    /// - Parameter replay: whether a new subscriber first receives the latest value, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
    }

    /// Returns a signal of the values that are sent from now on. It does not keep the pipe alive.
    public func signal() -> Signal<T, E> { feed.signal() }

    /// Sends a value to all current subscribers.
    public func putNext(_ next: T) { feed.put(next) }

    /// Fails all current and later subscriptions, after the earlier values. Values that are sent later are dropped.
    public func putError(_ error: E) { feed.fail(error) }

    /// Completes all current and later subscriptions, after the earlier values.
    public func complete() { feed.complete() }
}
