/// Switches to `other` when the signal has completed without a value. `other` is started before the first is disposed.
public func switchIfEmpty<T, E>(_ other: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        let sources: Sources = [signal, other]
        return deferred(of: sources, depth: sources.depth + 2) {
            let emptiness = Emptiness()
            let result: Signal<T, E> = rounds(of: sources) {
                { (end: End<E>?) -> FollowUp<T, E, E> in
                    switch end {
                    case nil: return .source(signal)
                    case .completed? where emptiness.isEmpty: return .last(other)
                    case let end?: return .end(end)
                    }
                }
            }
            // Downstream of the rounds, where events are serialized. Thus no value arrives between the end and the
            // decision about it.
            return result |> beforeNext { _ in emptiness.isEmpty = false }
        }
    }
}

/// Emits `value` if the signal completes without one.
public func defaultIfEmpty<T, E>(_ value: T) -> (Signal<T, E>) -> Signal<T, E> { switchIfEmpty(.single(value)) }

/// The state of one subscription: no value so far.
private final class Emptiness {
    @exclusivity(unchecked) var isEmpty = true
}
