/// Limits the rate of values by a token bucket: `count` values may pass at once, and one more every `seconds / count`.
///
///     let sent = requests |> rateLimit(10, per: 1, queue: queue, waiting: 100, overflow: .dropOldest)
///
/// A value that may not pass yet waits. At most `waiting` values are pending, then `overflow` decides. With
/// `waiting: 0` and `.dropNewest` such a value is dropped. `overflow` must not be `.suspend`, because the emitting
/// thread would block until a timer fires.
///
/// Completes after the last pending value. An error drops the pending values.
///
/// - Parameters:
///   - count: The capacity of the bucket: 1 or more.
///   - seconds: The time in which an empty bucket becomes full. Finite, and 0 or more.
///   - queue: Where pending values are emitted, and whose clock measures `seconds`.
///   - waiting: The maximum number of pending values.
///   - overflow: The policy for a value above `waiting`.
///   - counter: Counts the dropped values.
///
/// **Thread:** a value that need not wait passes on the emitting thread, one that waited on `queue`. Values are
/// emitted one at a time, in their order.
public func rateLimit<T, E>(
    _ count: Int, per seconds: Double, queue: Queue, waiting: Int, overflow: OverflowPolicy<E>,
    counter: OverflowCounter? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    limitRate(count, seconds, queue, Bound(waiting, overflow, counter))
}

/// Like `rateLimit` with a limit, but any number of values may be pending.
///
/// - Parameters:
///   - count: The capacity of the bucket: 1 or more.
///   - seconds: The time in which an empty bucket becomes full. Finite, and 0 or more.
///   - queue: Where pending values are emitted, and whose clock measures `seconds`.
///   - waiting: nil.
public func rateLimit<T, E>(
    _ count: Int, per seconds: Double, queue: Queue, waiting: Never?
) -> (Signal<T, E>) -> Signal<T, E> {
    limitRate(count, seconds, queue, .none)
}

func limitRate<T, E>(
    _ count: Int, _ seconds: Double, _ queue: Queue, _ bound: Bound<E>, as operation: CString = #function
) -> (Signal<T, E>) -> Signal<T, E> {
    precondition(count > 0, "count must be 1 or more")
    precondition(seconds >= 0 && seconds.isFinite, "seconds must be finite, and 0 or more")
    let hub = RateLimitHub<T, E>.self
    let parameter = Parameter.several([.count(count), .seconds(seconds), .count(bound.limit)])
    return { signal in
        ComposedSignal(of: signal, parameter, as: operation) { sink in
            let hub = hub.init(sink, queue, TokenBucket(count, seconds), bound)
            if bound.pauses { hub.govern() }
            hub.open {
                hub.limitIfGoverned()
                signal.attach(Source(hub, at: 0))
            }
        }
    }
}

private final class RateLimitHub<T, E>: TimedHub<T, T, E> {
    @exclusivity(unchecked) private var bucket: TokenBucket
    @exclusivity(unchecked) private var bound: Bound<E>?
    @exclusivity(unchecked) private var waiting = Batch<T>()
    @exclusivity(unchecked) private var hasCompleted = false
    /// While it is true, or a value waits, a call of `timeHasCome` is pending.
    @exclusivity(unchecked) private var isPausing = false

    init(_ sink: Sink<T, E>, _ queue: Queue, _ bucket: TokenBucket, _ bound: Bound<E>) {
        self.bucket = bucket
        self.bound = bound
        super.init(sink, queue)
    }

    /// A governed run has no buffer without a limit. Called inside `open`.
    func limitIfGoverned() {
        if isGoverned && bound?.limit == .max { bound = Bound(1024, .pause(), nil) }
    }

    override func next(_ value: T, at place: Int) {
        let isFirst = waiting.count == 0
        if isFirst && bucket.take(at: queue.now) { return emit(value) }
        let wakes = isFirst && !isPausing
        if let end = bound?.add(value, to: &waiting, from: 0, of: self) { return self.end(end) }
        if wakes && (isPausing || waiting.count > 0) { wake(at: bucket.nextTime) }
    }

    override func isFull(at place: Int) { pauseSource(at: 0, &isPausing) }

    override func timeHasCome() {
        while waiting.count > 0 {
            if waitsForResumption() { return }
            if !bucket.take(at: queue.now) {
                wake(at: bucket.nextTime)
                break
            }
            emit(waiting.takeFirst())
        }
        if waiting.count == 0 && hasCompleted { return end(.completed) }
        if isPausing && waiting.count <= max(0, bound?.marks.low ?? 0) { resumeSource(at: 0, &isPausing) }
    }

    override func ended(_ end: End<E>, at place: Int) {
        if case .completed = end, waiting.count > 0 { hasCompleted = true } else { self.end(end) }
    }

    override func clear() {
        waiting = Batch()
        bound = nil
    }
}

/// A bucket of tokens, of which each value takes one. It only stores the time at which the bucket is full again.
struct TokenBucket {
    private let interval: Double
    private let slack: Double
    private var isFullAt = -Double.infinity

    init(_ count: Int, _ seconds: Double) {
        interval = seconds / Double(count)
        slack = seconds - interval
    }

    /// The time of the next token. In the past if there is one.
    var nextTime: Double { isFullAt - slack }

    /// Takes a token, if there is one.
    mutating func take(at now: Double) -> Bool {
        if now < nextTime { return false }
        isFullAt = max(isFullAt, now) + interval
        return true
    }
}
