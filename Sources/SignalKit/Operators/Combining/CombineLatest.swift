/// Emits the latest values of all `signals`, in their order, at each value, once every signal has emitted one.
///
/// Completes when all signals have completed. The first error ends it. An empty array emits one empty array and
/// completes. With a `queue`, events are processed and delivered there.
public func combineLatest<T, E>(queue: Queue? = nil, _ signals: [Signal<T, E>]) -> Signal<[T], E> {
    combineLatest(queue: queue, signals, make: { Array($0) })
}

/// Like `combineLatest`, but sources can have initial values. If every source has one, the operator emits them before
/// it starts a source. (SSignalKit's `combineSignals:withInitialStates:`.)
///
/// - Parameters:
///   - signals: the sources, in their order.
///   - initialStates: the initial values, by the index of the source. The array may be shorter than `signals`, and
///     contain nil. Extra values are ignored.
public func combineSignals<T, E>(_ signals: [Signal<T, E>], initialStates: [T?] = []) -> Signal<[T], E> {
    combineLatest(queue: nil, signals, initialStates, make: { Array($0) })
}

/// Emits the result of `make`, which reads the latest values in place.
func combineLatest<T, R, E>(
    queue: Queue?, _ signals: [Signal<T, E>], _ states: [T?] = [], make: @escaping (UnsafeBufferPointer<T>) -> R
) -> Signal<R, E> {
    if signals.isEmpty {
        return deferred(of: .none, depth: 0) { .single(make(UnsafeBufferPointer(start: nil, count: 0))) }
    }
    let combination = ArrayCombination(signals.count, make)
    let kinds = (hub: CombineHub<R, E>.self, inlet: CombineInlet<T, R, E>.self)
    return ComposedSignal(of: Sources(signals)) { sink in
        let hub = kinds.hub.init(sink, combination)
        for (index, state) in states.prefix(signals.count).enumerated() {
            if let state { hub.begin(with: state, at: index) }
        }
        hub.open {
            if !states.isEmpty { hub.submit { [unowned(unsafe) hub] in hub.emitIfComplete() } }
            hub.attach(signals) { hub.attach($1, by: kinds.inlet, at: $0, queue) }
        }
    }
}

/// The memory layout of the latest values, and the function that combines them. All subscriptions of a signal share it.
class Combination<R> {
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
    func make(_ latest: UnsafeMutableRawPointer) -> R { mustOverride() }
    /// Deinitializes the value at `place`.
    func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) { mustOverride() }
}

/// Values of one type.
private final class ArrayCombination<T, R>: Combination<R> {
    private let make: (UnsafeBufferPointer<T>) -> R

    init(_ count: Int, _ make: @escaping (UnsafeBufferPointer<T>) -> R) {
        self.make = make
        super.init(count: count, size: count * MemoryLayout<T>.stride, alignment: MemoryLayout<T>.alignment)
    }

    override func offset(of index: Int) -> Int { index * MemoryLayout<T>.stride }

    override func make(_ latest: UnsafeMutableRawPointer) -> R {
        make(UnsafeBufferPointer(start: latest.assumingMemoryBound(to: T.self), count: count))
    }

    override func deinitialize(_ place: UnsafeMutableRawPointer, _ index: Int) {
        place.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    }
}

/// The hub of a combination.
final class CombineHub<R, E>: JoinHub<R, E> {
    private let combination: Unmanaged<Combination<R>>
    /// True for each source without a value so far. It is empty when all have one. The values are in the memory after
    /// the slots.
    @exclusivity(unchecked) private var isMissing: [Bool]

    init(_ sink: Sink<R, E>, _ combination: Combination<R>) {
        let count = combination.count
        self.combination = .passRetained(combination)
        isMissing = Array(repeating: true, count: count)
        super.init(sink, count, room: (combination.size + count - 1) / count, alignment: combination.alignment)
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

    private func emitLatest() {
        if isWanted { emit(combination._withUnsafeGuaranteedRef { $0.make(latest) }) }
    }

    override func clear() {
        for index in 0..<count where isMissing.isEmpty || !isMissing[index] {
            combination._withUnsafeGuaranteedRef { $0.deinitialize(place(index), index) }
        }
        combination.release()
    }
}

final class CombineInlet<T, R, E>: JoinInlet<T, E, R, CombineHub<R, E>> {
    /// The latest value of this source, in the memory of the hub. Access only in the section.
    private let place: UnsafeMutablePointer<T>

    init(_ hub: CombineHub<R, E>, _ index: Int, _ place: UnsafeMutablePointer<T>) {
        self.place = place
        super.init(hub, index)
    }

    override func next(_ value: T) {
        if hub.enter() {
            hub.next(value, place, index)
            hub.leave()
        } else {
            hub.enqueue { [unowned(unsafe) hub, place, index] in hub.next(value, place, index) }
        }
    }
}
