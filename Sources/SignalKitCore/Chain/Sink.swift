/// A receiver of the events of a signal: one stage of a running chain.
///
/// A stage is a small final class that retains its downstream stage. It first receives the upstream subscription by
/// `attached`, then events as `next* end?`. A plain stage forwards its events, on the same thread. A stage that two
/// threads must not enter at once derives from `SerialSink` or, with several sources, from `Hub`.
public class Sink<T, E> {
    @usableFromInline init() {}

    /// Receives the upstream subscription, before the source runs, so that it can be disposed from the first event on.
    func attached(_ upstream: Subscription) { mustOverride() }
    @usableFromInline func next(_ value: T) { mustOverride() }
    func end(_ end: End<E>) { mustOverride() }

    /// True if adjacent listeners with sinks of this type are called in one loop. One type supports that.
    var standsInRow: Bool { false }
    /// Tells a value to this one, which has not been disposed, and to those of its kind that follow. Returns the rest.
    func next(_ value: T, before row: ListenerRow) -> ListenerRow { mustOverride() }
}

/// The body of a method that every subclass must override.
@inline(never)
func mustOverride() -> Never { fatalError("a subclass must override this method") }

/// A stage that changes values and forwards the other calls.
@usableFromInline
class Stage<T, E, R>: Sink<T, E> {
    @usableFromInline final let downstream: Sink<R, E>

    @usableFromInline init(_ downstream: Sink<R, E>) { self.downstream = downstream }

    override func attached(_ upstream: Subscription) { downstream.attached(upstream) }
    override func end(_ end: End<E>) { downstream.end(end) }
}

/// A stage that forwards every event. Its subclasses add side effects.
class PassingStage<T, E>: Stage<T, E, T> {
    override func next(_ value: T) { downstream.next(value) }
}

/// The listeners of a list from a place on, during a delivery.
struct ListenerRow {
    private let memory: UnsafeMutablePointer<Unmanaged<Subscription>?>?
    private var index = 0
    private let end: Int

    @inline(__always)
    init(_ memory: UnsafeMutablePointer<Unmanaged<Subscription>?>?, _ end: Int) {
        self.memory = memory
        self.end = end
    }

    @inline(__always)
    mutating func next() -> Unmanaged<Subscription>? {
        while index < end {
            index += 1
            if let listener = memory.unsafelyUnwrapped[index - 1] { return listener }
        }
        return nil
    }

    /// Returns the next listener, if there is no hole before it and `isLookedFor` accepts it.
    @inline(__always)
    mutating func next(if isLookedFor: (Unmanaged<Subscription>) -> Bool) -> Unmanaged<Subscription>? {
        guard index < end, let listener = memory.unsafelyUnwrapped[index], isLookedFor(listener) else { return nil }
        index += 1
        return listener
    }
}
