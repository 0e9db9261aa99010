/// The latest values, up to a limit, in separate memory: a ring, once it is full. (An array is not used, because code
/// that is not specialized looks up the type of an array at each use.)
final class History<T> {
    private let limit: Int
    private var memory: UnsafeMutablePointer<T>?
    private var capacity = 0
    private var count = 0
    /// The position of the oldest value in a full ring.
    private var oldest = 0

    /// - Parameter limit: 1 or more.
    init(_ limit: Int) {
        self.limit = limit
    }

    deinit {
        memory?.deinitialize(count: count)
        memory?.deallocate()
    }

    /// Stores a value and returns the oldest one in its argument. If there was space, the argument is unchanged.
    func exchange(_ value: inout T) {
        if count < limit {
            if count == capacity { grow() }
            (memory! + count).initialize(to: value)
            count += 1
        } else {
            swap(&memory![oldest], &value)
            oldest = oldest + 1 == limit ? 0 : oldest + 1
        }
    }

    /// Returns a copy, for an iteration while new values arrive.
    func copy() -> History {
        let copy = History(count)
        if count == 0 { return copy }
        copy.memory = .allocate(capacity: count)
        copy.capacity = count
        forEach {
            (copy.memory! + copy.count).initialize(to: $0)
            copy.count += 1
        }
        return copy
    }

    /// Calls `body` with each value, the oldest first.
    func forEach(_ body: (T) -> Void) {
        for index in oldest..<count { body(memory![index]) }
        for index in 0..<oldest { body(memory![index]) }
    }

    private func grow() {
        let larger = min(limit, max(4, capacity + capacity / 2))
        let resized = UnsafeMutablePointer<T>.allocate(capacity: larger)
        if let memory {
            resized.moveInitialize(from: memory, count: count)
            memory.deallocate()
        }
        memory = resized
        capacity = larger
    }
}
