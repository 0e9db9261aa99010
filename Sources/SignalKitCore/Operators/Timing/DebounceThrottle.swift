/// Emits a value when the source has been silent for `delay` seconds.
///
/// Each new value replaces the pending one and restarts the delay. On completion the operator emits the pending value,
/// then completes. On an error it drops the pending value.
///
/// - Parameters:
///   - delay: Seconds of silence before a value is emitted.
///   - queue: Where events are delivered, and whose clock measures `delay`.
///
/// **Thread:** callbacks run on `queue`.
/// **Warning:** events are buffered without limit while `queue` is busy, including values that are dropped later.
public func debounce<T, E>(_ delay: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    rated(queue, .seconds(delay)) { DebounceMachine(delay) }
}

/// The name of `debounce` in SSignalKit.
public func throttleOn<T, E>(_ queue: Queue, delay: Double) -> (Signal<T, E>) -> Signal<T, E> {
    debounce(delay, queue: queue)
}

/// Limits the rate to one value per `interval`, plus the first value.
///
/// The first value is emitted immediately and starts an interval. At the end of the interval the operator emits the
/// latest value that arrived during it, and starts the next interval. If no value arrived, the next value is emitted
/// immediately again.
///
/// On completion the operator emits the pending value, then completes. On an error it drops the pending value.
///
/// - Parameters:
///   - interval: Seconds between two emitted values.
///   - queue: Where events are delivered, and whose clock measures `interval`.
///
/// **Thread:** callbacks run on `queue`.
/// **Warning:** events are buffered without limit while `queue` is busy, including values that are dropped later.
public func throttle<T, E>(_ interval: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(interval, queue: queue, edges: [.leading, .trailing])
}

/// The values of an interval that `throttle` emits.
public struct ThrottleEdges: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value that starts an interval, immediately. A value at the very end of an interval starts the next one.
    public static let leading = ThrottleEdges(rawValue: 1)
    /// The latest value of an interval, at its end.
    public static let trailing = ThrottleEdges(rawValue: 2)
}

/// Limits the rate to one value per `interval`, and lets `edges` select the value.
///
/// With `.leading` the operator emits the value that starts an interval and drops the others. With `.trailing` it emits
/// the latest value at the end of the interval. With both it behaves like `throttle(_:queue:)`.
///
/// On completion the operator emits the pending value, if there is one, then completes. On an error it drops it.
///
/// - Parameters:
///   - interval: Seconds between two emitted values.
///   - queue: Where events are delivered, and whose clock measures `interval`.
///   - edges: At least one edge. An empty set stops the program.
///
/// **Thread:** callbacks run on `queue`.
/// **Warning:** events are buffered without limit while `queue` is busy, including values that are dropped later.
public func throttle<T, E>(_ interval: Double, queue: Queue, edges: ThrottleEdges) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(!edges.isDisjoint(with: [.leading, .trailing]), "throttle: edges must not be empty")
    return rated(queue, .seconds(interval)) { ThrottleMachine(interval, edges) }
}

/// The state of `debounce`, without threads and timers, so that tests can drive it directly.
struct DebounceMachine<Value>: RateMachine, ~Copyable {
    private let delay: Double
    private var pending = Cell<Value>()
    private var deadline = 0.0
    private var isWaiting = false

    init(_ delay: Double) { self.delay = delay }

    mutating func next(_ value: Value, at now: Double) -> RateDecision {
        pending.set(value)
        deadline = now + delay
        if isWaiting { return RateDecision() }
        isWaiting = true
        return RateDecision(wake: deadline)
    }

    mutating func wake(at now: Double) -> RateDecision {
        // A later value moved the deadline. `next` did not reset the timer, so that a value costs no timer operation.
        if now < deadline { return RateDecision(wake: deadline) }
        isWaiting = false
        return RateDecision(emits: hasPending)
    }

    var hasPending: Bool { pending.hasValue }
    mutating func takePending() -> Value { pending.move() }
}

/// The state of `throttle`. The interval is closed from its first value until a wake-up finds no pending value.
struct ThrottleMachine<Value>: RateMachine, ~Copyable {
    private let interval: Double
    private let edges: ThrottleEdges
    private var pending = Cell<Value>()
    private var isClosed = false
    private var end = 0.0

    init(_ interval: Double, _ edges: ThrottleEdges = [.leading, .trailing]) {
        self.interval = interval
        self.edges = edges
    }

    mutating func next(_ value: Value, at now: Double) -> RateDecision {
        // A value at the very end of the interval may arrive before the timer, which then is left alone.
        let opens = !isClosed || now >= end && !edges.contains(.trailing)
        if opens || edges.contains(.trailing) { pending.set(value) }
        if !opens { return RateDecision() }
        end = now + interval
        defer { isClosed = true }
        return RateDecision(emits: edges.contains(.leading), wake: isClosed ? nil : end)
    }

    mutating func wake(at now: Double) -> RateDecision {
        if now < end { return RateDecision(wake: end) }
        isClosed = hasPending
        end = now + interval
        return isClosed ? RateDecision(emits: true, wake: end) : RateDecision()
    }

    var hasPending: Bool { pending.hasValue }
    mutating func takePending() -> Value { pending.move() }
}
