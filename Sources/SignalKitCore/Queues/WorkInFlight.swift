import SignalKitShims

/// Counts the work of the library's queues until it has run and was released. `sgk_drain` waits until there is none
/// left. A timer counts while it fires, but not while it is pending. Both numbers only increase.
enum WorkInFlight {
    static var isNone: Bool { sgk_shim_left(UInt32(SGK_SHIM_WORK_BEGUN), 1) <= 0 }

    @inline(__always)
    static func begin() { sgk_shim_count(UInt32(SGK_SHIM_WORK_BEGUN), 1) }

    /// Called after the release of the work.
    @inline(__always)
    static func end() { sgk_shim_count(UInt32(SGK_SHIM_WORK_ENDED), 1) }

    /// Called in the child of a fork. Earlier work belongs to the parent.
    static func startAgain() {
        sgk_shim_count_anew(UInt32(SGK_SHIM_WORK_BEGUN))
        sgk_shim_count_anew(UInt32(SGK_SHIM_WORK_ENDED))
    }
}
