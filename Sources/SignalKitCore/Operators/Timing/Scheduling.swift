/// Delivers every event on `queue`, one at a time, also on a concurrent queue.
///
/// The operator delivers inline if the queue is current and no event of this subscription is in flight. Otherwise it
/// delivers later, in the order of arrival.
///
/// Disposal drops the events in flight. The source is disposed when its terminal event arrives, before the delivery of
/// that event.
public func deliverOn<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    let inlet = DeliveryInlet<T, E>.self
    return { signal in
        ComposedSignal(of: signal, .queue(queue)) { Delivery($0, queue).start(signal, by: inlet) }
    }
}

/// `deliverOn` the main queue.
public func deliverOnMainQueue<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    signal |> deliverOn(Queue.mainQueue())
}

/// Delivers every event on a thread of the pool, later, in the order of arrival. Each subscription has a separate
/// queue.
public func deliverOn<T, E>(_ threadPool: ThreadPool) -> (Signal<T, E>) -> Signal<T, E> {
    deliverOn(chosen: { threadPool.nextQueue().asQueue() })
}

/// `deliverOn` a queue that is chosen for each subscription.
func deliverOn<T, E>(chosen queue: @escaping () -> Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in deferred(of: .one(signal), depth: signal.depth + 1) { signal |> deliverOn(queue()) } }
}

/// Runs the generator on `queue`: inline if the queue is current, otherwise later.
///
/// Disposal before that prevents it. The source decides where events are delivered.
public func runOn<T, E>(_ queue: Queue) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: signal, .queue(queue)) { sink in
            if queue.isCurrent() {
                CurrentWork.run(continuingOn: queue.executor) { signal.attach(sink) }
            } else {
                runLater(signal, sink, queue)
            }
        }
    }
}

/// Runs the generator on a thread of the pool, always later, also if the caller is on such a thread.
///
/// Disposal before that prevents it.
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
