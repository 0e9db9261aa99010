/// Forwards what comes within `seconds` of the start, then completes, on `queue`, and disposes the source.
public func take<T, E>(for seconds: Double, queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal) { sink in
            let hub = TakeForHub(sink)
            hub.open {
                let timer = queue.after(seconds) { hub.submit { [unowned(unsafe) hub] in hub.end(.completed) } }
                hub.store(timer, in: TakeForHub<T, E>.otherSlot)
                if !hub.isTerminated { signal.attach(TakeForInlet(hub)) }
            }
        }
    }
}

/// The timer, in the other slot, does not keep it open: where the source lets go, nothing more comes.
private final class TakeForHub<T, E>: SuccessionHub<T, E> {}

private final class TakeForInlet<T, E>: Inlet<TakeForHub<T, E>, T, E> {
    override func next(_ value: T) { hub.forward(value) }
    override func end(_ end: End<E>) { hub.submit { [unowned(unsafe) hub] in hub.end(end) } }
}
