/// Emits a value when no other has followed it for `delay` seconds. Completion first emits the value that waits, if
/// any; an error drops it. Everything happens on `queue`.
public func debounce<T, E>(_ delay: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    rated(queue, .seconds(delay)) { DebounceMachine(delay) }
}

/// SSignalKit's name for `debounce`.
public func throttleOn<T, E>(_ queue: Queue, delay: Double) -> (Signal<T, E>) -> Signal<T, E> {
    debounce(delay, queue: queue)
}

/// Emits a value at once and then at most one every `interval` seconds: the latest of those that came meanwhile, when
/// the interval is over. Completion first emits the value that waits, if any; an error drops it. Everything happens on
/// `queue`.
public func throttle<T, E>(_ interval: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(interval, queue: queue, edges: [.leading, .trailing])
}

/// Which values of an interval `throttle` emits.
public struct ThrottleEdges: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The one that begins an interval, at once.
    public static let leading = ThrottleEdges(rawValue: 1)
    /// The latest of those that came meanwhile, when the interval is over.
    public static let trailing = ThrottleEdges(rawValue: 2)
}

/// Emits at most one value every `interval` seconds, or two of the first interval: the one that begins it, the latest
/// at its end, or both, as `edges` says. With `.leading` alone what comes meanwhile is dropped; otherwise the latest
/// never is: completion first emits the value that waits, if any. An error drops it. Everything happens on `queue`.
public func throttle<T, E>(_ interval: Double, queue: Queue, edges: ThrottleEdges) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(!edges.isDisjoint(with: [.leading, .trailing]), "nothing would pass")
    return rated(queue, .seconds(interval)) { ThrottleMachine(interval, edges) }
}

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
        // Values that came meanwhile have moved the deadline; the timer was left alone.
        if now < deadline { return RateDecision(wake: deadline) }
        isWaiting = false
        return RateDecision(emits: hasPending)
    }

    var hasPending: Bool { pending.hasValue }
    mutating func takePending() -> Value { pending.move() }
}

struct ThrottleMachine<Value>: RateMachine, ~Copyable {
    private let interval: Double
    private let edges: ThrottleEdges
    private var pending = Cell<Value>()
    private var isClosed = false

    init(_ interval: Double, _ edges: ThrottleEdges = [.leading, .trailing]) {
        self.interval = interval
        self.edges = edges
    }

    mutating func next(_ value: Value, at now: Double) -> RateDecision {
        if !isClosed || edges.contains(.trailing) { pending.set(value) }
        if isClosed { return RateDecision() }
        isClosed = true
        return RateDecision(emits: edges.contains(.leading), wake: now + interval)
    }

    mutating func wake(at now: Double) -> RateDecision {
        if hasPending { return RateDecision(emits: true, wake: now + interval) }
        isClosed = false
        return RateDecision()
    }

    var hasPending: Bool { pending.hasValue }
    mutating func takePending() -> Value { pending.move() }
}
