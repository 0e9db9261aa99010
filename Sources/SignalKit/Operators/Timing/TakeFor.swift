/// Forwards the events within `seconds` of the start, then completes on `queue` and disposes the source.
public func take<T, E>(for seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .seconds(seconds)) { sink in
            let hub = TakeForHub(sink, queue)
            hub.open {
                hub.wake(at: queue.now + seconds)
                if !hub.isTerminated { signal.attach(TakeForInlet(hub)) }
            }
        }
    }
}

private final class TakeForHub<T, E>: TimedHub<T, E> {
    override func timeHasCome() { end(.completed) }
}

private final class TakeForInlet<T, E>: Inlet<TakeForHub<T, E>, T, E> {
    override func next(_ value: T) { hub.forward(value) }
    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.end(end) } }
}
