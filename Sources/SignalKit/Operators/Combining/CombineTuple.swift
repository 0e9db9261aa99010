#if !hasFeature(Embedded)
/// Emits the latest values of all signals, as a tuple, for each value of any of them, once every one has produced one:
/// for two signals and any number more, of any types.
///
/// Completes when all have completed; the first error ends it. They are started, and disposed, in their order. With a
/// `queue`, the values, errors and completions are processed and delivered there.
public func combineLatest<A, B, each C, E>(
    queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>, _ rest: repeat Signal<each C, E>
) -> Signal<(A, B, repeat each C), E> {
    var depth = max(a.depth, b.depth)
    repeat depth = max(depth, (each rest).depth)
    return ComposedSignal(depth: depth + 1) { sink in
        let a = CombineSignal(a), b = CombineSignal(b)
        let rest = (repeat CombineSignal(each rest))
        var sources: [CombineSource<E>] = [a, b]
        repeat sources.append(each rest)
        combine(sources, queue, sink) { (a.latest, b.latest, repeat (each rest).latest) }
    }
}

/// The same for two: the tuple is made where its types are known. (Looking its type up takes as long as all the rest.)
@inlinable
public func combineLatest<A, B, E>(queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>) -> Signal<(A, B), E> {
    combineLatest(queue, a, b) { ($0, $1) }
}

/// `combineLatest` of two signals that have a value from the beginning: `(v1, v2)` is emitted before either is started,
/// also with a `queue`.
@inlinable
public func combineLatest<T1, T2, E>(
    queue: Queue? = nil, _ s1: Signal<T1, E>, _ v1: T1, _ s2: Signal<T2, E>, _ v2: T2
) -> Signal<(T1, T2), E> {
    combineLatest(queue, s1, s2, from: (v1, v2)) { ($0, $1) }
}

@usableFromInline
func combineLatest<A, B, Tuple, E>(
    _ queue: Queue?, _ a: Signal<A, E>, _ b: Signal<B, E>, from first: (A, B)? = nil, _ make: @escaping (A, B) -> Tuple
) -> Signal<Tuple, E> {
    ComposedSignal(depth: max(a.depth, b.depth) + 1) { sink in
        let a = CombineSignal(a), b = CombineSignal(b)
        if let first { (a.latest, b.latest) = first }
        combine([a, b], queue, sink) { make(a.latest, b.latest) }
    }
}

private func combine<Tuple, E>(
    _ sources: [CombineSource<E>], _ queue: Queue?, _ sink: Sink<Tuple, E>, _ make: @escaping () -> Tuple
) {
    let hub = TupleHub(sink, sources, make)
    hub.open {
        hub.submit { [unowned(unsafe) hub] in hub.emitIfPrimed() }
        hub.attach(sources) { index, source in source.attach(to: hub, index, queue) }
    }
}

/// One place in the tuple.
private class CombinePlace {
    var hasValue: Bool { false }
    func clear() {}
}

private class CombineSource<E>: CombinePlace {
    func attach<Tuple>(to hub: TupleHub<Tuple, E>, _ index: Int, _ queue: Queue?) {}
}

/// The place of a signal, where the type of its values is known.
private final class CombineSignal<T, E>: CombineSource<E> {
    @exclusivity(unchecked) private var signal: Signal<T, E>?
    /// Only in the serial section.
    @exclusivity(unchecked) private var cell = Cell<T>()

    init(_ signal: Signal<T, E>) { self.signal = signal }

    override var hasValue: Bool { cell.hasValue }

    /// Read only if there is one.
    @inline(__always)
    var latest: T {
        get { cell.value }
        set { cell.set(newValue) }
    }

    override func attach<Tuple>(to hub: TupleHub<Tuple, E>, _ index: Int, _ queue: Queue?) {
        guard let signal else { return }
        self.signal = nil
        (queue.map { signal |> deliverOn($0) } ?? signal).attach(TupleInlet(hub, self, index))
    }

    override func clear() { _ = cell.take() }
}

private final class TupleHub<Tuple, E>: JoinHub<Tuple, E> {
    @exclusivity(unchecked) private var places: [CombinePlace]
    /// What holds the sources, those too that have not been started: let go with the values.
    private let make: Unmanaged<TupleMaker<Tuple>>
    @exclusivity(unchecked) private var isPrimed = false

    init(_ sink: Sink<Tuple, E>, _ places: [CombinePlace], _ make: @escaping () -> Tuple) {
        self.places = places
        self.make = .passRetained(TupleMaker(make))
        super.init(sink, places.count)
    }

    deinit {
        if flags & Flag.released == 0 { make.release() }
    }

    func emitIfPrimed() {
        if !isPrimed { isPrimed = places.allSatisfy { $0.hasValue } }
        if isPrimed && isWanted { emit(make._withUnsafeGuaranteedRef { $0.make() }) }
    }

    override func clear() {
        for place in places { place.clear() }
        places = []
        make.release()
    }
}

private final class TupleMaker<Tuple> {
    let make: () -> Tuple
    init(_ make: @escaping () -> Tuple) { self.make = make }
}

private final class TupleInlet<T, Tuple, E>: JoinInlet<T, E, Tuple, TupleHub<Tuple, E>> {
    private let place: CombineSignal<T, E>

    init(_ hub: TupleHub<Tuple, E>, _ place: CombineSignal<T, E>, _ index: Int) {
        self.place = place
        super.init(hub, index)
    }

    override func next(_ value: T) {
        if hub.enter() {
            place.latest = value
            hub.emitIfPrimed()
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, place] in
                place.latest = value
                hub.emitIfPrimed()
            }
        }
    }
}
#endif
