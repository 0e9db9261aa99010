/// Starts the signal, then blocks the starting thread until the first event of any kind, or for `seconds`; nothing is
/// cancelled by that.
///
/// For programs written for SSignalKit. Never call it on a thread that the source needs: it would wait for itself.
/// - Parameters:
///   - seconds: how long to wait at most.
///   - queue: whose clock measures the seconds. A virtual one is moved on by the wait, as far as that takes.
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
