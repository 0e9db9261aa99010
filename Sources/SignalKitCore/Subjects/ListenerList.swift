/// Listeners of any type in the order of their subscription, in separate memory. (An array would be retained at each
/// event, and its element type looked up.) A removed listener leaves a hole. Holes are closed when they are more than
/// half of the list.
struct ListenerList: ~Copyable {
    private var memory: UnsafeMutablePointer<Unmanaged<Subscription>?>?
    private var capacity = 0
    /// The number of used places, including the holes.
    private var end = 0
    private var holes = 0

    init() {}

    deinit {
        forEach { $0.release() }
        memory?.deallocate()
    }

    /// The only listener, if the list has one place and therefore no hole. No reference is counted here, because the
    /// list retains the listener.
    @inline(__always)
    var only: Unmanaged<Subscription>? { end == 1 ? memory.unsafelyUnwrapped[0] : nil }

    /// True if the sink of the first listener can also deliver to others. Otherwise no other listener is checked.
    @inline(__always)
    var beginsWithRow: Bool {
        guard end > 0, let first = memory.unsafelyUnwrapped[0] else { return false }
        return first._withUnsafeGuaranteedRef { $0.isInRow }
    }

    /// All of it.
    @inline(__always)
    var row: ListenerRow { ListenerRow(memory, end) }

    @inline(__always)
    func forEach(_ body: (Unmanaged<Subscription>) -> Void) {
        var index = 0
        while index < end {
            if let listener = memory.unsafelyUnwrapped[index] { body(listener) }
            index += 1
        }
    }

    /// Its listeners.
    var copies: [Subscription] {
        var copies: [Subscription] = []
        copies.reserveCapacity(end - holes)
        forEach { copies.append($0.takeUnretainedValue()) }
        return copies
    }

    /// Returns its place.
    mutating func append(_ listener: Subscription) -> Int {
        if end == capacity { grow() }
        (memory! + end).initialize(to: .passRetained(listener))
        end += 1
        return end - 1
    }

    /// Removes the listener at a place. The caller owns the reference.
    mutating func remove(at index: Int) -> Unmanaged<Subscription> {
        let removed = memory![index]!
        memory![index] = nil
        holes += 1
        while end > 0 && memory![end - 1] == nil {
            end -= 1
            holes -= 1
        }
        return removed
    }

    /// Closes the holes, if there are many, and reports the new place of each listener.
    mutating func compact(_ moved: (Unmanaged<Subscription>, Int) -> Void) {
        guard holes > 8 && holes * 2 > end else { return }
        var kept = 0
        forEach { listener in
            memory![kept] = listener
            moved(listener, kept)
            kept += 1
        }
        end = kept
        holes = 0
        if capacity > 64 && end < capacity / 4 { resize(to: capacity / 2) }
    }

    private mutating func grow() { resize(to: max(4, capacity + capacity / 2)) }

    private mutating func resize(to capacity: Int) {
        let resized = UnsafeMutablePointer<Unmanaged<Subscription>?>.allocate(capacity: capacity)
        if let memory {
            resized.moveInitialize(from: memory, count: end)
            memory.deallocate()
        }
        memory = resized
        self.capacity = capacity
    }
}
