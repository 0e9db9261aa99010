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
