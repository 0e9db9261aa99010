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
