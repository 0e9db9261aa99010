/// A stage with one source that keeps state: what arrives, from any number of threads or from inside its own callback, is handled one
/// event at a time and passed on in the same order.
///
/// Subclasses override `receive`, `receiveError` and `receiveCompleted`. What waits is dropped once the subscription is disposed, and
/// what comes after the end as well: a value that was held up between the gate and here can be overtaken by it. Who tells two things in
/// a row asks `isWanted` in between.
class SerialSink<T, E>: Sink<T, E> {
    private let serial = Serial<SignalEvent<T, E>>()
    @exclusivity(unchecked) private var hasEnded = false
    @exclusivity(unchecked) private var upstream: Subscription?

    /// Whether the stages below may still be told anything.
    final var isWanted: Bool { upstream?.isDisposed != true }

    /// Ends early, in `receive`: tells the end, if that is still wanted, then disposes the source.
    final func stop(_ tell: () -> Void) {
        hasEnded = true
        if isWanted { tell() }
        upstream?.dispose()
    }

    final override func attached(_ upstream: Subscription) {
        self.upstream = upstream
        attachedBelow(upstream)
    }

    final override func next(_ value: T) {
        if serial.enter() { if !hasEnded { receive(value) } } else if !serial.wait(.Next(value)) { return }
        drain()
    }

    final override func error(_ error: E) {
        if serial.enter() { end { receiveError(error) } } else if !serial.wait(.Error(error)) { return }
        drain()
    }

    final override func completed() {
        if serial.enter() { end { receiveCompleted() } } else if !serial.wait(.Completion) { return }
        drain()
    }

    @inline(__always)
    private func drain() {
        _ = serial.drain { event in
            if let event, !hasEnded, isWanted {
                switch event {
                case let .Next(value): receive(value)
                case let .Error(error): end { receiveError(error) }
                case .Completion: end { receiveCompleted() }
                }
            }
            return true
        }
    }

    @inline(__always)
    private func end(_ tell: () -> Void) {
        if hasEnded { return }
        hasEnded = true
        tell()
    }

    func attachedBelow(_ upstream: Subscription) {}
    func receive(_ value: T) {}
    func receiveError(_ error: E) {}
    func receiveCompleted() {}
}

/// A `SerialSink` that changes values and leaves the rest alone.
class SerialStage<T, E, R>: SerialSink<T, E> {
    final let downstream: Sink<R, E>

    init(_ downstream: Sink<R, E>) { self.downstream = downstream }

    override func attachedBelow(_ upstream: Subscription) { downstream.attached(upstream) }
    override func receiveError(_ error: E) { downstream.error(error) }
    override func receiveCompleted() { downstream.completed() }
}
