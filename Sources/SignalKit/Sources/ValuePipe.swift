/// A source that is fed by hand: what is put in reaches everybody who listens then, in the order of their subscriptions. Nothing is
/// kept, unless it replays.
///
/// Values are delivered one at a time: a value that is put while another is being delivered, from inside a callback or on another
/// thread, is delivered after it by whoever is at it. Neither the signal nor a subscription keeps the pipe; when it goes, its listeners
/// are let go without an event, and who starts later hears nothing. `Pipe` lives as long as its signals.
public final class ValuePipe<T>: @unchecked Sendable {
    private let listeners: Listeners<T, NoError>

    /// - Parameter replay: whether who starts gets the latest value, if there was one, inside `start`.
    public init(replay: Bool = false) {
        listeners = Listeners(keepsLatest: replay)
    }

    deinit {
        listeners.close()
    }

    public func signal() -> Signal<T, NoError> {
        let listeners = listeners
        return Signal(attach: { listeners.addOrStaySilent($0) })
    }

    public func putNext(_ next: T) { listeners.put(next) }

    /// The same; false when the pipe has been completed.
    func tryPutNext(_ next: T) -> Bool { listeners.put(next) == .accepted }

    /// Ends the pipe: everybody who listens, and who starts later, is told of the completion, after the values put before. What is put
    /// later goes nowhere.
    public func complete() { listeners.finish(.Completion) }
}
