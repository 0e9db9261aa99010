import Foundation

/// What happened, in order; from any thread.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) {
        lock.lock()
        lines.append(line)
        lock.unlock()
    }

    var entries: [String] {
        lock.lock()
        defer { lock.unlock() }
        return lines
    }

    var text: String { entries.joined(separator: " ") }
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
        let status = pthread_create(&thread, nil, { context in
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
