/// Emits the values in arrays of `count`. Completion first emits the remaining values. An error drops them.
public func chunked<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(count > 0, "count must be 1 or more")
    let stage = ChunkStage<T, E>.self
    return { signal in
        ComposedSignal(of: signal, .count(count)) {
            signal.attach(stage.init($0, count, every: count, emitsRest: true))
        }
    }
}

/// Emits windows: arrays of `count` values.
///
/// The first window starts with the first value, and each further one starts `every` values later. If `every` is less
/// than `count`, windows overlap. If it is more, the values between two windows are dropped. The terminal event drops
/// the windows that are not full.
public func windowed<T, E>(_ count: Int, every: Int = 1) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(count > 0, "count must be 1 or more")
    precondition(every > 0, "every must be 1 or more")
    let stage = ChunkStage<T, E>.self
    return { signal in
        ComposedSignal(of: signal, .several([.count(count), .count(every)])) {
            signal.attach(stage.init($0, count, every: every, emitsRest: false))
        }
    }
}

/// Emits the values in arrays of `count`, or of fewer values `seconds` after the first of them.
///
/// The operator emits no empty array. Completion first emits the pending values. An error drops them.
///
/// **Thread:** callbacks run on `queue`.
public func chunked<T, E>(_ count: Int, _ seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(count > 0, "count must be 1 or more")
    return rated(queue, .several([.count(count), .seconds(seconds)])) { ChunkMachine(count, seconds) }
}

/// Emits an array for each value of `boundary`, with the values that arrived since the previous one.
///
/// The operator emits no empty array. It emits earlier if `limit` values are pending. Completion first emits the
/// pending values. An error, also of `boundary`, drops them. `boundary` is started first, and its completion is
/// ignored.
public func chunked<T, E, B>(by boundary: Signal<B, E>, limit: Int) -> (Signal<T, E>) -> Signal<[T], E> {
    precondition(limit > 0, "limit must be 1 or more")
    return gathered(by: boundary, .count(limit)) { ChunkMachine(limit, .infinity) }
}

/// Chunks are windows that neither overlap nor leave a gap. Only they are emitted incomplete, at completion.
private final class ChunkStage<T, E>: SerialStage<T, E, [T]> {
    private let limit: Int
    private let every: Int
    private let emitsRest: Bool
    @exclusivity(unchecked) private var values = Batch<T>()
    /// The number of values to drop before the next window.
    @exclusivity(unchecked) private var gap = 0

    init(_ downstream: Sink<[T], E>, _ limit: Int, every: Int, emitsRest: Bool) {
        self.limit = limit
        self.every = every
        self.emitsRest = emitsRest
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if gap > 0 {
            gap -= 1
            return
        }
        values.append(value)
        if values.count == limit { emit() }
    }

    private func emit() {
        let all = values.takeAll()
        gap = max(0, every - limit)
        var next = every
        while next < limit {
            values.append(all[next])
            next += 1
        }
        downstream.next(all)
    }

    override func receiveEnd(_ end: End<E>) {
        if emitsRest, case .completed = end, values.count > 0 { downstream.next(values.takeAll()) }
        if isWanted { downstream.end(end) }
    }
}

struct ChunkMachine<Value>: RateMachine, ~Copyable {
    private let limit: Int
    private let seconds: Double
    private var values = Batch<Value>()
    private var deadline = 0.0
    private var isWaiting = false

    init(_ limit: Int, _ seconds: Double) {
        self.limit = limit
        self.seconds = seconds
    }

    mutating func next(_ value: Value, at now: Double) -> RateDecision {
        if !hasPending { deadline = now + seconds }
        values.append(value)
        if values.count == limit { return RateDecision(emits: true) }
        if isWaiting { return RateDecision() }
        isWaiting = true
        return RateDecision(wake: deadline)
    }

    mutating func wake(at now: Double) -> RateDecision {
        // The chunk of the request may be full by now, and another one started. The timer was not changed.
        if hasPending && now < deadline { return RateDecision(wake: deadline) }
        isWaiting = false
        return RateDecision(emits: hasPending)
    }

    var hasPending: Bool { values.count > 0 }
    mutating func takePending() -> [Value] { values.takeAll() }
}
