/// Sends values to its current subscribers, in the order of their subscriptions. Values are not stored, unless it
/// replays.
///
/// Deliveries are serialized. A value that is sent during a delivery, in a callback or on another thread, is delivered
/// afterwards by the delivering thread.
///
/// Neither a signal nor a subscription keeps the pipe alive, but a call of its methods does. Its deinitializer drops
/// the latest value and releases the subscribers without an event. Later subscribers only receive the completion, if it
/// was completed. `Pipe` lives as long as its signals.
public final class ValuePipe<T>: @unchecked Sendable {
    private let feed: Feed<T, NoError>

    /// - Parameter replay: whether a new subscriber first receives the latest value, inside `start`.
    public init(replay: Bool = false) {
        feed = Feed(replay: replay)
    }

    /// Returns a signal of the values that are sent from now on. It does not keep the pipe alive.
    public func signal() -> Signal<T, NoError> { feed.signal() }

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

    /// Completes all current and later subscriptions, after the earlier values. Values that are sent later are dropped.
    public func complete() { feed.complete() }
}

/// The implementation of a pipe.
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

    /// (The call does not retain the listeners, because the caller retains this object.)
    @inline(__always) @discardableResult
    func put(_ value: T) -> Put { Listeners.put(value, into: .passUnretained(listeners)) }

    @discardableResult
    func complete() -> Put { listeners.finish(.completed) }

    @discardableResult
    func fail(_ error: E) -> Put { listeners.finish(.error(error)) }
}
