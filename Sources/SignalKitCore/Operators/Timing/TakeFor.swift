/// Forwards the events within `seconds` of the start, then completes on `queue` and disposes the source.
public func take<T, E>(for seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .seconds(seconds)) { sink in
            let hub = TakeForHub(sink, queue)
            hub.open {
                hub.wake(at: queue.now + seconds)
                if !hub.isTerminated { signal.attach(Source(hub, at: 0)) }
            }
        }
    }
}

private final class TakeForHub<T, E>: TimedHub<T, T, E> {
    override func next(_ value: T, at place: Int) { emit(value) }
    override func timeHasCome() { end(.completed) }
}
