import SignalKitSupport

// Process-wide objects have locks. This function takes the locks before a fork, and both processes release them after
// it. Therefore the child, which has a single thread, finds consistent objects and free locks.

@_cdecl("sgk_support_before_fork")
public func sgk_support_before_fork() {
    Log.handler.lock.lock()
    Unhandled.handler.lock.lock()
    if sgk_support_is_debug() {
        Registry.ledger.lock.lock()
        Ownership.ledger.lock.lock()
    }
    Tracing.handler.lock.lock()
    Records.all.lock.lock()
    QueueTally.all.lock.lock()
    Demand.lock.lock()
    Membership.lock.lock()
}

@_cdecl("sgk_support_after_fork")
public func sgk_support_after_fork() {
    Membership.lock.unlock()
    Demand.lock.unlock()
    QueueTally.all.lock.unlock()
    Records.all.lock.unlock()
    Tracing.handler.lock.unlock()
    if sgk_support_is_debug() {
        Ownership.ledger.lock.unlock()
        Registry.ledger.lock.unlock()
    }
    Unhandled.handler.lock.unlock()
    Log.handler.lock.unlock()
}
