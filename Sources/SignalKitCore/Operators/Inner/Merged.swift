/// Runs at most `limit` inner signals at the same time (`.max`: all) and forwards their values, one at a time.
///
/// At most `waiting` further signals are pending. `overflow` decides what happens to another one. With `.pause` it
/// pauses the outer signal, and with `waiting: 0` it does so while `limit` signals run. It must not be `.suspend`,
/// because the suspended thread may be the one that ends an inner signal.
///
/// Completes when the outer signal and all inner signals have completed. The first error ends it.
///
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: the maximum number of pending inner signals.
///   - overflow: the policy for a signal above `waiting`.
///   - counter: counts the dropped signals.
public func merged<T, E>(
    limit: Int, waiting: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> (Signal<Signal<T, E>, E>) -> Signal<T, E> {
    mapToMerged(limit: limit, waiting: waiting, overflow: overflow, counter: counter) { $0 }
}

/// Like `merged` with a limit, but any number of inner signals may be pending.
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: nil.
public func merged<T, E>(limit: Int, waiting: Never?) -> (Signal<Signal<T, E>, E>) -> Signal<T, E> {
    mapToMerged(limit: limit, waiting: nil) { $0 }
}

/// Merges the signals that `f` makes of the values (merge-map), like `merged`. `f` is called when the value arrives.
@preconcurrency
public func mapToMerged<T, R, E>(
    limit: Int, waiting: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil,
    _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    merge(limit, Bound(waiting, overflow, counter), f)
}

/// Like `mapToMerged` with a limit, but any number of signals may be pending.
/// - Parameters:
///   - limit: how many inner signals run at the same time.
///   - waiting: nil.
///   - f: makes an inner signal of a value.
@preconcurrency
public func mapToMerged<T, R, E>(
    limit: Int, waiting: Never?, _ f: @escaping @Sendable (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    merge(limit, .none, f)
}

/// Runs the signal that `f` makes of a value. While it runs, further values are dropped (exhaust-map).
///
/// `f` is only called for the values whose signal is run. Completes when the outer signal and the running inner signal
/// have completed. The first error ends it.
@preconcurrency
public func mapToFirst<T, R, E>(_ f: @escaping @Sendable (T) -> Signal<R, E>) -> (Signal<T, E>) -> Signal<R, E> {
    merge(1, Bound(0, .dropNewest, nil), says: Parameter.none) { value in deferred { f(value) } }
}

func merge<T, R, E>(
    _ limit: Int, _ bound: Bound<E>, says parameter: Parameter? = nil, as operation: CString = #function,
    _ f: @escaping (T) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    precondition(limit > 0, "limit must be 1 or more")
    let kinds = (
        hub: MergedHub<R, E>.self, outer: OuterSource<T, R, E, MergedHub<R, E>>.self, inner: Kind<GatheredInlet<R, E>>()
    )
    let parameter = parameter ?? .several([.count(limit), .count(bound.limit)])
    return { signal in
        ComposedSignal(of: signal, parameter, as: operation) { sink in
            let hub = kinds.hub.init(sink, kinds.inner, limit, bound)
            if bound.pauses { hub.govern() }
            hub.open { signal.attach(kinds.outer.init(hub, f)) }
        }
    }
}

private final class MergedHub<T, E>: GatherHub<T, E> {
    @exclusivity(unchecked) private var bound: Bound<E>?
    @exclusivity(unchecked) private var free: Int
    @exclusivity(unchecked) private var isPausing = false
    /// The pending signals. It is empty while a place is free. The elements are `AnyObject`, because a type over `T`
    /// would be looked up at each event.
    @exclusivity(unchecked) private var waiting = Batch<AnyObject>()

    init(_ sink: Sink<T, E>, _ inner: Kind<GatheredInlet<T, E>>, _ limit: Int, _ bound: Bound<E>) {
        free = limit
        self.bound = bound
        super.init(sink, inner)
    }

    override func arrived(_ signal: Signal<T, E>) {
        if free == 0 {
            if let end = bound?.add(signal, to: &waiting) { return self.end(end) }
        } else if !signal.emitAtOnce(in: self) {
            free -= 1
            start(signal)
        }
        if free == 0 && isGoverned, let bound, waiting.count >= bound.marks.high { pauseSource(at: 0, &isPausing) }
    }

    override var hasWaiting: Bool { waiting.count > 0 }

    override func left() {
        if hasWaiting { start(unsafeDowncast(waiting.takeFirst(), to: Signal<T, E>.self)) } else { free += 1 }
        if isPausing && (free > 0 || waiting.count <= bound?.marks.low ?? 0) { resumeSource(at: 0, &isPausing) }
    }

    override func clear() {
        waiting = Batch()
        bound = nil
    }
}
