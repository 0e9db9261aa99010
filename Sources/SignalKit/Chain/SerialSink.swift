/// A stage with one source that keeps state: what arrives, from any number of threads or from inside its own callback,
/// is handled one event at a time and passed on in the same order.
///
/// Subclasses override `receive` and `receiveEnd`. What waits is dropped once the subscription is disposed, and what
/// comes after the end as well: a value that was held up between the gate and here can be overtaken by it. A stage that
/// emits two events in a row asks `isWanted` in between.
class SerialSink<T, E>: Sink<T, E> {
    /// What waits is in the sink itself, and so holds it without counting. (A closure, which is made only then: the
    /// type of an event would be looked up at each of them.)
    private let serial = Serial<() -> Void>()
    @exclusivity(unchecked) private var hasEnded = false
    @exclusivity(unchecked) private var upstream: Subscription?

    /// Whether the stages below may still be told anything.
    final var isWanted: Bool { upstream?.isDisposed != true }

    /// Ends early, in `receive`: tells the end to the stage below, if that still wants it, then disposes the source.
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
    private func enqueue(_ value: T) { enqueue { [unowned(unsafe) self] in receive(value) } }

    @inline(never)
    private func enqueue(_ event: @escaping () -> Void) { if serial.enqueue(event) { handleWaiting() } }

    /// Apart: an event that meets no other has no use for the registers that this takes.
    @inline(never)
    private func handleWaiting() {
        serial.drain { event in
            if let event, !hasEnded, isWanted { event() }
            return true
        }
    }

    private func endOnce(_ end: End<E>) {
        if hasEnded { return }
        hasEnded = true
        receiveEnd(end)
    }

    func attachedBelow(_ upstream: Subscription) { mustOverride() }
    func receive(_ value: T) { mustOverride() }
    func receiveEnd(_ end: End<E>) { mustOverride() }
}

/// A `SerialSink` that changes values and leaves the rest alone.
class SerialStage<T, E, R>: SerialSink<T, E> {
    final let downstream: Sink<R, E>

    init(_ downstream: Sink<R, E>) { self.downstream = downstream }

    override func attachedBelow(_ upstream: Subscription) { downstream.attached(upstream) }
    override func receiveEnd(_ end: End<E>) { downstream.end(end) }
}
