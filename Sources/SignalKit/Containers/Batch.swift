/// Values in a row, in memory of its own: what is collected by one side and taken all at once by the other. (Not an array, whose type is
/// looked up at each use in code that is not specialised.)
struct Batch<T>: ~Copyable {
    private var memory: UnsafeMutablePointer<T>?
    private var capacity = 0
    /// The first that has not been taken.
    private var start = 0
    private var end = 0

    init() {}

    deinit {
        (memory.map { $0 + start })?.deinitialize(count: end - start)
        memory?.deallocate()
    }

    var count: Int { end - start }

    @inline(__always)
    mutating func append(_ value: T) {
        if end == capacity { makeRoom() }
        (memory! + end).initialize(to: value)
        end += 1
    }

    /// The first, which is taken out. There must be one.
    @inline(__always)
    mutating func takeFirst() -> T {
        start += 1
        let value = (memory! + (start - 1)).move()
        if start == end { (start, end) = (0, 0) }
        return value
    }

    /// Gives memory back that only a burst has needed. Nothing is in it.
    mutating func trim() {
        if capacity > 1024 { self = Batch() }
    }

    /// What has been taken from the front makes room, if it is half of all; otherwise there is twice as much.
    @inline(never)
    private mutating func makeRoom() {
        if start > capacity / 2 {
            memory!.moveInitialize(from: memory! + start, count: count)
        } else {
            let larger = UnsafeMutablePointer<T>.allocate(capacity: max(capacity * 2, 8))
            if let memory {
                larger.moveInitialize(from: memory + start, count: count)
                memory.deallocate()
            }
            memory = larger
            capacity = max(capacity * 2, 8)
        }
        (start, end) = (0, count)
    }
}
