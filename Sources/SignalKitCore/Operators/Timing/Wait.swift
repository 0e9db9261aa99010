/// Starts the signal, then blocks the calling thread until the first event, or for `seconds`. A timeout cancels
/// nothing.
///
/// For programs written for SSignalKit. Never call it on a thread that the source needs, because it would deadlock.
///
/// - Parameters:
///   - seconds: the longest wait.
///   - queue: its clock measures the seconds. The wait advances a virtual clock.
public func wait<T, E>(_ seconds: Double, queue: Queue = .mainQueue()) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .seconds(seconds)) { sink in
            let latch = Latch()
            signal.attach(WaitSink(sink, latch))
            queue.executor.wait(for: latch, seconds)
        }
    }
}

private final class WaitSink<T, E>: PassingStage<T, E> {
    private let latch: Latch

    init(_ downstream: Sink<T, E>, _ latch: Latch) {
        self.latch = latch
        super.init(downstream)
    }

    override func next(_ value: T) {
        latch.open()
        downstream.next(value)
    }

    override func end(_ end: End<E>) {
        latch.open()
        downstream.end(end)
    }
}
