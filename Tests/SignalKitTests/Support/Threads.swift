import Foundation

/// Runs `body` on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}

/// Runs `body` on a new thread and waits for it, at most `timeout` seconds, to detect deadlocks.
/// - Returns: whether `body` has returned.
func finishes(timeout: Double = 300, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = Tally()
    startThread {
        body()
        done.up()
    }
    return eventually(timeout: timeout) { done.value == 1 }
}

/// Lets `count` threads run `body` at the same time, and joins them: nothing of theirs is alive when this returns.
func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    final class Runner: Sendable {
        let start: DispatchSemaphore, ready: DispatchSemaphore
        let run: @Sendable () -> Void
        init(_ start: DispatchSemaphore, _ ready: DispatchSemaphore, _ run: @escaping @Sendable () -> Void) {
            self.start = start
            self.ready = ready
            self.run = run
        }
    }
    let start = DispatchSemaphore(value: 0), ready = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    for index in 0..<count {
        let runner = Unmanaged.passRetained(Runner(start, ready) { body(index) })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                let runner = Unmanaged<Runner>.fromOpaque(context!).takeRetainedValue()
                runner.ready.signal()
                runner.start.wait()
                runner.run()
                return nil
            }, runner.toOpaque())
        precondition(status == 0)
        threads.append(thread)
    }
    for _ in threads { ready.wait() }
    for _ in threads { start.signal() }
    for thread in threads { pthread_join(thread, nil) }
}
