#if !hasFeature(Embedded)
/// Emits the latest values of all signals as a tuple, at each value, once every signal has emitted one. It takes two or
/// more signals of any types.
///
/// Completes when all signals have completed. The first error ends it. They are started and disposed in their order.
/// With a `queue`, events are processed and delivered there.
public func combineLatest<A, B, each C, E>(
    queue: Queue? = nil, _ a: Signal<A, E>, _ b: Signal<B, E>, _ rest: repeat Signal<each C, E>
) -> Signal<(A, B, repeat each C), E> {
    var sources: [SignalRecipe] = [a, b]
    repeat sources.append(each rest)
    var places = TuplePlaces()
    let first = places.add(A.self), second = places.add(B.self)
    let others = (repeat places.add((each C).self))
    let combination = TupleCombination(places) { (first[$0], second[$0], repeat (each others)[$0]) }
    typealias Tuple = (A, B, repeat each C)
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
    var places = TuplePlaces()
    let first = places.add(A.self), second = places.add(B.self)
    let combination = TupleCombination(places) { make(first[$0], second[$0]) }
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
private struct TuplePlaces {
    private(set) var offsets: [Int] = []
    private(set) var deinitialize: [(UnsafeMutableRawPointer) -> Void] = []
    private(set) var size = 0
    private(set) var alignment = 1

    mutating func add<T>(_ type: T.Type) -> TuplePlace<T> {
        let mask = MemoryLayout<T>.alignment - 1
        let offset = (size + mask) & ~mask
        size = offset + MemoryLayout<T>.size
        alignment = max(alignment, MemoryLayout<T>.alignment)
        offsets.append(offset)
        deinitialize.append { $0.assumingMemoryBound(to: T.self).deinitialize(count: 1) }
        return TuplePlace(offset: offset)
    }
}

private struct TuplePlace<T> {
    let offset: Int

    subscript(latest: UnsafeMutableRawPointer) -> T { (latest + offset).assumingMemoryBound(to: T.self).pointee }
}

private final class TupleCombination<Tuple>: Combination<Tuple> {
    private let places: TuplePlaces
    private let make: (UnsafeMutableRawPointer) -> Tuple

    init(_ places: TuplePlaces, _ make: @escaping (UnsafeMutableRawPointer) -> Tuple) {
        self.places = places
        self.make = make
        super.init(count: places.offsets.count, size: places.size, alignment: places.alignment)
    }

    override func offset(of index: Int) -> Int { places.offsets[index] }
    override func make(_ latest: UnsafeMutableRawPointer) -> Tuple { make(latest) }
    override func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) { places.deinitialize[index](place) }
}
#endif
