import SignalKit

extension AsyncSequence where Self: Sendable {
    /// Returns a signal of an asynchronous sequence, for instance of a channel or of a result of algorithms. Each start
    /// iterates over it in a separate task, which disposal cancels. Its exception is the error. (`Signal.from` has a
    /// priority.)
    public var signal: Signal<Element, Failure> { .from(self) }
}

extension AsyncSequence where Self: Sendable, Failure == Never {
    /// The same, of a sequence that throws nothing.
    public var signal: Signal<Element, NoError> { .from(self) }
}
