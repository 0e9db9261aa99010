/// Delivers every event on `queue`: inline when the queue is current and nothing of this subscription is on its way
/// there, otherwise later, in the order in which the events came. Also on a concurrent queue at most one event is
/// delivered at a time.
///
/// Disposal drops what is on its way. The source is disposed at its end, while the end still travels.
public func deliverOn<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in ComposedSignal(of: signal, .queue(queue)) { Delivery($0, queue).start(signal) } }
}

/// `deliverOn` the main queue.
public func deliverOnMainQueue<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    signal |> deliverOn(Queue.mainQueue())
}

/// Delivers every event on a thread of the pool, later, in the order in which the events came: each subscription has a
/// line of its own.
public func deliverOn<T, E>(_ threadPool: ThreadPool) -> (Signal<T, E>) -> Signal<T, E> {
    deliverOn(chosen: { threadPool.nextQueue().asQueue() })
}

/// `deliverOn` a queue that is chosen for each subscription.
func deliverOn<T, E>(chosen queue: @escaping () -> Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in deferred(of: .one(signal), depth: signal.depth + 1) { signal |> deliverOn(queue()) } }
}

/// Runs the generator on `queue`: at once when the queue is current, otherwise later. Disposal before that prevents it.
/// Where events are delivered is up to the source.
public func runOn<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .queue(queue)) { sink in
            if queue.isCurrent() { signal.attach(sink) } else { runLater(signal, sink, queue) }
        }
    }
}

/// Runs the generator on a thread of the pool, always later, also when the caller is on one. Disposal before that
/// prevents it.
public func runOn<T, E>(_ threadPool: ThreadPool) -> (Signal<T, E>) -> Signal<T, E> {
    runOn(chosen: { threadPool.nextQueue().asQueue() })
}

/// Runs the generator on a queue that is chosen for each subscription, and always later.
func runOn<T, E>(chosen queue: @escaping () -> Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in ComposedSignal(of: signal) { runLater(signal, $0, queue()) } }
}

private func runLater<T, E>(_ signal: Signal<T, E>, _ sink: Sink<T, E>, _ queue: Queue) {
    LateStart.run(signal, sink) { late in queue.justDispatch { late.start() } }
}
