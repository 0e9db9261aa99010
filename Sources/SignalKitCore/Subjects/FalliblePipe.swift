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

    /// True while a subscriber asks for a pause, because a buffer with the policy `.pause` is full behind it. A program
    /// that sends further values loses none, but they exceed the limit, or a second policy decides about them.
    public var isPaused: Bool { feed.listeners.isPaused }

    /// Calls `resumed` once on the queue, as soon as no subscriber asks for a pause. The end of the pipe also counts as
    /// a resumption. If nobody asks for a pause now, it is enqueued at once, so none is missed after `isPaused`. If the
    /// pipe is released before, `resumed` is released without a call.
    @preconcurrency
    public func onResume(_ queue: Queue, _ resumed: @escaping @Sendable () -> Void) {
        feed.listeners.onResume(queue, resumed)
    }

    /// Fails all current and later subscriptions, after the earlier values. Values that are sent later are dropped.
    public func putError(_ error: E) { feed.fail(error) }

    /// Completes all current and later subscriptions, after the earlier values.
    public func complete() { feed.complete() }
}
