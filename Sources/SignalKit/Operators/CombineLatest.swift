/// Emits the latest values of all `signals`, in their order, for each value of any of them, once every one has produced one.
///
/// Completes when all have completed; the first error ends it. An empty array emits one empty array and completes. With a `queue`, the
/// values, errors and completions are processed and delivered there.
public func combineLatest<T, E>(queue: Queue? = nil, _ signals: [Signal<T, E>]) -> Signal<[T], E> {
    if signals.isEmpty { return Signal.single([]) }
    return Signal(attach: { sink in
        let hub = CombineHub(sink, signals.count)
        hub.open {
            for (index, signal) in signals.enumerated() {
                // One that has failed already ends the result: the others need not start.
                if hub.isTerminated { return }
                (queue.map { signal |> deliverOn($0) } ?? signal).attach(CombineInlet(hub, index))
            }
        }
    })
}

private enum CombineEvent<T, E> {
    case next(Int, T)
    case error(E)
    case completed(Int)
}

private final class CombineHub<T, E>: Hub<CombineEvent<T, E>, Never, [T], E> {
    /// Until all have produced a value, those that have; then all the latest values.
    @exclusivity(unchecked) private var partial: [T?]
    @exclusivity(unchecked) private var latest: [T] = []
    @exclusivity(unchecked) private var running: Int

    init(_ sink: Sink<[T], E>, _ count: Int) {
        partial = Array(repeating: nil, count: count)
        running = count
        super.init(sink, slots: count)
    }

    override func receive(_ event: CombineEvent<T, E>) -> Never? {
        switch event {
        case let .next(index, value):
            if !latest.isEmpty {
                latest[index] = value
                emit(latest)
            } else {
                partial[index] = .some(value)
                if partial.allSatisfy({ $0 != nil }) {
                    latest = partial.map { $0! }
                    partial = []
                    emit(latest)
                }
            }
        case let .error(error):
            fail(error)
        case .completed:
            running -= 1
            if running == 0 { complete() }
        }
        return nil
    }

    override func clear() {
        partial = []
        latest = []
    }
}

private final class CombineInlet<T, E>: Sink<T, E> {
    private let hub: CombineHub<T, E>
    private let index: Int

    init(_ hub: CombineHub<T, E>, _ index: Int) {
        self.hub = hub
        self.index = index
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: index) }
    override func next(_ value: T) { hub.submit(.next(index, value)) }
    override func error(_ error: E) { hub.submit(.error(error)) }

    override func completed() {
        hub.take(from: index)
        hub.submit(.completed(index))
    }
}
