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
