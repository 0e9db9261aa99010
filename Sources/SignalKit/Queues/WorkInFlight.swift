import SignalKitShims

/// Counts the work of the library's own queues that has not run and been let go yet. `sgk_drain` waits until there is
/// none. A timer counts while it fires, not while it waits for its time. Both numbers only grow.
enum WorkInFlight {
    static var isNone: Bool { sgk_shim_left(UInt32(SGK_SHIM_WORK_BEGUN), 1) <= 0 }

    @inline(__always)
    static func begin() { sgk_shim_count(UInt32(SGK_SHIM_WORK_BEGUN), 1) }

    /// Called when the work has been let go.
    @inline(__always)
    static func end() { sgk_shim_count(UInt32(SGK_SHIM_WORK_ENDED), 1) }

    /// In the child of a fork: what had begun is the parent's.
    static func startAgain() {
        sgk_shim_count_anew(UInt32(SGK_SHIM_WORK_BEGUN))
        sgk_shim_count_anew(UInt32(SGK_SHIM_WORK_ENDED))
    }
}
