/// Emits the first values of all `signals`, in their order, then the second values, and so on.
///
/// At most `limit` values of each signal are pending. `overflow` decides what happens to a further value. With `.pause`
/// it pauses only the signal whose values wait. It must not be `.suspend`, because the suspended thread may be the one
/// that emits the missing values.
///
/// Completes as soon as a signal without a pending value has completed. The first error ends it. An empty list
/// completes immediately.
///
/// - Parameters:
///   - signals: the sources, in the order of their values.
///   - limit: the maximum number of pending values per source.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts the dropped values.
public func zip<T, E>(
    _ signals: [Signal<T, E>], limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> Signal<[T], E> {
    zip(signals, Bound(limit, overflow, counter)) { $1.emitted(Array($0)) }
}

/// Like `zip` with a limit, but any number of values may be pending.
///
/// - Parameters:
///   - signals: the sources, in the order of their values.
///   - limit: nil.
public func zip<T, E>(_ signals: [Signal<T, E>], limit: Never?) -> Signal<[T], E> {
    zip(signals, .none) { $1.emitted(Array($0)) }
}

/// Like `zip` of an array, for two signals, as tuples. (They are created where their types are known. Looking up the
/// type of a tuple takes longer than the other work.)
@inlinable
public func zip<A, B, E>(
    _ a: Signal<A, E>, _ b: Signal<B, E>, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil
) -> Signal<(A, B), E> {
    zip(a, b, limit, overflow, counter) { ($0, $1) }
}

/// Like `zip` of two signals with a limit, but any number of values may be pending.
///
/// - Parameters:
///   - a: the source of the first values of the pairs.
///   - b: the source of the second values.
///   - limit: nil.
@inlinable
public func zip<A, B, E>(_ a: Signal<A, E>, _ b: Signal<B, E>, limit: Never?) -> Signal<(A, B), E> {
    zip(a, b, nil, .dropNewest, nil) { ($0, $1) }
}

@usableFromInline
func zip<A, B, Pair, E>(
    _ a: Signal<A, E>, _ b: Signal<B, E>, _ limit: Int?, _ overflow: OverflowPolicy<E>, _ counter: OverflowCounter?,
    _ make: @escaping (A, B) -> Pair
) -> Signal<Pair, E> {
    let bound = limit.map { Bound($0, overflow, counter) } ?? Bound.none
    precondition(bound.limit > 0, "limit must be 1 or more")
    let kinds = (
        hub: PairZipHub<A, B, Pair, E>.self, left: Source<A, Pair, E, PairZipHub<A, B, Pair, E>>.self,
        right: OtherSource<A, B, Pair, E, PairZipHub<A, B, Pair, E>>.self
    )
    return ComposedSignal(of: [a, b], .count(bound.limit)) { sink in
        let hub = kinds.hub.init(sink, bound, make)
        if bound.pauses { hub.govern() }
        hub.open {
            a.attach(kinds.left.init(hub, at: 0))
            if !hub.isTerminated { b.attach(kinds.right.init(hub, at: 1)) }
        }
    }
}

/// Emits the combination that `make` makes of the values, which it reads in place.
func zip<T, R, E>(
    _ signals: [Signal<T, E>], _ bound: Bound<E>, _ make: @escaping (UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?
) -> Signal<R, E> {
    precondition(bound.limit > 0, "limit must be 1 or more")
    if signals.isEmpty { return Signal.complete() }
    let kinds = (hub: ArrayZipHub<T, R, E>.self, source: Source<T, R, E, ArrayZipHub<T, R, E>>.self)
    return ComposedSignal(of: Sources(signals), .count(bound.limit)) { sink in
        let hub = kinds.hub.init(sink, signals.count, bound, make)
        if bound.pauses { hub.govern() }
        hub.open { hub.attach(signals) { $1.attach(kinds.source.init(hub, at: $0)) } }
    }
}

/// The subclass stores the pending values in rows, one for each source. A row is dry when it is empty and its source
/// has completed.
private class ZipHub<A, B, R, E>: PairHub<A, B, R, E> {
    @exclusivity(unchecked) final private(set) var bound: Bound<E>?
    /// The number of empty rows.
    @exclusivity(unchecked) final private var missing: Int
    /// True if sources may be paused, because their rows are long.
    @exclusivity(unchecked) final var arePausing = false

    init(_ sink: Sink<R, E>, _ count: Int, _ bound: Bound<E>, room: Int = 0, alignment: Int = 1) {
        self.bound = bound
        missing = count
        super.init(sink, places: count, room: room, alignment: alignment)
    }

    var isAnyDry: Bool { mustOverride() }
    /// A source has completed. Returns whether its row is dry.
    func isDry(afterCompletionOf index: Int) -> Bool { mustOverride() }
    /// Takes the first value of each row and emits their combination. Returns the terminal event, if the subscription
    /// ends. Before the emission, it adds the number of rows that are empty to `missing`.
    func emitFirst(_ missing: inout Int) -> End<E>? { mustOverride() }
    /// Resumes the sources whose rows have at most `low` values. Returns true if others stay paused.
    func resumeSources(_ low: Int) -> Bool { mustOverride() }

    /// A value was added to a row. `end` is the terminal event if the overflow policy failed the subscription.
    final func added(toEmpty wasEmpty: Bool, _ end: End<E>?) {
        if let end { return self.end(end) }
        if wasEmpty { missing -= 1 }
        if missing == 0 { emitFirst() }
    }

    final private func emitFirst() {
        if let end = emitFirst(&missing) { return self.end(end) }
        if missing > 0 && isAnyDry { return end(.completed) }
        if _slowPath(arePausing) { arePausing = resumeSources(bound?.marks.low ?? 0) }
    }

    override final func ended(_ end: End<E>, at place: Int) {
        if case .completed = end, !isDry(afterCompletionOf: place) { return }
        self.end(end)
    }

    override func clear() { bound = nil }
}

/// Values of one type. The rows are in the memory after the handles.
private final class ArrayZipHub<T, R, E>: ZipHub<T, Never, R, E> {
    @exclusivity(unchecked) private var make: ((UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?)?
    @exclusivity(unchecked) private var hasCompleted: [Bool]
    /// Empty until a source is paused.
    @exclusivity(unchecked) private var isPausing: [Bool] = []

    init(
        _ sink: Sink<R, E>, _ count: Int, _ bound: Bound<E>,
        _ make: @escaping (UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?
    ) {
        self.make = make
        hasCompleted = Array(repeating: false, count: count)
        super.init(
            sink, count, bound, room: MemoryLayout<Batch<T>>.stride, alignment: MemoryLayout<Batch<T>>.alignment)
        for index in 0..<count { (rows + index).initialize(to: Batch()) }
    }

    deinit { rows.deinitialize(count: hasCompleted.count) }

    @inline(__always)
    private var rows: UnsafeMutablePointer<Batch<T>> {
        room(at: Int(placeCount) * MemoryLayout<SourceHandle>.stride).assumingMemoryBound(to: Batch<T>.self)
    }

    override func next(_ value: T, at index: Int) {
        let row = rows + index
        added(toEmpty: row.pointee.count == 0, bound?.add(value, to: &row.pointee, from: index, of: self))
    }

    override func isFull(at place: Int) {
        if isPausing.isEmpty { isPausing = hasCompleted.map { _ in false } }
        pauseSource(at: place, &isPausing[place])
        arePausing = true
    }

    override func resumeSources(_ low: Int) -> Bool {
        for index in isPausing.indices where isPausing[index] && rows[index].count <= low {
            resumeSource(at: index, &isPausing[index])
        }
        return isPausing.contains(true)
    }

    override var isAnyDry: Bool { hasCompleted.indices.contains { hasCompleted[$0] && rows[$0].count == 0 } }

    override func isDry(afterCompletionOf index: Int) -> Bool {
        hasCompleted[index] = true
        return rows[index].count == 0
    }

    override func emitFirst(_ missing: inout Int) -> End<E>? {
        let count = hasCompleted.count, rows = rows
        return withUnsafeTemporaryAllocation(of: T.self, capacity: count) { values in
            for index in 0..<count {
                (values.baseAddress! + index).initialize(to: rows[index].takeFirst())
                if rows[index].count == 0 { missing += 1 }
            }
            defer { values.baseAddress!.deinitialize(count: count) }
            return make!(UnsafeBufferPointer(values), self)
        }
    }

    override func clear() {
        super.clear()
        make = nil
        for index in hasCompleted.indices { rows[index].removeAll() }
    }
}

/// Values of two types.
private final class PairZipHub<A, B, R, E>: ZipHub<A, B, R, E> {
    @exclusivity(unchecked) private var make: ((A, B) -> R)?
    @exclusivity(unchecked) private var left = Batch<A>()
    @exclusivity(unchecked) private var right = Batch<B>()
    @exclusivity(unchecked) private var hasCompleted = (left: false, right: false)
    @exclusivity(unchecked) private var isPausing = (left: false, right: false)

    init(_ sink: Sink<R, E>, _ bound: Bound<E>, _ make: @escaping (A, B) -> R) {
        self.make = make
        super.init(sink, 2, bound)
    }

    override func next(_ value: A, at place: Int) {
        added(toEmpty: left.count == 0, bound?.add(value, to: &left, from: 0, of: self))
    }
    override func other(_ value: B) {
        added(toEmpty: right.count == 0, bound?.add(value, to: &right, from: 1, of: self))
    }

    override func isFull(at place: Int) {
        if place == 0 { pauseSource(at: 0, &isPausing.left) } else { pauseSource(at: 1, &isPausing.right) }
        arePausing = true
    }

    override func resumeSources(_ low: Int) -> Bool {
        if isPausing.left && left.count <= low { resumeSource(at: 0, &isPausing.left) }
        if isPausing.right && right.count <= low { resumeSource(at: 1, &isPausing.right) }
        return isPausing.left || isPausing.right
    }

    override var isAnyDry: Bool { hasCompleted.left && left.count == 0 || hasCompleted.right && right.count == 0 }

    override func isDry(afterCompletionOf index: Int) -> Bool {
        if index == 0 { hasCompleted.left = true } else { hasCompleted.right = true }
        return (index == 0 ? left.count : right.count) == 0
    }

    override func emitFirst(_ missing: inout Int) -> End<E>? {
        let values = make!(left.takeFirst(), right.takeFirst())
        if left.count == 0 { missing += 1 }
        if right.count == 0 { missing += 1 }
        return emitted(values)
    }

    override func clear() {
        super.clear()
        make = nil
        left.removeAll()
        right.removeAll()
    }
}
