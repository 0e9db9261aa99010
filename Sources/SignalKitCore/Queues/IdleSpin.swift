import SignalKitShims

/// The short search of a thread for more work before it sleeps. Work that arrives soon starts sooner, without a system
/// call.
enum IdleSpin {
    /// Seconds.
    private static var longest: Double { 10e-6 }

    /// True if another processor can produce work during the search.
    static var isOfUse: Bool { WorkerPool.processors > 1 }

    /// Searches for some microseconds. It yields, because a thread on this processor may be about to produce the work.
    @inline(__always)
    static func briefly(until isFound: () -> Bool) {
        let end = DeadlineClock.now + longest
        repeat {
            for _ in 0..<32 {
                if isFound() { return }
                sgk_shim_pause()
            }
            sgk_shim_yield()
        } while DeadlineClock.now < end
    }
}
