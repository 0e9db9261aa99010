/// Sends values to its subscribers. Its signals can outlive it. With `replay`, a new subscriber receives the latest
/// value first.
///
/// The pipe, its signals and the handles of subscriptions retain one shared feed. The release of the last of them
/// releases the remaining listeners without an event. Deliveries are ordered like those of `ValuePipe`. A value is
/// stored before it is delivered.
public final class Pipe<T>: @unchecked Sendable {
    private let feed: Feed<T, NoError>

    /// - Parameter replay: whether a new subscriber first receives the latest value, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
        feed.listeners.owner = .passUnretained(feed)
    }

    /// Returns a signal of the values that are sent from now on.
    public func signal() -> Signal<T, NoError> { signalProducer() }

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

    /// Completes all subscriptions, after the earlier values. Later subscribers receive the completion. If the pipe
    /// replays, they receive the latest value first.
    public func complete() { feed.complete() }

    /// Makes signals of this pipe without keeping the pipe.
    public var signalProducer: () -> Signal<T, NoError> {
        let feed = feed
        return { ComposedSignal(as: "pipe") { feed.listeners.addOrStaySilent($0, keeping: feed) } }
    }

    /// Puts values without keeping the pipe.
    public var sink: (T) -> Void {
        let feed = feed
        return { feed.put($0) }
    }
}
