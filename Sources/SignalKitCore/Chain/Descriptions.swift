#if !hasFeature(Embedded)
extension Subscription: CustomStringConvertible, CustomDebugStringConvertible {
    /// The state of the subscription.
    public var debugDescription: String {
        isDisposed ? "a disposed subscription" : isTerminated ? "an ended subscription" : "an active subscription"
    }

    public var description: String { "SubscriberDisposable { disposable: \(isDisposed ? "nil" : "hasValue") }" }
}

extension Subscriber: CustomStringConvertible {
    public var description: String {
        func has(_ it: Bool) -> String { it ? "hasValue" : "nil" }
        let (callbacks, inner, isTerminated) = gate.contents
        return
            "Subscriber { next: \(has(callbacks.next)), error: \(has(callbacks.error)), "
            + "completed: \(has(callbacks.completed)), "
            + "disposable: \(has(inner)), terminated: \(isTerminated ? "true" : "false") }"
    }
}
#endif
