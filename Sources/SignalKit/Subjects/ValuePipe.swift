/// A source that is fed by hand: what is put in reaches all listeners of that moment, in the order of their
/// subscriptions. Nothing is kept, unless it replays.
///
/// Values are delivered one at a time: a value that is put while another is being delivered, from inside a callback or
/// on another thread, is delivered after it, by the same thread. Neither the signal nor a subscription keeps the pipe;
/// when it goes, its listeners are let go without an event, its latest value as well, and later ones hear nothing but
/// the completion, if it was completed. A call of a method holds it as well. `Pipe` lives as long as its signals.
public final class ValuePipe<T>: @unchecked Sendable {
    private let feed: Feed<T, NoError>

    /// - Parameter replay: whether a new listener gets the latest value, if there was one, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
    }

    /// What is put in from now on. It does not keep the pipe.
    public func signal() -> Signal<T, NoError> { feed.signal() }

    /// Puts a value in, for all listeners of this moment.
    public func putNext(_ next: T) { feed.put(next) }

    /// Ends the pipe: all listeners, also later ones, are told of the completion, after the values put before. What is
    /// put later goes nowhere.
    public func complete() { feed.complete() }
}

/// What a pipe consists of.
final class Feed<T, E>: @unchecked Sendable {
    let listeners: Listeners<T, E>

    init(replay: Bool) {
        listeners = Listeners(keepsLatest: replay)
    }

    deinit {
        listeners.close()
    }

    func signal() -> Signal<T, E> {
        let listeners = listeners
        return ComposedSignal(as: "pipe") { listeners.addOrStaySilent($0) }
    }

    /// (The listeners are not counted for the call: the caller holds this, which keeps them.)
    @inline(__always) @discardableResult
    func put(_ value: T) -> Put { Listeners.put(value, into: .passUnretained(listeners)) }

    @discardableResult
    func complete() -> Put { listeners.finish(.completed) }

    @discardableResult
    func fail(_ error: E) -> Put { listeners.finish(.error(error)) }
}
