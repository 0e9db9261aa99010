import SignalKitShims

/// How a thread that has worked looks for more before it sleeps: what comes soon comes sooner, and without a system
/// call.
enum Look {
    /// Seconds.
    private static var longest: Double { 10e-6 }

    /// Whether what is looked for can come meanwhile: there is a processor for who brings it.
    static var isOfUse: Bool { WorkerPool.processors > 1 }

    /// Looks for some microseconds. Yields meanwhile: a thread on this processor may be about to bring it.
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
