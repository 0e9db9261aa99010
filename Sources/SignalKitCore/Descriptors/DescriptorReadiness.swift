import SignalKitShims

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
