import Foundation

/// Runs `body` on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}

/// Runs `body` on a new thread and waits for it; gives up after `timeout` seconds, which is how a test notices a deadlock.
/// - Returns: whether it came to its end.
func finishes(timeout: Double = 300, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = Tally()
    startThread {
        body()
        done.up()
    }
    return eventually(timeout: timeout) { done.value == 1 }
}

/// Runs `body(0)` … `body(count - 1)` on threads of their own at the same time, and waits for all of them.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ready = Tally()
    let done = Tally()
    for index in 0..<count {
        startThread {
            ready.up()
            while ready.value < count { sched_yield() }
            body(index)
            done.up()
        }
    }
    _ = eventually { done.value == count }
    precondition(done.value == count, "threads of a test hang")
}
