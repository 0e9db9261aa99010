import SignalKitShims

/// A run that reads: what is read at once is `chunk` bytes at most, and is emitted before anything else is read.
class ReadingRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    /// Where the next bytes are read to: so many from `start` on.
    @exclusivity(unchecked) final var buffer: [UInt8]
    @exclusivity(unchecked) final var start = 0

    init(_ subscriber: Subscriber<T, E>, _ queue: Queue, room: Int, _ failure: @escaping (SystemError) -> E) {
        buffer = [UInt8](repeating: 0, count: room)
        super.init(subscriber, queue, .readable, failure)
    }

    /// So many bytes have been read.
    func take(_ count: Int) { mustOverride() }

    /// There are no more.
    func finish() {}

    override final func handle(_ readiness: Readiness) -> Bool {
        let read = use { number in
            buffer.withUnsafeMutableBytes {
                sgk_shim_fd_read(number, $0.baseAddress! + start, $0.count - start)
            }
        }
        guard let read else { return false }
        if read > 0 {
            take(Int(read))
        } else if read == 0 {
            finish()
            subscriber.putCompletion()
        } else if read != -Int64(SGK_SHIM_AGAIN) {
            fail(SystemError(Int32(-read), "read"))
        }
        return subscriber.isActive
    }

    final func emit(_ range: Range<Int>, _ make: (UnsafeRawBufferPointer) -> T) {
        subscriber.putNext(buffer.withUnsafeBytes { make(UnsafeRawBufferPointer(rebasing: $0[range])) })
    }
}

private final class BytesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let make: (UnsafeRawBufferPointer) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ chunk: Int, _ make: @escaping (UnsafeRawBufferPointer) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, room: chunk, failure)
    }

    override func take(_ count: Int) { emit(0..<count, make) }
}

/// How many bytes of lines are read at once: as many as a pipe has.
private var mostAtOnce: Int { 1 << 16 }

private final class LinesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let limit: Int
    private let make: (UnsafeRawBufferPointer) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ limit: Int, _ make: @escaping (UnsafeRawBufferPointer) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.limit = limit
        self.make = make
        super.init(subscriber, queue, room: mostAtOnce, failure)
    }

    override func take(_ count: Int) {
        let end = start + count
        var line = 0
        var sought = start
        while let newline = newline(sought, end) {
            if newline - line > limit { return tooLong() }
            emit(line..<newline, make)
            if !subscriber.isActive { return }
            line = newline + 1
            sought = line
        }
        if end - line > limit { return tooLong() }
        keep(line..<end)
    }

    override func finish() {
        if start > 0 { emit(0..<start, make) }
    }

    private func tooLong() { fail(SystemError(Int32(SGK_SHIM_TOO_LONG), "read")) }

    private func newline(_ from: Int, _ end: Int) -> Int? {
        let found = buffer.withUnsafeBytes { sgk_shim_newline($0.baseAddress! + from, end - from) }
        return found < 0 ? nil : from + Int(found)
    }

    /// The beginning of a line goes to the front, and has room for more behind it.
    private func keep(_ rest: Range<Int>) {
        start = rest.count
        if rest.lowerBound > 0 {
            buffer.withUnsafeMutableBytes {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[rest]))
            }
        }
        if start < buffer.count { return }
        let more = min(start, limit + 1 - start)
        buffer.append(contentsOf: repeatElement(0, count: more))
    }
}

extension Signal {
    /// Reads lines, on `queue`, as the program says what a value is, and an error.
    static func lines(
        of descriptor: Int32, limit: Int, queue: Queue, failure: @escaping (SystemError) -> E,
        make: @escaping (UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(limit > 0, "no line could be so short")
        return watching(.several([.count(Int(descriptor)), .count(limit)])) { LinesRun($0, queue, limit, make, failure) } _: { () throws(SystemError) in
            try .duplicate(of: descriptor)
        }
    }

    /// The same for bytes as they come.
    static func bytes(
        of descriptor: Int32, chunk: Int, queue: Queue, failure: @escaping (SystemError) -> E,
        make: @escaping (UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(chunk > 0, "nothing could be read")
        return watching(.several([.count(Int(descriptor)), .count(chunk)])) { BytesRun($0, queue, chunk, make, failure) } _: { () throws(SystemError) in
            try .duplicate(of: descriptor)
        }
    }
}
