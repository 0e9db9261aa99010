import Synchronization

/// The policy for a value above the capacity of a buffer.
public enum OverflowPolicy<E> {
    /// The emitting thread is blocked until the buffer has space.
    ///
    /// If the thread would deadlock, the value exceeds the limit instead. This happens on the queue itself, inside the
    /// callback, and if one of these waits for the emitting thread. It also happens if all threads of the queue's
    /// thread pool wait for it.
    case suspend
    /// The value that has waited longest is dropped.
    case dropOldest
    /// The new value is dropped.
    case dropNewest
    /// All pending values are dropped. Only the new value is kept.
    case keepLatest
    /// The new value is dropped, and the source is disposed. The subscription fails after the pending values were
    /// delivered.
    case fail(E)
    /// The source is paused until half of the values were delivered. Nothing is lost, and no thread is blocked.
    ///
    /// Sequences and ranges pause after the current value, and continue later on another thread or queue. Signals that
    /// read descriptors read no more, and intervals skip numbers. Operators that hand their source down, and operators
    /// that combine signals, pause their sources. A source that cannot be paused exceeds the limit, or another policy
    /// decides about its values. Then the buffer pauses its source already at three quarters of the limit.
    indirect case pause(then: OverflowPolicy<E>? = nil)
}

/// Counts the effects of overflow policies. Any number of subscriptions can share it.
public final class OverflowCounter: Sendable {
    private let drops = Synchronization.Atomic<Int>(0)
    private let suspensions = Synchronization.Atomic<Int>(0)
    private let excesses = Synchronization.Atomic<Int>(0)

    /// Creates a counter at 0.
    public init() {}

    /// The number of dropped values.
    public var dropped: Int { drops.load(ordering: .relaxed) }
    /// The number of times that an emitting thread was blocked.
    public var suspended: Int { suspensions.load(ordering: .relaxed) }

    /// The number of values that exceeded a limit, because their source was not or could not be paused in time.
    public var exceeded: Int { excesses.load(ordering: .relaxed) }

    func exceed() { excesses.add(1, ordering: .relaxed) }
    func drop(_ count: Int) { drops.add(count, ordering: .relaxed) }
    func suspend() { suspensions.add(1, ordering: .relaxed) }
}

extension OverflowPolicy {
    /// The policy for a value above the limit. Nil: the limit may be exceeded.
    var atLimit: OverflowPolicy? {
        guard case let .pause(second) = self else { return self }
        return second
    }

    /// The numbers of pending values at which a buffer pauses its source, and resumes it. The first is `.max` if it
    /// never does.
    @inline(never)
    func marks(limit: Int) -> (high: Int, low: Int) {
        guard case let .pause(second) = self else { return (.max, -1) }
        // A second policy decides at the limit. So the source is paused before, and values in flight have space.
        let high = second == nil ? limit : min(limit, max(1, limit / 4 * 3 + limit % 4 * 3 / 4))
        return (high, lowMark(limit: limit, high: high))
    }
}

/// The number of pending values at which a buffer resumes its source, which it pauses at `high`.
@inline(__always)
func lowMark(limit: Int, high: Int) -> Int { min(limit / 2, high - 1) }
