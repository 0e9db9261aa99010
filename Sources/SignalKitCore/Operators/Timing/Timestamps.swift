/// Emits each value with the time of its arrival on the clock of `queue`: seconds from a fixed point.
public func timestamped<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<(time: Double, value: T), E> {
    { relayed($0, #function) { value, sink in sink.next((queue.now, value)) } }
}

/// Emits each value with the seconds since the one before it, or since the start, by the clock of `queue`.
public func timeInterval<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<(seconds: Double, value: T), E> {
    let stage = TimeIntervalStage<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, queue)) } }
}

private final class TimeIntervalStage<T, E>: SerialStage<T, E, (seconds: Double, value: T)> {
    private let queue: Queue
    @exclusivity(unchecked) private var last: Double

    init(_ downstream: Sink<(seconds: Double, value: T), E>, _ queue: Queue) {
        self.queue = queue
        last = queue.now
        super.init(downstream)
    }

    override func receive(_ value: T) {
        let now = queue.now
        let seconds = now - last
        last = now
        downstream.next((seconds, value))
    }
}
