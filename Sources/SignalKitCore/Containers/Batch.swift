/// Values in a row, in separate memory. One side collects them, and the other takes them all together. (An array is not
/// used, because code that is not specialized looks up the type of an array at each use.)
///
/// The memory is a chain of blocks, so adding values never moves others. An empty block is freed, except the last one.
struct Batch<T>: ~Copyable {
    private var row = Row()

    init() {}

    deinit { row.free(T.self) }

    /// Releases it without a lookup of its type. (Embedded Swift, which knows the type, has no `discard`.)
    @inline(__always)
    consuming func close() {
        #if !hasFeature(Embedded)
        row.free(T.self)
        discard self
        #endif
    }

    @inline(__always)
    var count: Int { row.count }

    @inline(__always)
    mutating func append(_ value: T) {
        if row.end == row.lastEnd { row.addBlock(MemoryLayout<T>.stride, MemoryLayout<T>.alignment) }
        row.end!.assumingMemoryBound(to: T.self).initialize(to: value)
        row.end! += MemoryLayout<T>.stride
        row.count += 1
    }

    /// Removes and returns the first value. There must be one.
    @inline(__always)
    mutating func takeFirst() -> T {
        if row.first == row.firstEnd { row.dropBlock() }
        let value = row.first!.assumingMemoryBound(to: T.self).move()
        row.first! += MemoryLayout<T>.stride
        row.count -= 1
        if row.count == 0 { row.startAgain() }
        return value
    }

    /// A copy of the first. There must be one.
    var head: T {
        let first = row.first == row.firstEnd ? row.firstBlock!.pointee.next!.pointee.start : row.first!
        return first.assumingMemoryBound(to: T.self).pointee
    }

    @inline(__always)
    mutating func removeAll() {
        while count > 0 { _ = takeFirst() }
    }

    /// Removes and returns all values, in order.
    mutating func takeAll() -> [T] {
        var all: [T] = []
        all.reserveCapacity(count)
        while count > 0 { all.append(takeFirst()) }
        return all
    }

    /// Exchanges the content of two batches.
    @inline(__always)
    mutating func exchange(_ other: inout Batch) { swap(&row, &other.row) }
}

/// The memory of a batch, independent of the value type. (A structure over that type would be looked up.)
private struct Row {
    var count = 0
    /// The address after the last value, and the end of its block.
    var end: UnsafeMutableRawPointer?
    var lastEnd: UnsafeMutableRawPointer?
    /// The first remaining value, and the end of its block.
    var first: UnsafeMutableRawPointer?
    var firstEnd: UnsafeMutableRawPointer?
    var firstBlock: UnsafeMutablePointer<Block>?
    var lastBlock: UnsafeMutablePointer<Block>?

    /// All of the last block is free.
    @inline(__always)
    mutating func startAgain() {
        first = lastBlock!.pointee.start
        end = first
    }

    @inline(never)
    mutating func addBlock(_ stride: Int, _ alignment: Int) {
        let block = Block.allocate(after: lastBlock, stride, alignment)
        if lastBlock == nil {
            firstBlock = block
            first = block.pointee.start
            firstEnd = block.pointee.end
        }
        lastBlock = block
        end = block.pointee.start
        lastEnd = block.pointee.end
    }

    @inline(never)
    mutating func dropBlock() {
        let next = firstBlock!.pointee.next!
        UnsafeMutableRawPointer(firstBlock!).deallocate()
        firstBlock = next
        first = next.pointee.start
        firstEnd = next.pointee.end
    }

    /// Releases all values and the memory. It must not be used afterwards.
    func free<T>(_ type: T.Type) {
        guard var block = firstBlock else { return }
        var start = first!
        while let next = block.pointee.next {
            Row.deinitialize(type, start, block.pointee.end)
            UnsafeMutableRawPointer(block).deallocate()
            block = next
            start = block.pointee.start
        }
        Row.deinitialize(type, start, end!)
        UnsafeMutableRawPointer(block).deallocate()
    }

    @inline(__always)
    private static func deinitialize<T>(
        _ type: T.Type, _ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer
    ) {
        start.assumingMemoryBound(to: type).deinitialize(count: (end - start) / MemoryLayout<T>.stride)
    }
}

/// The beginning of a block of memory, with a link to the next block.
private struct Block {
    var next: UnsafeMutablePointer<Block>?
    let start: UnsafeMutableRawPointer
    let end: UnsafeMutableRawPointer

    /// Twice as much as the one before, up to 16 KiB.
    static func allocate(
        after last: UnsafeMutablePointer<Block>?, _ stride: Int, _ alignment: Int
    ) -> UnsafeMutablePointer<Block> {
        let before = last.map { ($0.pointee.end - $0.pointee.start) / stride } ?? 4
        let size = max(8, min(before * 2, 16384 / stride)) * stride
        let offset = (MemoryLayout<Block>.size + alignment - 1) & ~(alignment - 1)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + size, alignment: max(alignment, MemoryLayout<Block>.alignment))
        let start = memory + offset
        let block = memory.bindMemory(to: Block.self, capacity: 1)
        block.initialize(to: Block(next: nil, start: start, end: start + size))
        last?.pointee.next = block
        return block
    }
}
