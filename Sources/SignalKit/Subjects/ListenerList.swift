/// Listeners of any type in the order of their subscription, in memory of its own. (An array of them would be counted
/// at each event, and one of their type looked up.) A listener that leaves leaves a hole, until half of it is holes.
struct ListenerList: ~Copyable {
    private var memory: UnsafeMutablePointer<Unmanaged<Subscription>?>?
    private var capacity = 0
    /// How many places are taken, the holes included.
    private var end = 0
    private var holes = 0

    init() {}

    deinit {
        forEach { $0.release() }
        memory?.deallocate()
    }

    /// No listener is counted here: the list holds them.
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

    /// Takes out the listener at a place; the caller owns the reference.
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

    /// Closes the holes, if there are many, and tells which listener has moved where.
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
