import SignalKitShims

/// How much work the queues have been given that has not come to its end, and been let go, yet: who wants to see whether everything is gone
/// knows by that when to look. A timer counts while it fires, not while it waits for its time. Both numbers only grow.
enum WorkInFlight {
    /// What has ended is looked at first: if as much has begun by then, there was a moment in between when everything had ended.
    static var isNone: Bool {
        let ended = sgk_shim_counted(UInt32(SGK_SHIM_WORK_ENDED))
        return sgk_shim_counted(UInt32(SGK_SHIM_WORK_BEGUN)) <= ended
    }

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
