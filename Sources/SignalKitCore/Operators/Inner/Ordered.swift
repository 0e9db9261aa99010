/// Runs at most `limit` inner signals at the same time (`.max`: all) and forwards their values in the order of the
/// signals.
///
/// The oldest signal emits its values immediately. Those of a later signal are pending until all earlier signals have
/// completed. A signal counts as running until its last value was emitted. Therefore at most `limit` values are pending
/// if each signal emits one.
///
/// At most `waiting` further signals are pending. `overflow` decides what happens to another one. With `.pause` it
/// pauses the outer signal, and with `waiting: 0` it does so while `limit` signals run. It must not be `.suspend`,
/// because the suspended thread may be the one that ends an inner signal.
///
/// Completes when the outer signal and all inner signals have completed. The first error ends it immediately, and drops
/// the pending values.
///
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: the maximum number of pending inner signals.
///   - overflow: the policy for a signal above `waiting`.
///   - counter: counts the dropped signals.
public func mergedInOrder<T, E>(
    limit: Int, waiting: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<Signal<T, E>, E>) -> Signal<T, E> {
    mapOrdered(limit: limit, waiting: waiting, overflow: overflow, counter: counter) { $0 }
}

/// Like `mergedInOrder` with a limit, but any number of inner signals may be pending.
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: nil.
public func mergedInOrder<T, E>(limit: Int, waiting: Never?) -> (Signal<Signal<T, E>, E>) -> Signal<T, E> {
    mapOrdered(limit: limit, waiting: nil) { $0 }
}

/// Runs the signals that `f` makes of the values, and forwards their values in the order of the values that they were
/// made of, like `mergedInOrder`. `f` is called when the value arrives.
///
///     addresses |> mapOrdered(limit: 8, waiting: nil) { download($0) }
@preconcurrency
public func mapOrdered<T, R, E>(
    limit: Int, waiting: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil,
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    order(limit, Bound(waiting, overflow, counter), f)
}

/// Like `mapOrdered` with a limit, but any number of signals may be pending.
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: nil.
///   - f: makes an inner signal of a value.
@preconcurrency
public func mapOrdered<T, R, E>(
    limit: Int, waiting: Never?, _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    order(limit, .none, f)
}

func order<T, R, E>(
    _ limit: Int, _ bound: Bound<E>, as operation: CString = #function, _ f: @escaping (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    precondition(limit > 0, "limit must be 1 or more")
    let kinds = (
        hub: OrderedHub<R, E>.self, outer: OuterSource<T, R, E, OrderedHub<R, E>>.self,
        inner: Kind<GatheredInlet<R, E>>()
    )
    return { signal in
        ComposedSignal(of: signal, .several([.count(limit), .count(bound.limit)]), as: operation) { sink in
            let hub = kinds.hub.init(sink, kinds.inner, limit, bound)
            if bound.pauses { hub.govern() }
            hub.open { signal.attach(kinds.outer.init(hub, f)) }
        }
    }
}

private final class OrderedHub<T, E>: GatherHub<T, E> {
    private let limit: Int
    @exclusivity(unchecked) private var isPausing = false
    @exclusivity(unchecked) private var bound: Bound<E>?
    /// The lanes of the running signals, the oldest first, which alone emits. (A type over `T` would be looked up each
    /// time.)
    @exclusivity(unchecked) private var lanes = Batch<AnyObject>()
    /// The signals that are not started yet.
    @exclusivity(unchecked) private var waiting = Batch<AnyObject>()

    init(_ sink: Sink<T, E>, _ inner: Kind<GatheredInlet<T, E>>, _ limit: Int, _ bound: Bound<E>) {
        self.limit = limit
        self.bound = bound
        super.init(sink, inner)
    }

    override func arrived(_ signal: Signal<T, E>) {
        if isBusy {
            if let end = bound?.add(signal, to: &waiting) { return self.end(end) }
        } else if lanes.count > 0 || !signal.emitAtOnce(in: self) {
            run(signal)
        }
        if isGoverned && isBusy, let bound, waiting.count >= bound.marks.high { pauseSource(at: 0, &isPausing) }
    }

    private func run(_ signal: Signal<T, E>) {
        let lane = OrderedLane<T>()
        lanes.append(lane)
        start(signal, at: lane)
    }

    override func next(_ value: T, in lane: Lane) {
        if lane === lanes.head { emit(value) } else { typed(lane).values.append(value) }
    }

    /// The next signal becomes the oldest one. If it has completed, too, the one after it follows.
    override func completed(_ lane: Lane) {
        typed(lane).hasCompleted = true
        guard lane === lanes.head else { return }
        while lanes.count > 0 {
            let oldest = typed(lanes.head)
            while oldest.values.count > 0 { emit(oldest.values.takeFirst()) }
            if !oldest.hasCompleted { return }
            _ = lanes.takeFirst()
        }
    }

    override var hasWaiting: Bool { waiting.count > 0 }

    /// True if a further signal must wait.
    private var isBusy: Bool { lanes.count == limit || hasWaiting }

    override func begun() { startNext() }
    override func left() { startNext() }

    /// One at a time: its own start is followed by the next one's, if there is space.
    private func startNext() {
        if hasWaiting && lanes.count < limit { run(unsafeDowncast(waiting.takeFirst(), to: Signal<T, E>.self)) }
        if isPausing && (!isBusy || waiting.count <= bound?.marks.low ?? 0) { resumeSource(at: 0, &isPausing) }
    }

    private func typed(_ lane: AnyObject) -> OrderedLane<T> { unsafeDowncast(lane, to: OrderedLane<T>.self) }

    override func clear() {
        lanes = Batch()
        waiting = Batch()
        bound = nil
    }
}

/// The pending values of a running signal.
private final class OrderedLane<T>: Lane {
    @exclusivity(unchecked) var values = Batch<T>()
    @exclusivity(unchecked) var hasCompleted = false
}
