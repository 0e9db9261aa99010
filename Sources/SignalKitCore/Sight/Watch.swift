import SignalKitShims

/// Follows a stage of a monitored subscription, and records its events.
final class Watch<T, E>: PassingStage<T, E> {
    private let record: Record

    init(_ downstream: Sink<T, E>, _ record: Record) {
        self.record = record
        super.init(downstream)
    }

    deinit { record.close() }

    override func attached(_ upstream: Subscription) {
        record.enter(following: upstream.deliverer.takeUnretainedValue())
        downstream.attached(upstream)
    }

    override func next(_ value: T) {
        let outer = record.passes(.next, at: UInt(sgk_shim_frame()))
        downstream.next(value)
        record.passed(outer)
    }

    override func end(_ end: End<E>) {
        var happening = Happening.completed
        if case .failed = end { happening = .error }
        let outer = record.passes(happening, at: UInt(sgk_shim_frame()))
        downstream.end(end)
        record.passed(outer)
    }
}

extension Watch {
    /// Starts a source of `sink` later. If `sink` is watched, the source belongs to its record.
    @inline(__always)
    static func with(_ sink: Sink<T, E>, _ start: () -> Void) {
        if sgk_shim_is_seen() { withWatched(sink, start) } else { start() }
    }

    @inline(never)
    private static func withWatched(_ sink: Sink<T, E>, _ start: () -> Void) {
        if let watch = sink as? Watch { watch.record.during(start) } else { start() }
    }

    /// Returns the sink after all watches.
    static func below(_ sink: Sink<T, E>) -> Sink<T, E> {
        var sink = sink
        while let watch = sink as? Watch { sink = watch.downstream }
        return sink
    }
}

extension Signal {
    /// Starts a subscription, with monitoring if that is active.
    @inline(never)
    final func attachSeen(_ sink: Sink<T, E>) {
        let outline = outline
        guard Sight.isOpen, !outline.isHidden else { return run(to: sink) }
        var name: SignalName?
        if case let .name(given) = outline.parameter { name = given }
        let record = Record(called ?? outline.operation, outline.operation, outline.parameter, name)
        record.attach { run(to: Watch(sink, record)) }
    }

    /// Like `attachSeen`, for a subscription.
    @inline(never)
    final func attachFinalSeen(_ sink: Sink<T, E>) {
        guard Sight.isOpen else { return attachFinal(to: sink) }
        let record = Record(nil, nil, .none, nearestName, Pictures.areMade ? self : nil)
        record.attach { attachFinal(to: Watch(sink, record)) }
    }
}
