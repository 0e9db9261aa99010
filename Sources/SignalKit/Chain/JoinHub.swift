import Synchronization

/// The content of a slot, as bits: empty, a retained subscription, or closed. (It is not nested in `JoinHub`, because
/// its type would then be looked up.)
private enum Held {
    static var nothing: UInt { 0 }
    static var closed: UInt { 1 }

    static func dispose(_ held: UInt) {
        if let subscription = subscription(held) { Turns.dispose(subscription.takeUnretainedValue()) }
        release(held)
    }

    static func release(_ held: UInt) {
        subscription(held)?._withUnsafeGuaranteedRef { $0.releaseForDisposal() }
    }

    private static func subscription(_ held: UInt) -> Unmanaged<Subscription>? {
        held == closed ? nil : UnsafeRawPointer(bitPattern: held).map { Unmanaged.fromOpaque($0) }
    }
}

/// The offset of the operator's data in the memory of a `JoinHub`, after the slots.
func roomOffset(_ count: Int, _ alignment: Int) -> Int {
    (count * MemoryLayout<Synchronization.Atomic<UInt>>.stride + alignment - 1) & ~(alignment - 1)
}

/// A hub that combines several sources. It completes when all of them have completed. The first error ends it.
///
/// One piece of memory contains a slot for the subscription of each source, and the data of the operator.
class JoinHub<T, E>: Hub<T, E> {
    private typealias Slot = Synchronization.Atomic<UInt>

    private let slots: UnsafeMutablePointer<Slot>
    private let number: Int32
    @exclusivity(unchecked) private var running: Int32

    /// - Parameters:
    ///   - count: the number of sources.
    ///   - room: the number of bytes for each source, after the slots (see `room`).
    init(_ sink: Sink<T, E>, _ count: Int, room: Int = 0, alignment: Int = 1) {
        number = Int32(count)
        running = Int32(count)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: roomOffset(count, alignment) + count * room,
            alignment: max(alignment, MemoryLayout<Slot>.alignment))
        slots = memory.bindMemory(to: Slot.self, capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Slot(Held.nothing)) }
        super.init(sink)
    }

    deinit {
        for index in 0..<count { Held.release((slots + index).pointee.load(ordering: .acquiring)) }
        slots.deallocate()
    }

    /// The number of sources.
    final var count: Int { Int(number) }

    /// The operator's part of the memory.
    final func room<Item: ~Copyable>(of type: Item.Type) -> UnsafeMutablePointer<Item> {
        room(at: roomOffset(count, MemoryLayout<Item>.alignment)).assumingMemoryBound(to: type)
    }

    /// Returns a part of the memory by its `roomOffset`.
    @inline(__always)
    final func room(at offset: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(slots) + offset }

    // MARK: Slots

    override final func store(_ upstream: Subscription, in slot: Int) {
        let held = UInt(bitPattern: upstream.retainForDisposal().toOpaque())
        let (isStored, _) = slots[slot].compareExchange(
            expected: Held.nothing, desired: held, ordering: .acquiringAndReleasing)
        if !isStored { Held.dispose(held) }
    }

    /// A source has ended. There is nothing to dispose.
    private func vacate(_ slot: Int) {
        let held = slots[slot].load(ordering: .acquiring)
        if held == Held.closed { return }
        let (isTaken, _) = slots[slot].compareExchange(
            expected: held, desired: Held.nothing, ordering: .acquiringAndReleasing)
        if isTaken { Held.release(held) }
    }

    override final func disposeSlots() {
        for index in 0..<count { disposeSlot(index) }
    }

    /// Disposes one source, also if its subscription is stored later.
    final func disposeSlot(_ index: Int) {
        Held.dispose(slots[index].exchange(Held.closed, ordering: .acquiringAndReleasing))
    }

    final func isClosed(_ slot: Int) -> Bool { slots[slot].load(ordering: .acquiring) == Held.closed }

    // MARK: Sources

    fileprivate final func sourceEnded(_ index: Int, _ end: End<E>) {
        if case .failed = end { return submit { [unowned(unsafe) self] in self.end(end) } }
        vacate(index)
        submit { [unowned(unsafe) self] in completed(index) }
    }

    /// Called in the section, when a source has completed.
    func completed(_ index: Int) {
        running -= 1
        if running == 0 { end(.completed) }
    }

    /// Attaches to the sources in order. If one fails during its start, the result ends and the others are not started.
    final func attach<Sources: Collection>(_ sources: Sources, _ attach: (Int, Sources.Element) -> Void) {
        for (index, source) in sources.enumerated() {
            if isTerminated { return }
            attach(index, source)
        }
    }
}

/// The inlet of one source. A subclass handles its values.
class JoinInlet<T, E, Joined, Owner: JoinHub<Joined, E>>: Inlet<Owner, T, E> {
    final let index: Int

    init(_ hub: Owner, _ index: Int) {
        self.index = index
        super.init(hub)
    }

    override final var slot: Int { index }

    override final func end(_ end: End<E>) { hub.sourceEnded(index, end) }
}
