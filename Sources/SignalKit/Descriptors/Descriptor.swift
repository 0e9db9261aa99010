import SignalKitShims

/// What the system has refused: the number that C calls `errno`, and the call.
public struct SystemError: Error, Sendable {
    /// The number: what `errno` was.
    public let code: Int32
    /// The name of the call: "read", "epoll_ctl"; with what was wrong, where that can be known.
    public let call: StaticString

    init(_ code: Int32, _ call: StaticString) {
        self.code = code
        self.call = call
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

/// A descriptor of a run's own: another one of what the program's stands for. So the program may close its own, and its
/// number may come to stand for something else, while the run goes on with what it began with; and several runs of one
/// descriptor can be watched, where a set takes each number once. It is closed when nothing uses it any more.
final class Descriptor: Sendable {
    let number: Int32

    private init(_ number: Int32) { self.number = number }

    deinit { sgk_shim_fd_close(number) }

    /// One that was opened for the run, or a negative error.
    static func opened(_ number: Int32, by call: StaticString) throws(SystemError) -> Descriptor {
        if number < 0 { throw SystemError(-number, call) }
        return Descriptor(number)
    }

    static func duplicate(of number: Int32) throws(SystemError) -> Descriptor {
        try opened(sgk_shim_fd_duplicate(number), by: "dup")
    }
}

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A read would not wait: there are bytes, the end, or a connection to accept.
    public static var readable: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_READ)) }
    /// A write would not wait.
    public static var writable: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_WRITE)) }
    /// The other side is gone. Told with the others, whether it was asked for or not.
    public static var hangUp: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_HANG_UP)) }

    /// An error waits at the descriptor.
    static var error: Readiness { Readiness(rawValue: UInt32(SGK_SHIM_FAULT)) }
}
