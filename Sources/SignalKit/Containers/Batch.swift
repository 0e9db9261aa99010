/// Values in a row, in memory of its own: what is collected by one side and taken all at once by the other. (Not an
/// array, whose type is looked up at each use in code that is not specialised.)
///
/// The memory is a chain of blocks, so that no value is moved when there are more of them. A block is given back when
/// it has been emptied, but the last one stays.
struct Batch<T>: ~Copyable {
    private(set) var count = 0
    /// The place behind the last value, and the end of its block.
    private var end: UnsafeMutablePointer<T>?
    private var lastEnd: UnsafeMutablePointer<T>?
    /// The first value that has not been taken, and the end of its block.
    private var first: UnsafeMutablePointer<T>?
    private var firstEnd: UnsafeMutablePointer<T>?
    private var firstBlock: Block<T>?
    private var lastBlock: Block<T>?

    init() {}

    deinit {
        guard var block = firstBlock else { return }
        var start = first!
        while let next = block.next {
            start.deinitialize(count: block.end - start)
            block.deallocate()
            block = next
            start = block.start
        }
        start.deinitialize(count: end! - start)
        block.deallocate()
    }

    @inline(__always)
    mutating func append(_ value: T) {
        if end == lastEnd { addBlock() }
        end!.initialize(to: value)
        end! += 1
        count += 1
    }

    /// The first, which is taken out. There must be one.
    @inline(__always)
    mutating func takeFirst() -> T {
        if first == firstEnd { dropBlock() }
        let value = first!.move()
        first! += 1
        count -= 1
        if count == 0 { startAgain() }
        return value
    }

    /// A copy of the first. There must be one.
    var head: T { first == firstEnd ? firstBlock!.next!.start.pointee : first!.pointee }

    @inline(__always)
    mutating func removeAll() {
        while count > 0 { _ = takeFirst() }
    }

    /// All of them, in their order.
    mutating func takeAll() -> [T] {
        var all: [T] = []
        all.reserveCapacity(count)
        while count > 0 { all.append(takeFirst()) }
        return all
    }

    /// All of the last block is free.
    @inline(__always)
    private mutating func startAgain() {
        first = lastBlock!.start
        end = first
    }

    @inline(never)
    private mutating func addBlock() {
        let block = Block<T>.allocate(after: lastBlock)
        if lastBlock == nil {
            firstBlock = block
            first = block.start
            firstEnd = block.end
        }
        lastBlock = block
        end = block.start
        lastEnd = block.end
    }

    @inline(never)
    private mutating func dropBlock() {
        let next = firstBlock!.next!
        firstBlock!.deallocate()
        firstBlock = next
        first = next.start
        firstEnd = next.end
    }
}

/// Memory for some values, which knows what follows it.
private struct Block<T> {
    private struct Header {
        var next: UnsafeMutableRawPointer?
        var capacity: Int
    }

    private let memory: UnsafeMutableRawPointer

    /// Twice as much as the one before, up to 16 KiB.
    static func allocate(after last: Block?) -> Block {
        let capacity = max(8, min((last?.capacity ?? 4) * 2, 16384 / max(MemoryLayout<T>.stride, 1)))
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + capacity * MemoryLayout<T>.stride, alignment: alignment)
        memory.initializeMemory(as: Header.self, to: Header(next: nil, capacity: capacity))
        last?.header.pointee.next = memory
        return Block(memory: memory)
    }

    func deallocate() { memory.deallocate() }

    var next: Block? { header.pointee.next.map { Block(memory: $0) } }
    var start: UnsafeMutablePointer<T> { (memory + Block.offset).assumingMemoryBound(to: T.self) }
    var end: UnsafeMutablePointer<T> { start + capacity }

    private var capacity: Int { header.pointee.capacity }
    private var header: UnsafeMutablePointer<Header> { memory.assumingMemoryBound(to: Header.self) }
    private static var alignment: Int { max(MemoryLayout<T>.alignment, MemoryLayout<Header>.alignment) }
    private static var offset: Int { max(MemoryLayout<Header>.size, MemoryLayout<T>.alignment) }
}
