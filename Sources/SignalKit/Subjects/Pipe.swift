/// A source that is fed by hand and whose signals live on without it; with `replay`, a new listener gets the latest
/// value first.
///
/// The pipe, its signals and the subscriptions that are held keep one shared feed. When the last of them goes, the
/// listeners that are left are let go without an event. Deliveries are ordered as in `ValuePipe`; a value is remembered
/// before it is delivered.
public final class Pipe<T>: @unchecked Sendable {
    private let feed: Feed<T, NoError>

    /// - Parameter replay: whether a new listener gets the latest value, if there was one, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
        feed.listeners.owner = .passUnretained(feed)
    }

    /// What is put in from now on.
    public func signal() -> Signal<T, NoError> { signalProducer() }

    /// Puts a value in, for all listeners of this moment.
    public func putNext(_ next: T) { feed.put(next) }

    /// Ends the pipe: all listeners are told of the completion, after the values put before. Later ones get the latest
    /// value, if the pipe replays, and the completion.
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
