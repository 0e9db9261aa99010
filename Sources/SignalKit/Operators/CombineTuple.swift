#if !hasFeature(Embedded)
/// Emits the latest values of all signals, as a tuple, for each value of any of them, once every one has produced one: for two signals and
/// any number more, of any types.
///
/// Completes when all have completed; the first error ends it. They are started, and disposed, in their order. With a `queue`, the values,
/// errors and completions are processed and delivered there.
public func combineLatest<A, B, each C, E>(
    queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>, _ rest: repeat Signal<each C, E>
) -> Signal<(A, B, repeat each C), E> {
    Signal(attach: { sink in
        let a = CombineSource(a), b = CombineSource(b)
        let rest = (repeat CombineSource(each rest))
        var sources: [any CombineSourceOf<E>] = [a, b]
        repeat sources.append(each rest)
        combine(sources, queue, sink) { (a.latest!, b.latest!, repeat (each rest).latest!) }
    })
}

/// `combineLatest` of two signals that have a value from the beginning: `(v1, v2)` is emitted before either is started, also with a `queue`.
public func combineLatest<T1, T2, E>(
    queue: Queue? = nil, _ s1: Signal<T1, E>, _ v1: T1, _ s2: Signal<T2, E>, _ v2: T2
) -> Signal<(T1, T2), E> {
    Signal(attach: { sink in
        let a = CombineSource(s1, v1), b = CombineSource(s2, v2)
        combine([a, b], queue, sink) { (a.latest!, b.latest!) }
    })
}

private func combine<Tuple, E>(_ sources: [any CombineSourceOf<E>], _ queue: Queue?, _ sink: Sink<Tuple, E>, _ make: @escaping () -> Tuple) {
    let hub = TupleHub(sink, sources, make)
    hub.open {
        hub.submit(.begin)
        for (index, source) in sources.enumerated() {
            // One that has failed already ends the result: the others need not start.
            if hub.isTerminated { return }
            source.attach(to: hub, index, queue)
        }
    }
}

private enum TupleEvent<E> {
    case begin
    /// The source has a new value.
    case advance(Int)
    case error(E)
    case completed(Int)
}

/// One place in the tuple: where the type of its values is known.
private protocol CombineSourceOf<E>: AnyObject {
    associatedtype E
    var hasValue: Bool { get }
    func attach<Tuple>(to hub: TupleHub<Tuple, E>, _ index: Int, _ queue: Queue?)
    func advance()
    func clear()
}

private final class CombineSource<T, E>: CombineSourceOf {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var signal: Signal<T, E>?
    /// What has arrived, and waits for its `advance` to come through the serial section.
    @exclusivity(unchecked) private var arrived: T?
    @exclusivity(unchecked) private var more = Fifo<T>()
    /// Only in the serial section.
    @exclusivity(unchecked) private(set) var latest: T?

    init(_ signal: Signal<T, E>, _ latest: T? = nil) {
        self.signal = signal
        self.latest = latest
    }

    var hasValue: Bool { latest != nil }

    func attach<Tuple>(to hub: TupleHub<Tuple, E>, _ index: Int, _ queue: Queue?) {
        guard let signal else { return }
        self.signal = nil
        (queue.map { signal |> deliverOn($0) } ?? signal).attach(TupleInlet(hub, self, index))
    }

    func push(_ value: T) {
        lock.lock()
        if arrived == nil { arrived = .some(value) } else { more.append(value) }
        lock.unlock()
    }

    func advance() {
        lock.lock()
        let value = arrived
        arrived = more.popFirst()
        lock.unlock()
        latest = value
    }

    func clear() {
        lock.lock()
        let taken = (arrived, more)
        arrived = nil
        more = Fifo()
        lock.unlock()
        withExtendedLifetime(taken) { latest = nil }
    }
}

private final class TupleHub<Tuple, E>: Hub<TupleEvent<E>, Never, Tuple, E> {
    @exclusivity(unchecked) private var sources: [any CombineSourceOf<E>]
    @exclusivity(unchecked) private var make: (() -> Tuple)?
    @exclusivity(unchecked) private var isPrimed = false
    @exclusivity(unchecked) private var running: Int

    init(_ sink: Sink<Tuple, E>, _ sources: [any CombineSourceOf<E>], _ make: @escaping () -> Tuple) {
        self.sources = sources
        self.make = make
        running = sources.count
        super.init(sink, slots: sources.count)
    }

    override func receive(_ event: TupleEvent<E>) -> Never? {
        switch event {
        case .begin: emitIfPrimed()
        case let .advance(index):
            sources[index].advance()
            emitIfPrimed()
        case let .error(error): fail(error)
        case .completed:
            running -= 1
            if running == 0 { complete() }
        }
        return nil
    }

    private func emitIfPrimed() {
        if !isPrimed { isPrimed = sources.allSatisfy { $0.hasValue } }
        if isPrimed, let make { emit(make()) }
    }

    override func clear() {
        for source in sources { source.clear() }
        sources = []
        make = nil
    }
}

private final class TupleInlet<T, Tuple, E>: Sink<T, E> {
    private let hub: TupleHub<Tuple, E>
    private let source: CombineSource<T, E>
    private let index: Int

    init(_ hub: TupleHub<Tuple, E>, _ source: CombineSource<T, E>, _ index: Int) {
        self.hub = hub
        self.source = source
        self.index = index
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: index) }

    override func next(_ value: T) {
        source.push(value)
        hub.submit(.advance(index))
    }

    override func error(_ error: E) { hub.submit(.error(error)) }

    override func completed() {
        hub.take(from: index)
        hub.submit(.completed(index))
    }
}
#endif
