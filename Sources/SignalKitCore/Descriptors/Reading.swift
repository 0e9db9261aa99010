import SignalKitShims

/// A subscription that reads. It reads at most `room` bytes at a time, and emits them before it reads again. The memory
/// exists only during a read, so idle subscriptions use no memory.
class ReadingRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    private let room: Int
    private let receives: Bool

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, room: Int, receives: Bool = false,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.room = room
        self.receives = receives
        super.init(subscriber, queue, .readable, failure)
    }

    /// Handles the bytes, which are borrowed for the call.
    func take(_ bytes: UnsafeRawBufferPointer) { mustOverride() }

    /// The end of the data.
    func finish() {}

    override final func handle(_ readiness: Readiness) -> Bool {
        guard let memory = sgk_shim_memory(room) else {
            fail(SystemError(Int32(SGK_SHIM_NO_MEMORY), "read"))
            return false
        }
        defer { sgk_shim_free(memory) }
        guard let read = read(memory, room, receives: receives) else { return false }
        if read > 0 {
            take(UnsafeRawBufferPointer(start: memory, count: Int(read)))
        } else if read == 0 {
            finish()
            subscriber.putCompletion()
        } else if read != -Int64(SGK_SHIM_AGAIN) {
            fail(SystemError(Int32(-read), receives ? "recvmsg" : "read"))
        }
        return subscriber.isActive
    }
}

private final class BytesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let make: (UnsafeRawBufferPointer) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ chunk: Int, receives: Bool = false,
        _ make: @escaping (UnsafeRawBufferPointer) -> T, _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, room: chunk, receives: receives, failure)
    }

    override func take(_ bytes: UnsafeRawBufferPointer) { subscriber.putNext(make(bytes)) }
}

/// The maximum number of bytes in one read of lines: the capacity of a pipe.
private var mostAtOnce: Int { 1 << 16 }

private final class LinesRun<T, E>: ReadingRun<T, E>, @unchecked Sendable {
    private let limit: Int
    private let make: (UnsafeRawBufferPointer) -> T
    /// The beginning of an incomplete line.
    @exclusivity(unchecked) private var begun: [UInt8] = []
    /// The bytes of a read that a pause has interrupted, and the number of those that were handled.
    @exclusivity(unchecked) private var unread: [UInt8] = []
    @exclusivity(unchecked) private var handled = 0

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ limit: Int, _ make: @escaping (UnsafeRawBufferPointer) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.limit = limit
        self.make = make
        super.init(subscriber, queue, room: mostAtOnce, failure)
    }

    override func take(_ bytes: UnsafeRawBufferPointer) {
        let count = emitLines(of: bytes)
        if count < bytes.count { unread.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[count...])) }
    }

    override func emitRest() -> Bool {
        if unread.isEmpty { return false }
        handled += unread.withUnsafeBytes { emitLines(of: UnsafeRawBufferPointer(rebasing: $0[handled...])) }
        if handled == unread.count {
            unread = []
            handled = 0
        }
        return true
    }

    /// Emits the lines up to a pause. Returns the number of bytes that were handled.
    private func emitLines(of bytes: UnsafeRawBufferPointer) -> Int {
        var rest = bytes
        while let end = newline(rest) {
            if begun.count + end > limit {
                tooLong()
                return bytes.count
            }
            emit(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            if !subscriber.isActive { return bytes.count }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            if subscriber.isPaused { return bytes.count - rest.count }
        }
        if begun.count + rest.count > limit { tooLong() } else { begun.append(contentsOf: rest) }
        return bytes.count
    }

    override func finish() {
        if !begun.isEmpty { emit(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    /// The line that ends with these.
    private func emit(_ bytes: UnsafeRawBufferPointer) {
        if begun.isEmpty { return subscriber.putNext(make(bytes)) }
        begun.append(contentsOf: bytes)
        let line = begun.withUnsafeBytes(make)
        begun = []
        subscriber.putNext(line)
    }

    private func tooLong() { fail(SystemError(Int32(SGK_SHIM_TOO_LONG), "read")) }

    private func newline(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let found = sgk_shim_newline(start, bytes.count)
        return found < 0 ? nil : Int(found)
    }
}

extension Signal {
    /// Emits lines, on `queue`. The caller converts values and errors.
    static func lines(
        of descriptor: Int32, limit: Int, queue: Queue, failure: @escaping (SystemError) -> E,
        make: @escaping (UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(limit > 0, "limit must be 1 or more")
        return watching(.several([.count(Int(descriptor)), .count(limit)])) {
            LinesRun($0, queue, limit, make, failure)
        } _: { () throws(SystemError) in
            try .of(descriptor, for: .readable, queue)
        }
    }

    /// Like `lines`, for a file that is followed.
    ///
    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func fileLines(
        fromStart: Bool, limit: Int, queue: Queue, path: @escaping ((UnsafePointer<CChar>) -> Int32) -> Int32,
        failure: @escaping (SystemError) -> E, make: @escaping (UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(limit > 0, "limit must be 1 or more")
        return watching(.count(limit)) {
            LinesRun($0, queue, limit, make, failure)
        } _: { () throws(SystemError) in
            try .following(path, fromStart: fromStart)
        }
    }

    /// Like `lines`, for bytes in the chunks of each read.
    static func bytes(
        of descriptor: Int32, chunk: Int, queue: Queue, failure: @escaping (SystemError) -> E,
        make: @escaping (UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(chunk > 0, "chunk must be 1 or more")
        return watching(.several([.count(Int(descriptor)), .count(chunk)])) {
            BytesRun($0, queue, chunk, make, failure)
        } _: { () throws(SystemError) in
            try .of(descriptor, for: .readable, queue)
        }
    }

    /// Like `bytes`, for the datagrams of a socket. The caller makes a value of the data and the address.
    static func datagrams(
        of socket: Int32, limit: Int, queue: Queue, failure: @escaping (SystemError) -> E,
        make: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> T
    ) -> Signal {
        precondition(limit > 0, "limit must be 1 or more")
        let head = MemoryLayout<sgk_shim_received>.size
        return watching(.several([.count(Int(socket)), .count(limit)])) {
            BytesRun(
                $0, queue, head + limit, receives: true,
                { bytes in
                    let start = bytes.baseAddress.unsafelyUnwrapped, size = start.load(as: sgk_shim_received.self).size
                    return make(
                        UnsafeRawBufferPointer(start: start + head, count: bytes.count - head),
                        UnsafeRawBufferPointer(start: start + head - Int(SGK_SHIM_ADDRESS), count: size))
                }, failure)
        } _: { () throws(SystemError) in
            try .receiving(from: socket)
        }
    }
}
