/// Emits the latest values of all `signals`, in their order, for each value of any of them, once every one has produced
/// one.
///
/// Completes when all have completed; the first error ends it. An empty array emits one empty array and completes. With
/// a `queue`, the values, errors and completions are processed and delivered there.
public func combineLatest<T, E>(queue: Queue? = nil, _ signals: [Signal<T, E>]) -> Signal<[T], E> {
    combineLatest(queue: queue, signals, make: { Array($0) })
}

/// `combineLatest` whose sources, by their index, can have a value from the beginning. When all have one, those are
/// emitted before any source is started. (SSignalKit's `combineSignals:withInitialStates:`.)
/// - Parameter initialStates: may be shorter than the list, and have nil for sources without such a value; what is too
///   much is ignored.
public func combineSignals<T, E>(_ signals: [Signal<T, E>], initialStates: [T?] = []) -> Signal<[T], E> {
    combineLatest(queue: nil, signals, initialStates, make: { Array($0) })
}

/// Emits what `make` makes of the latest values, which it sees where they are.
func combineLatest<T, R, E>(
    queue: Queue?, _ signals: [Signal<T, E>], _ states: [T?] = [], make: @escaping (UnsafeBufferPointer<T>) -> R
) -> Signal<R, E> {
    if signals.isEmpty { return deferred(depth: 0) { .single(make(UnsafeBufferPointer(start: nil, count: 0))) } }
    let combination = Combination(make)
    return ComposedSignal(of: signals) { sink in
        let hub = CombineHub<T, R, E>(sink, signals.count, states, combination)
        hub.open {
            if !states.isEmpty { hub.submit { [unowned(unsafe) hub] in hub.emitIfPrimed() } }
            hub.attach(signals) { index, signal in
                (queue.map { signal |> deliverOn($0) } ?? signal).attach(CombineInlet(hub, index))
            }
        }
    }
}

/// A function, as one reference for each run.
private final class Combination<T, R> {
    let make: (UnsafeBufferPointer<T>) -> R
    init(_ make: @escaping (UnsafeBufferPointer<T>) -> R) { self.make = make }
}

private final class CombineHub<T, R, E>: JoinHub<R, E> {
    private let combination: Unmanaged<Combination<T, R>>
    /// Until all have produced a value: which have not. The values are in the room beside the slots.
    @exclusivity(unchecked) private var isMissing: [Bool]

    init(_ sink: Sink<R, E>, _ count: Int, _ states: [T?], _ combination: Combination<T, R>) {
        self.combination = .passRetained(combination)
        isMissing = Array(repeating: true, count: count)
        super.init(sink, count, room: MemoryLayout<T>.stride, alignment: MemoryLayout<T>.alignment)
        for (index, state) in states.prefix(count).enumerated() {
            if let state { begin(with: state, at: index) }
        }
    }

    deinit {
        if flags & Flag.released == 0 { forget() }
    }

    @inline(__always)
    private var latest: UnsafeMutablePointer<T> { room(of: T.self) }

    @inline(__always)
    func next(_ value: T, at index: Int) {
        if isMissing.isEmpty {
            latest[index] = value
            emitLatest()
        } else {
            beforeAllHave(value, index)
        }
    }

    @inline(never)
    private func beforeAllHave(_ value: T, _ index: Int) {
        if isMissing[index] { begin(with: value, at: index) } else { latest[index] = value }
        emitIfPrimed()
    }

    private func begin(with value: T, at index: Int) {
        (latest + index).initialize(to: value)
        isMissing[index] = false
    }

    func emitIfPrimed() {
        if isMissing.contains(true) { return }
        isMissing = []
        emitLatest()
    }

    private func emitLatest() {
        if isWanted {
            emit(combination._withUnsafeGuaranteedRef { $0.make(UnsafeBufferPointer(start: latest, count: count)) })
        }
    }

    override func clear() { forget() }

    private func forget() {
        for index in 0..<count where isMissing.isEmpty || !isMissing[index] { (latest + index).deinitialize(count: 1) }
        combination.release()
    }
}

private final class CombineInlet<T, R, E>: JoinInlet<T, E, R, CombineHub<T, R, E>> {
    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: index)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, index] in hub.next(value, at: index) }
        }
    }
}
