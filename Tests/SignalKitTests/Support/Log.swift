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

/// Lets `count` threads run `body` at the same time and waits for all of them.
func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = DispatchGroup(), end = DispatchGroup()
    start.enter()
    for index in 0..<count {
        end.enter()
        Foundation.Thread.detachNewThread {
            start.wait()
            body(index)
            end.leave()
        }
    }
    start.leave()
    end.wait()
}
