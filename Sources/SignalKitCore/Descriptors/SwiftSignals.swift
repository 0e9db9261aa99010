// The signals for Swift programs, with values of Swift types. (The library for C defines its own types.)
#if !hasFeature(Embedded)
import SignalKitShims

// All these signals are cold. A subscription duplicates the descriptor at its start, watches the duplicate, and closes
// it at the end. (A connection belongs to the library: its first reader and its first writer use its number.) The
// program may close its descriptor after the start. The work runs on the queue. A subscription reads once, emits the
// result, and only then watches again. So a slow callback delays the writing side.

extension Signal where T == String, E == SystemError {
    /// Emits lines, each without its newline. The bytes after the last newline are a line, unless there are none.
    /// Invalid UTF-8 is repaired. A line of more than `limit` bytes fails the subscription with EMSGSIZE.
    public static func lines(
        of descriptor: Int32, limit: Int = 1 << 16, queue: Queue
    ) -> Signal<String, SystemError> {
        lines(of: descriptor, limit: limit, queue: queue, failure: identity) { String(decoding: $0, as: UTF8.self) }
    }

    /// Emits the lines that are appended to a file, like the command `tail -F`. It follows the name: after a rotation
    /// it reads the rest of the old file, and then the new one. After a truncation it reads from the beginning. It
    /// waits as long as there is no file. An incomplete line waits for its newline, or for the end of its file.
    /// Completes when the folder is deleted or renamed. Only on Linux.
    ///
    /// - Parameter fromStart: whether it begins with the content that the file has at the start.
    public static func fileLines(
        at path: String, fromStart: Bool = false, limit: Int = 1 << 16, queue: Queue
    ) -> Signal<String, SystemError> {
        fileLines(
            fromStart: fromStart, limit: limit, queue: queue, path: { open in path.withCString(open) },
            failure: identity
        ) { String(decoding: $0, as: UTF8.self) }
    }
}

extension Signal where T == [UInt8], E == SystemError {
    /// Emits bytes as they arrive, at most `chunk` at a time. For datagram sockets use `datagrams(of:limit:queue:)`.
    public static func bytes(
        of descriptor: Int32, chunk: Int = 1 << 16, queue: Queue
    ) -> Signal<[UInt8], SystemError> {
        bytes(of: descriptor, chunk: chunk, queue: queue, failure: identity) { [UInt8]($0) }
    }
}

/// A message of a socket that keeps the boundaries of messages, such as one for UDP.
public struct Datagram: Sendable, Equatable {
    /// Its content, which may be empty.
    public var data: [UInt8]
    /// The bytes of the other side's socket address, such as a `sockaddr_in`. Empty: it has none, or the connected one.
    public var address: [UInt8]

    /// Creates a datagram to send.
    public init(_ data: [UInt8], address: [UInt8] = []) {
        self.data = data
        self.address = address
    }
}

extension Signal where T == Datagram, E == SystemError {
    /// Emits the datagrams of a socket, with the addresses of their senders. To send them back, pass them to `write`
    /// with the same socket.
    ///
    /// A datagram of more than `limit` bytes fails the subscription with EMSGSIZE. Completes after a shutdown, or when
    /// the other side of a SOCK_SEQPACKET has closed.
    public static func datagrams(
        of socket: Int32, limit: Int = 1 << 16, queue: Queue
    ) -> Signal<Datagram, SystemError> {
        datagrams(of: socket, limit: limit, queue: queue, failure: identity) {
            Datagram([UInt8]($0), address: [UInt8]($1))
        }
    }
}

extension Signal where T == Readiness, E == SystemError {
    /// Emits the readiness of a descriptor. It emits again after the callbacks have returned, as long as the descriptor
    /// is ready.
    ///
    /// Completes when only the hang-up of the other side is left. Fails with the pending error of a socket, and with
    /// EPIPE if no process reads the written bytes.
    public static func readiness(
        of descriptor: Int32, for interest: Readiness, queue: Queue
    ) -> Signal<Readiness, SystemError> {
        precondition(
            !interest.isEmpty && interest.isSubset(of: [.readable, .writable]),
            "interest must contain .readable or .writable, and nothing else")
        return readiness(of: descriptor, for: interest, queue: queue, failure: identity, make: identity)
    }
}

extension Signal where T == Int32, E == SystemError {
    /// Emits the exit status of a child process, or the negative number of the signal that ended it, then completes. It
    /// reaps this child, and no other. Only on Linux.
    public static func child(_ process: Int32, queue: Queue) -> Signal<Int32, SystemError> {
        child(process, queue: queue, failure: identity, make: identity)
    }
}

extension Signal where T == Int, E == SystemError {
    /// Emits 0 when the system's wall clock reaches a time, in seconds since 1970, then completes. A time in the past
    /// is reached at once. If somebody sets the clock in the meantime, the new time counts. Only on Linux.
    public static func wallClockTimer(unixTime: Double, queue: Queue) -> Signal<Int, SystemError> {
        precondition(unixTime.isFinite, "unixTime must be finite")
        return wallClockTimer(unixTime: unixTime, queue: queue, failure: identity) { Int($0) }
    }
}

extension Signal where T == FileChange, E == SystemError {
    /// Emits the changes of a file, or of a folder and its entries. Completes when it is deleted. Fails with ENOBUFS if
    /// changes were lost because there were too many. Only on Linux.
    public static func fileChanges(
        at path: String, for kinds: FileChange.Kinds, queue: Queue
    ) -> Signal<FileChange, SystemError> {
        fileChanges(
            kinds.rawValue, queue: queue, path: { open in path.withCString(open) }, failure: identity, make: T.init)
    }
}

/// Writes the values of a signal to a descriptor, on `queue`. It emits nothing. It completes or fails like the signal,
/// after all bytes were written. SIGPIPE is never sent. On a socket for datagrams each value is one.
///
/// At most `limit` bytes are pending, in addition to an equal number that is being written. `overflow` decides what
/// happens to a further value:
///
/// - `.suspend` blocks the emitting thread until there is space. On the queue itself that would be a deadlock, so the
///   subscription fails with ENOBUFS.
/// - `.pause` pauses the source at the limit, and resumes it when the pending bytes are being written.
/// - `.fail` fails the subscription immediately, and drops the pending bytes.
///
/// The other policies are not allowed, also after a pause, because a value may be a part of a message. To drop values,
/// use `deliverOn(_:limit:overflow:)` before, and `.pause` here.
///
/// - Parameters:
///   - closes: if true, the subscription takes ownership of the descriptor and closes it at the end. Otherwise it uses
///     a duplicate, or the number of a connection.
///   - limit: the maximum number of pending bytes.
///   - overflow: the policy for a value above `limit`.
///   - counter: counts blocked threads, values above the limit, and the value that fails the subscription.
public func write(
    to descriptor: Int32, closes: Bool = false, queue: Queue, limit: Int = 1 << 16,
    overflow: OverflowPolicy<SystemError>, counter: OverflowCounter? = nil
) -> (Signal<String, SystemError>) -> Signal<NoValue, SystemError> {
    write(
        to: descriptor, takes: closes, queue: queue, limit: limit, overflow: overflow, counter: counter,
        failure: identity
    ) {
        $1.append(contentsOf: $0.utf8)
        return 0
    }
}

/// Like `write` of strings, for bytes.
public func write(
    to descriptor: Int32, closes: Bool = false, queue: Queue, limit: Int = 1 << 16,
    overflow: OverflowPolicy<SystemError>, counter: OverflowCounter? = nil
) -> (Signal<[UInt8], SystemError>) -> Signal<NoValue, SystemError> {
    write(
        to: descriptor, takes: closes, queue: queue, limit: limit, overflow: overflow, counter: counter,
        failure: identity
    ) {
        $1.append(contentsOf: $0)
        return 0
    }
}

/// Like `write` of strings, for datagrams. On another descriptor than a socket for datagrams, an address is an error.
public func write(
    to descriptor: Int32, closes: Bool = false, queue: Queue, limit: Int = 1 << 16,
    overflow: OverflowPolicy<SystemError>, counter: OverflowCounter? = nil
) -> (Signal<Datagram, SystemError>) -> Signal<NoValue, SystemError> {
    write(
        to: descriptor, takes: closes, queue: queue, limit: limit, overflow: overflow, counter: counter,
        failure: identity
    ) {
        $1.append(contentsOf: $0.address)
        $1.append(contentsOf: $0.data)
        return $0.address.count
    }
}
#endif
