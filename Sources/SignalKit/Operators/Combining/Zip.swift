/// Emits the first values of all `signals`, in their order, then the second ones, and so on. Of each at most `limit`
/// values wait for those of the others; what comes then goes by `overflow`, by which nobody can be suspended here: who
/// would have to wait may be the one that brings the others. Completes as soon as one has completed of which no value
/// waits; the first error ends it. An empty list completes at once.
/// - Parameter counter: told of what overflows.
public func zip<T, E>(
    _ signals: [Signal<T, E>], limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> Signal<[T], E> {
    zip(signals, Bound(limit, overflow, counter)) { Array($0) }
}

/// The same without a bound.
/// - Parameter limit: nil.
public func zip<T, E>(_ signals: [Signal<T, E>], limit: Never?) -> Signal<[T], E> { zip(signals, .none) { Array($0) } }

/// `zip` of two signals, as tuples.
public func zip<A, B, E>(
    _ a: Signal<A, E>, _ b: Signal<B, E>, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> Signal<(A, B), E> {
    zip(a, b, Bound(limit, overflow, counter))
}

/// The same without a bound.
/// - Parameter limit: nil.
public func zip<A, B, E>(_ a: Signal<A, E>, _ b: Signal<B, E>, limit: Never?) -> Signal<(A, B), E> { zip(a, b, .none) }

private func zip<A, B, E>(_ a: Signal<A, E>, _ b: Signal<B, E>, _ bound: Bound<E>) -> Signal<(A, B), E> {
    zip([a |> map { Half<A, B>.first($0) }, b |> map { .second($0) }], bound) { ($0[0].inFirst, $0[1].inSecond) }
}

/// A value of one of two signals.
private enum Half<A, B> {
    case first(A)
    case second(B)

    var inFirst: A {
        guard case let .first(value) = self else { fatalError("a value of the second signal") }
        return value
    }
    var inSecond: B {
        guard case let .second(value) = self else { fatalError("a value of the first signal") }
        return value
    }
}

/// Emits what `make` makes of the values, which it sees where they are.
func zip<T, R, E>(
    _ signals: [Signal<T, E>], _ bound: Bound<E>, _ make: @escaping (UnsafeBufferPointer<T>) -> R
) -> Signal<R, E> {
    precondition(bound.limit > 0, "nothing could wait")
    if signals.isEmpty { return Signal.complete() }
    return ComposedSignal(of: signals) { sink in
        let hub = ZipHub(sink, signals.count, bound, make)
        hub.open { hub.attach(signals) { $1.attach(ZipInlet(hub, $0)) } }
    }
}

/// The values that wait are in the room beside the slots, in a row for each source.
private final class ZipHub<T, R, E>: JoinHub<R, E> {
    @exclusivity(unchecked) private var bound: Bound<E>?
    @exclusivity(unchecked) private var make: ((UnsafeBufferPointer<T>) -> R)?
    /// How many of the rows are empty.
    @exclusivity(unchecked) private var missing: Int
    @exclusivity(unchecked) private var hasCompleted: [Bool]

    init(_ sink: Sink<R, E>, _ count: Int, _ bound: Bound<E>, _ make: @escaping (UnsafeBufferPointer<T>) -> R) {
        self.bound = bound
        self.make = make
        missing = count
        hasCompleted = Array(repeating: false, count: count)
        super.init(sink, count, room: MemoryLayout<Batch<T>>.stride, alignment: MemoryLayout<Batch<T>>.alignment)
        for index in 0..<count { (rows + index).initialize(to: Batch()) }
    }

    deinit { rows.deinitialize(count: count) }

    private var rows: UnsafeMutablePointer<Batch<T>> { room(of: Batch<T>.self) }

    func next(_ value: T, at index: Int) {
        let wasMissing = rows[index].count == 0
        if let end = bound?.add(value, to: &rows[index]) { return self.end(end) }
        if wasMissing { missing -= 1 }
        if missing == 0 { emitFirst() }
    }

    /// One of each.
    private func emitFirst() {
        guard isWanted, let make else { return }
        let count = count
        emit(withUnsafeTemporaryAllocation(of: T.self, capacity: count) { values in
            for index in 0..<count {
                (values.baseAddress! + index).initialize(to: rows[index].takeFirst())
                if rows[index].count == 0 { missing += 1 }
            }
            defer { values.baseAddress!.deinitialize(count: count) }
            return make(UnsafeBufferPointer(values))
        })
        if missing > 0 && (0..<count).contains(where: { hasCompleted[$0] && rows[$0].count == 0 }) { end(.completed) }
    }

    override func completed(_ index: Int) {
        hasCompleted[index] = true
        if rows[index].count == 0 { end(.completed) }
    }

    override func clear() {
        make = nil
        bound = nil
        for index in 0..<count { rows[index] = Batch() }
    }
}

private final class ZipInlet<T, R, E>: JoinInlet<T, E, R, ZipHub<T, R, E>> {
    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, at: index)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, index] in hub.next(value, at: index) }
        }
    }
}
