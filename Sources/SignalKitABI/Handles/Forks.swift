import SignalKitSupport

// What the whole process shares has locks of its own. They are held while it forks: so the child, in which no other
// thread is left to open them, finds them open, and what they protect whole.

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
}

@_cdecl("sgk_support_after_fork")
public func sgk_support_after_fork() {
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
