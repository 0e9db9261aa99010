/// Emits the latest values of all `signals`, in their order, for each value of any of them, once every one has produced one.
///
/// Completes when all have completed; the first error ends it. An empty array emits one empty array and completes. With a `queue`, the
/// values, errors and completions are processed and delivered there.
public func combineLatest<T, E>(queue: Queue? = nil, _ signals: [Signal<T, E>]) -> Signal<[T], E> {
    combine(signals, [], queue)
}

/// `combineLatest` whose sources, by their index, can have a value from the beginning. When all have one, those are emitted before any
/// source is started. (SSignalKit's `combineSignals:withInitialStates:`.)
/// - Parameter initialStates: may be shorter than the list, and have nil for sources without such a value; what is too much is ignored.
public func combineSignals<T, E>(_ signals: [Signal<T, E>], initialStates: [T?] = []) -> Signal<[T], E> {
    combine(signals, initialStates, nil)
}

private func combine<T, E>(_ signals: [Signal<T, E>], _ states: [T?], _ queue: Queue?) -> Signal<[T], E> {
    if signals.isEmpty { return Signal.single([]) }
    return Signal(attach: { sink in
        let hub = CombineHub(sink, signals.count, states)
        hub.open {
            hub.submit { [unowned(unsafe) hub] in hub.emitIfPrimed() }
            hub.attach(signals) { index, signal in (queue.map { signal |> deliverOn($0) } ?? signal).attach(CombineInlet(hub, index)) }
        }
    })
}

private final class CombineHub<T, E>: JoinHub<[T], E> {
    /// Until all have produced a value, those that have; then all the latest values.
    @exclusivity(unchecked) private var partial: [T?]
    @exclusivity(unchecked) private var latest: [T] = []

    init(_ sink: Sink<[T], E>, _ count: Int, _ states: [T?]) {
        partial = Array(states.prefix(count))
        while partial.count < count { partial.append(nil) }
        super.init(sink, count)
    }

    func next(_ value: T, at index: Int) {
        if latest.isEmpty {
            partial[index] = .some(value)
            emitIfPrimed()
        } else {
            latest[index] = value
            emit(latest)
        }
    }

    func emitIfPrimed() {
        guard partial.allSatisfy({ $0 != nil }) else { return }
        latest = partial.map { $0! }
        partial = []
        emit(latest)
    }

    override func clear() {
        partial = []
        latest = []
    }
}

private final class CombineInlet<T, E>: JoinInlet<T, E, [T], CombineHub<T, E>> {
    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: index)
            hub.leave()
        } else {
            hub.wait { [unowned(unsafe) hub, index] in hub.next(value, at: index) }
        }
    }
}
