import Foundation

/// Runs `body` on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}

/// Runs `body` on a new thread and waits for it; gives up after `timeout` seconds, which is how a test notices a deadlock.
/// - Returns: whether it came to its end.
func finishes(timeout: Double = 20, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = Counter()
    startThread {
        body()
        done.up()
    }
    return eventually(timeout: timeout) { done.value == 1 }
}
