// The operators of time with a `Duration` instead of seconds: `texts |> debounce(.milliseconds(300), queue: .main)`.

/// A signal emitted no event in time.
public struct SignalTimeout: Error, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The text of the error in all languages.
    public var description: String { "timeout: timed out" }
}

/// Fails with `error` if `time` passes without an event, before the first event or between two. Then it disposes the
/// signal.
///
/// - Parameters:
///   - time: the longest time without an event.
///   - queue: where the error is emitted, and whose clock measures `time`.
///   - error: the error of the result.
public func timeout<T, E>(_ time: Duration, queue: Queue, error: E) -> (Signal<T, E>) -> Signal<T, E> {
    timeoutBetween(time.seconds, queue: queue, alternate: .fail(error))
}

/// Fails with `SignalTimeout` if `time` passes without an event, before the first event or between two. Then it
/// disposes the signal.
///
/// - Parameters:
///   - time: the longest time without an event.
///   - queue: where the error is emitted, and whose clock measures `time`.
public func timeout<T>(_ time: Duration, queue: Queue) -> (Signal<T, any Error>) -> Signal<T, any Error> {
    timeout(time, queue: queue, error: SignalTimeout())
}

/// Emits the latest value once `time` has passed without another one. See `debounce` of seconds.
public func debounce<T, E>(_ time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    debounce(time.seconds, queue: queue)
}

/// Emits at most one value in each `interval`. See `throttle` of seconds.
public func throttle<T, E>(_ interval: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(interval.seconds, queue: queue)
}

/// Emits at most one value in each `interval`, at its `edges`. See `throttle` of seconds.
public func throttle<T, E>(
    _ interval: Duration, queue: Queue, edges: ThrottleEdges
) -> (Signal<T, E>) -> Signal<T, E> {
    throttle(interval.seconds, queue: queue, edges: edges)
}

/// Starts the signal after `time`. See `delay` of seconds.
public func delay<T, E>(_ time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    delay(time.seconds, queue: queue)
}

/// Emits each value and the completion `time` after its arrival. Any number of values may be pending. See `delayEach`
/// of seconds.
public func delayEach<T, E>(_ time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    delayEach(time.seconds, queue: queue, limit: .max, overflow: .dropOldest)
}

/// Completes after `time`. See `take(for:queue:)` of seconds.
public func take<T, E>(for time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    take(for: time.seconds, queue: queue)
}

/// Emits the latest value at the end of each `interval`. See `sample` of seconds.
public func sample<T, E>(_ interval: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    sample(interval.seconds, queue: queue)
}

/// Emits arrays of `count` values, and what there is after `time`. See `chunked` of seconds.
public func chunked<T, E>(_ count: Int, _ time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<[T], E> {
    chunked(count, time.seconds, queue: queue)
}

/// Emits at most `count` values in each `time`. Any number of values may be pending. See `rateLimit` of seconds.
public func rateLimit<T, E>(_ count: Int, per time: Duration, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    rateLimit(count, per: time.seconds, queue: queue, waiting: nil)
}

extension Signal where T == Int {
    /// Emits 0, 1, 2 … on `queue`, one in each `period`. See `interval` of seconds.
    public static func interval(_ period: Duration, queue: Queue) -> Signal<Int, E> {
        interval(period.seconds, queue: queue)
    }

    /// Emits 0 on `queue` after `time`, and completes.
    public static func timer(_ time: Duration, queue: Queue) -> Signal<Int, E> { timer(time.seconds, queue: queue) }
}

extension Signal where T == Int, E == Never {
    /// Emits 0, 1, 2 … on `queue`, one in each `period`. See `interval` of seconds.
    public static func interval(_ period: Duration, queue: Queue) -> Signal<Int, Never> {
        interval(period.seconds, queue: queue)
    }

    /// Emits 0 on `queue` after `time`, and completes.
    public static func timer(_ time: Duration, queue: Queue) -> Signal<Int, Never> {
        timer(time.seconds, queue: queue)
    }
}

extension Queue {
    /// Calls `f` on this queue after `time`, unless the result is disposed before. See `after` of seconds.
    public func after(_ time: Duration, _ f: @escaping @Sendable () -> Void) -> any Disposable {
        after(time.seconds, f)
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
