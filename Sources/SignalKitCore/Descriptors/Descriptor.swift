import SignalKitShims

/// A failed system call, and its `errno`.
public struct SystemError: Error, Sendable {
    /// The value of `errno`.
    public let code: Int32
    /// The name of the call, for example "read" or "epoll_ctl". It includes the reason where that is known.
    public let call: StaticString

    /// - Parameters:
    ///   - code: may contain another call, as SGK_SHIM_IN_….
    ///   - call: the usual one.
    @inline(never)
    init(_ code: Int32, _ call: StaticString) {
        self.code = code & 0xFFFF
        switch Int(code & ~0xFFFF) {
        case SGK_SHIM_IN_PIPE: self.call = "pipe2"
        case SGK_SHIM_IN_PIDFD: self.call = "pidfd_open"
        case SGK_SHIM_IN_WAIT: self.call = "waitid"
        case SGK_SHIM_IN_THREAD: self.call = "pthread_create"
        case SGK_SHIM_IN_SET: self.call = "epoll_create1"
        default: self.call = call
        }
    }
}

#if !hasFeature(Embedded)
extension SystemError: CustomStringConvertible, Equatable {
    public var description: String { "\(call): \(String(cString: sgk_shim_error_text(code)))" }

    public static func == (a: SystemError, b: SystemError) -> Bool {
        a.code == b.code && a.call.description == b.call.description
    }
}
#endif

/// The descriptor of a subscription, a duplicate of the program's. So the program may close its own, and reuse the
/// number, while the subscription continues. It also allows several subscriptions to watch one descriptor, because a
/// set accepts each number once. It is closed after its last use.
final class Descriptor: Sendable {
    let number: Int32
    /// The file that the subscription follows, if it does. The number reports the changes then.
    nonisolated(unsafe) let tail: OpaquePointer?
    /// The program that the subscription has started, if it has. The number reports its end then.
    nonisolated(unsafe) let process: OpaquePointer?
    /// The folders in which the subscription sees changes, if it does. The number reports the changes then.
    nonisolated(unsafe) let changes: OpaquePointer?

    init(
        _ number: Int32, tail: OpaquePointer? = nil, process: OpaquePointer? = nil, changes: OpaquePointer? = nil
    ) {
        self.number = number
        self.tail = tail
        self.process = process
        self.changes = changes
    }

    deinit {
        sgk_shim_tail_close(tail)
        sgk_shim_process_free(process)
        sgk_shim_changes_free(changes)
        sgk_shim_fd_close(number)
    }

    /// Takes a descriptor that was opened for the subscription. A negative number is an error.
    static func opened(_ number: Int32, by call: StaticString) throws(SystemError) -> Descriptor {
        if number < 0 { throw SystemError(-number, call) }
        return Descriptor(number)
    }

    static func duplicate(of number: Int32) throws(SystemError) -> Descriptor {
        try opened(sgk_shim_fd_duplicate(number), by: "dup")
    }

    static func receiving(from socket: Int32) throws(SystemError) -> Descriptor {
        try opened(sgk_shim_socket_of_datagrams(socket), by: "recvmsg")
    }

    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func following(
        _ path: ((UnsafePointer<CChar>) -> Int32) -> Int32, fromStart: Bool
    ) throws(SystemError) -> Descriptor {
        var tail: OpaquePointer?
        let number = path { sgk_shim_tail_open($0, fromStart, &tail) }
        if number < 0 { throw SystemError(-number, "open") }
        return Descriptor(number, tail: tail)
    }

    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func watching(
        _ path: ((UnsafePointer<CChar>) -> Int32) -> Int32, _ mask: UInt32
    ) throws(SystemError) -> Descriptor {
        var changes: OpaquePointer?
        let number = path { sgk_shim_changes_open($0, mask, &changes) }
        if number < 0 { throw SystemError(-number, "inotify_add_watch") }
        return Descriptor(number, changes: changes)
    }

    /// - Parameter start: calls `sgk_shim_process_start`.
    static func starting(
        _ start: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(SystemError) -> Descriptor {
        var process: OpaquePointer?
        let number = start(&process)
        if number < 0 { throw SystemError(-number, "posix_spawn") }
        return Descriptor(number, process: process)
    }
}

/// The operations for which a descriptor is ready.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A read would not block: there are bytes, the end, or a connection to accept.
    public static var readable: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_READ)) }
    /// A write would not wait.
    public static var writable: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_WRITE)) }
    /// The other side has hung up. It is always reported, even if it was not requested.
    public static var hangUp: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_HANG_UP)) }

    /// An error waits at the descriptor.
    static var error: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_FAULT)) }
}
