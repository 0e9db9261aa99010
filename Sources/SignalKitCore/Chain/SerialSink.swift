/// A stage with one source and with state. It handles one event at a time, in the order of arrival. Events may arrive
/// from several threads, or inside its callback.
///
/// Subclasses override `receive` and `receiveEnd`. After disposal the pending events are dropped. Events after the end
/// are also dropped, because a value can be delayed between the gate and this stage. A stage that emits two events in a
/// row checks `isWanted` between them.
class SerialSink<T, E>: Sink<T, E> {
    /// The pending events are in the sink, so they do not retain it. (Each is a closure, created only when it must
    /// wait. The type of an event would be looked up each time.)
    private let serial = Serial<() -> Void>()
    @exclusivity(unchecked) final private var hasEnded = false
    @exclusivity(unchecked) final private var upstream: Subscription?

    /// True if the downstream stages may receive an event.
    final var isWanted: Bool { upstream?.isDisposed != true }

    /// Ends early, in `receive`: delivers the end downstream, if it is still wanted, then disposes the source.
    final func stop<R, F>(_ downstream: Sink<R, F>, _ end: End<F>) {
        hasEnded = true
        if isWanted { downstream.end(end) }
        upstream?.dispose()
    }

    final override func attached(_ upstream: Subscription) {
        self.upstream = upstream
        attachedBelow(upstream)
    }

    final override func next(_ value: T) {
        if !serial.enter() { return enqueue(value) }
        if !hasEnded { receive(value) }
        if !serial.leave() { handleWaiting() }
    }

    final override func end(_ end: End<E>) {
        if !serial.enter() { return enqueue { [unowned(unsafe) self] in endOnce(end) } }
        endOnce(end)
        if !serial.leave() { handleWaiting() }
    }

    @inline(never)
    final private func enqueue(_ value: T) { enqueue { [unowned(unsafe) self] in receive(value) } }

    @inline(never)
    final private func enqueue(_ event: @escaping () -> Void) { if serial.enqueue(event) { handleWaiting() } }

    /// A separate function, because an event without contention does not need the registers that this uses.
    @inline(never)
    final private func handleWaiting() {
        serial.drain { event in
            if let event, !hasEnded, isWanted { event() }
            return true
        }
    }

    final private func endOnce(_ end: End<E>) {
        if hasEnded { return }
        hasEnded = true
        receiveEnd(end)
    }

    func attachedBelow(_ upstream: Subscription) { mustOverride() }
    func receive(_ value: T) { mustOverride() }
    func receiveEnd(_ end: End<E>) { mustOverride() }
}

/// A `SerialSink` that changes values and forwards the terminal event.
class SerialStage<T, E, R>: SerialSink<T, E> {
    final let downstream: Sink<R, E>

    init(_ downstream: Sink<R, E>) { self.downstream = downstream }

    override func attachedBelow(_ upstream: Subscription) { downstream.attached(upstream) }
    override func receiveEnd(_ end: End<E>) { downstream.end(end) }
}
