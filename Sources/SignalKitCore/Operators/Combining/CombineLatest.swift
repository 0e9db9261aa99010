/// Emits the latest values of all `signals`, in their order, at each value, once every signal has emitted one.
///
/// Completes when all signals have completed. The first error ends it. An empty array emits one empty array and
/// completes. With a `queue`, events are processed and delivered there.
@_disfavoredOverload
public func combineLatest<T, E>(queue: Queue? = nil, _ signals: [Signal<T, E>]) -> Signal<[T], E> {
    combineLatest(queue: queue, signals, make: { $1.emitted(Array($0)) })
}

/// Like `combineLatest`, but sources can have initial values. If every source has one, the operator emits them before
/// it starts a source. (SSignalKit's `combineSignals:withInitialStates:`.)
///
/// - Parameters:
///   - signals: the sources, in their order.
///   - initialStates: the initial values, by the index of the source. The array may be shorter than `signals`, and
///     contain nil. Extra values are ignored.
public func combineSignals<T, E>(_ signals: [Signal<T, E>], initialStates: [T?] = []) -> Signal<[T], E> {
    combineLatest(queue: nil, signals, initialStates, make: { $1.emitted(Array($0)) })
}

/// Emits the combination that `make` makes of the latest values, which it reads in place.
func combineLatest<T, R, E>(
    queue: Queue?, _ signals: [Signal<T, E>], _ states: [T?] = [],
    make: @escaping (UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?
) -> Signal<R, E> {
    let combination = ArrayCombination(signals.count, make)
    let kinds = (hub: CombineHub<R, E>.self, inlet: CombineInlet<T, R, E>.self)
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = kinds.hub.init(sink, combination)
        for (index, state) in states.prefix(signals.count).enumerated() {
            if let state { hub.begin(with: state, at: index) }
        }
        hub.open {
            if signals.isEmpty {
                hub.submit { [unowned(unsafe) hub] in hub.emitNothing() }
            } else if !states.isEmpty {
                hub.submit { [unowned(unsafe) hub] in hub.emitIfComplete() }
            }
            hub.attach(signals) { hub.attach($1, by: kinds.inlet, at: $0, queue) }
        }
    }
}

/// The memory layout of the latest values, and the function that combines them. All subscriptions of a signal share it.
private class Combination<R, E> {
    final let count: Int
    final let size: Int
    final let alignment: Int
    /// The offset of the values in the memory of a hub.
    final let start: Int

    init(count: Int, size: Int, alignment: Int) {
        self.count = count
        self.size = size
        self.alignment = alignment
        start = roomOffset(count, alignment)
    }

    func offset(of index: Int) -> Int { mustOverride() }
    /// Emits the combination of the values. Returns the terminal event, if the subscription ends.
    func make(_ latest: UnsafeMutableRawPointer, _ hub: Hub<R, E>) -> End<E>? { mustOverride() }
    /// Deinitializes the value at `place`.
    func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) { mustOverride() }
}

/// Values of one type.
private final class ArrayCombination<T, R, E>: Combination<R, E> {
    private let make: (UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?

    init(_ count: Int, _ make: @escaping (UnsafeBufferPointer<T>, Hub<R, E>) -> End<E>?) {
        self.make = make
        super.init(count: count, size: count * MemoryLayout<T>.stride, alignment: MemoryLayout<T>.alignment)
    }

    override func offset(of index: Int) -> Int { index * MemoryLayout<T>.stride }

    override func make(_ latest: UnsafeMutableRawPointer, _ hub: Hub<R, E>) -> End<E>? {
        make(UnsafeBufferPointer(start: latest.assumingMemoryBound(to: T.self), count: count), hub)
    }

    override func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) {
        place.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    }
}

/// The hub of a combination.
private final class CombineHub<R, E>: Hub<R, E> {
    private let combination: Unmanaged<Combination<R, E>>
    /// True for each source without a value so far. It is empty when all have one. The values are in the memory after
    /// the handles.
    @exclusivity(unchecked) private var isMissing: [Bool]

    init(_ sink: Sink<R, E>, _ combination: Combination<R, E>) {
        let count = combination.count
        self.combination = .passRetained(combination)
        isMissing = Array(repeating: true, count: count)
        // At least one byte, so that values without a size have an address, too.
        let room = max((combination.size + count - 1) / max(count, 1), 1)
        super.init(sink, places: count, room: room, alignment: combination.alignment)
    }

    @inline(__always)
    private var latest: UnsafeMutableRawPointer { room(at: combination._withUnsafeGuaranteedRef { $0.start }) }

    private func place(_ index: Int) -> UnsafeMutableRawPointer {
        latest + combination._withUnsafeGuaranteedRef { $0.offset(of: index) }
    }

    func attach<T>(_ signal: Signal<T, E>, by inlet: CombineInlet<T, R, E>.Type, at index: Int, _ queue: Queue?) {
        let inlet = inlet.init(self, index, place(index).assumingMemoryBound(to: T.self))
        if let queue { (signal |> deliverOn(queue)).attach(inlet) } else { signal.attach(inlet) }
    }

    /// Stores the first value of a source. Called in the section, or before a source is attached.
    func begin<T>(with value: T, at index: Int) {
        place(index).assumingMemoryBound(to: T.self).initialize(to: value)
        isMissing[index] = false
    }

    @inline(__always)
    fileprivate func next<T>(_ value: T, _ place: UnsafeMutablePointer<T>, _ index: Int) {
        if isMissing.isEmpty {
            place.pointee = value
            emitLatest()
        } else {
            nextOfSome(value, place, index)
        }
    }

    /// While sources are without a value.
    @inline(never)
    private func nextOfSome<T>(_ value: T, _ place: UnsafeMutablePointer<T>, _ index: Int) {
        if isMissing[index] { begin(with: value, at: index) } else { place.pointee = value }
        emitIfComplete()
    }

    func emitIfComplete() {
        if isMissing.contains(true) { return }
        isMissing = []
        emitLatest()
    }

    /// There are no sources.
    func emitNothing() {
        emitLatest()
        end(.completed)
    }

    private func emitLatest() {
        if let end = combination._withUnsafeGuaranteedRef({ $0.make(latest, self) }) { self.end(end) }
    }

    override func clear() {
        let count = combination._withUnsafeGuaranteedRef { $0.count }
        for index in 0..<count where isMissing.isEmpty || !isMissing[index] {
            combination._withUnsafeGuaranteedRef { $0.deinitialize(place(index), index) }
        }
        combination.release()
    }
}

private final class CombineInlet<T, R, E>: PlacedInlet<T, R, E, CombineHub<R, E>> {
    /// The latest value of this source, in the memory of the hub. Access only in the section.
    private let latest: UnsafeMutablePointer<T>

    init(_ hub: CombineHub<R, E>, _ index: Int, _ latest: UnsafeMutablePointer<T>) {
        self.latest = latest
        super.init(hub, at: index)
    }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, latest, place)
            hub.leave()
        } else {
            enqueue { [unowned(unsafe) hub, latest, place] in hub.next(value, latest, place) }
        }
    }
}

#if !hasFeature(Embedded)
/// Emits the latest values of all signals as a tuple, at each value, once every signal has emitted one. It takes two or
/// more signals of any types.
///
/// Completes when all signals have completed. The first error ends it. They are started and disposed in their order.
/// With a `queue`, events are processed and delivered there.
@_disfavoredOverload
public func combineLatest<A, B, each C, E>(
    queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>, _ rest: repeat Signal<each C, E>
) -> Signal<(A, B, repeat each C), E> {
    var sources: [SignalRecipe] = [a, b]
    repeat sources.append(each rest)
    var layout = TupleLayout()
    let first = layout.add(A.self), second = layout.add(B.self)
    let others = (repeat layout.add((each C).self))
    typealias Tuple = (A, B, repeat each C)
    let combination = TupleCombination<Tuple, E>(layout) { (first[$0], second[$0], repeat (each others)[$0]) }
    let kind = CombineHub<Tuple, E>.self
    return ComposedSignal(of: .several(sources)) { sink in
        let hub = kind.init(sink, combination)
        hub.open {
            var index = 0
            func attach<T>(_ signal: Signal<T, E>) {
                if !hub.isTerminated { hub.attach(signal, by: CombineInlet<T, Tuple, E>.self, at: index, queue) }
                index += 1
            }
            attach(a)
            attach(b)
            repeat attach(each rest)
        }
    }
}

/// Like the general form, for two signals. The tuple is created where its types are known. (Looking up its type takes
/// as long as the other work.)
@inlinable
public func combineLatest<A, B, E>(queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>) -> Signal<(A, B), E> {
    combineLatest(queue, a, b) { ($0, $1) }
}

/// Like `combineLatest` of two signals, with initial values. `(v1, v2)` is emitted before a signal is started, also
/// with a `queue`.
@inlinable
@_disfavoredOverload
public func combineLatest<T1, T2, E>(
    queue: Queue? = nil, _ s1: Signal<T1, E>, _ v1: T1, _ s2: Signal<T2, E>, _ v2: T2
) -> Signal<(T1, T2), E> {
    combineLatest(queue, s1, s2, from: (v1, v2)) { ($0, $1) }
}

@usableFromInline
func combineLatest<A, B, Tuple, E>(
    _ queue: Queue?, _ a: Signal<A, E>, _ b: Signal<B, E>, from initial: (A, B)? = nil,
    _ make: @escaping (A, B) -> Tuple
) -> Signal<Tuple, E> {
    var layout = TupleLayout()
    let first = layout.add(A.self), second = layout.add(B.self)
    let combination = TupleCombination<Tuple, E>(layout) { make(first[$0], second[$0]) }
    let kinds = (
        hub: CombineHub<Tuple, E>.self, left: CombineInlet<A, Tuple, E>.self, right: CombineInlet<B, Tuple, E>.self
    )
    // It does not capture the values directly, because their types would be looked up at each start.
    let begin: ((CombineHub<Tuple, E>) -> Void)?
    if let initial {
        begin = { hub in
            hub.begin(with: initial.0, at: 0)
            hub.begin(with: initial.1, at: 1)
        }
    } else {
        begin = nil
    }
    return ComposedSignal(of: [a, b]) { sink in
        let hub = kinds.hub.init(sink, combination)
        begin?(hub)
        hub.open {
            if begin != nil { hub.submit { [unowned(unsafe) hub] in hub.emitIfComplete() } }
            hub.attach(a, by: kinds.left, at: 0, queue)
            if !hub.isTerminated { hub.attach(b, by: kinds.right, at: 1, queue) }
        }
    }
}

/// Values of several types, one after another.
private struct TupleLayout {
    private(set) var offsets: [Int] = []
    private(set) var deinitialize: [(UnsafeMutableRawPointer) -> Void] = []
    private(set) var size = 0
    private(set) var alignment = 1

    mutating func add<T>(_ type: T.Type) -> TupleField<T> {
        let mask = MemoryLayout<T>.alignment - 1
        let offset = (size + mask) & ~mask
        size = offset + MemoryLayout<T>.size
        alignment = max(alignment, MemoryLayout<T>.alignment)
        offsets.append(offset)
        deinitialize.append { $0.assumingMemoryBound(to: T.self).deinitialize(count: 1) }
        return TupleField(offset: offset)
    }
}

private struct TupleField<T> {
    let offset: Int

    subscript(latest: UnsafeMutableRawPointer) -> T { (latest + offset).assumingMemoryBound(to: T.self).pointee }
}

private final class TupleCombination<Tuple, E>: Combination<Tuple, E> {
    private let layout: TupleLayout
    private let make: (UnsafeMutableRawPointer) -> Tuple

    init(_ layout: TupleLayout, _ make: @escaping (UnsafeMutableRawPointer) -> Tuple) {
        self.layout = layout
        self.make = make
        super.init(count: layout.offsets.count, size: layout.size, alignment: layout.alignment)
    }

    override func offset(of index: Int) -> Int { layout.offsets[index] }
    override func make(_ latest: UnsafeMutableRawPointer, _ hub: Hub<Tuple, E>) -> End<E>? { hub.emitted(make(latest)) }
    override func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) { layout.deinitialize[index](place) }
}
#endif
