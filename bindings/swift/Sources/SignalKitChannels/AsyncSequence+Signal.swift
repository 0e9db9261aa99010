import SignalKit

extension AsyncSequence where Self: Sendable {
    /// A signal of what an asynchronous sequence has, as a channel or what algorithms make of one. Each start iterates
    /// it in a task of its own, which disposal cancels; what it throws is the error. (`Signal.from` has a priority.)
    public var signal: Signal<Element, Failure> { .from(self) }
}

extension AsyncSequence where Self: Sendable, Failure == Never {
    /// The same, of a sequence that throws nothing.
    public var signal: Signal<Element, NoError> { .from(self) }
}
