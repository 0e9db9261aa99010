import Foundation
@testable import SignalKitCore

/// How a synchronous source ends.
enum SyncEnd<E> {
    case open
    case completed
    case failed(E)
}

/// A source that emits `values` inside its generator; logs `S` and `D` with its name.
func sync<T, E>(_ name: String, _ log: Log, _ values: [T], _ end: SyncEnd<E>) -> Signal<T, E> {
    Signal { subscriber in
        log.add("S" + name)
        for value in values { subscriber.putNext(value) }
        switch end {
        case .open: break
        case .completed: subscriber.putCompletion()
        case let .failed(error): subscriber.putError(error)
        }
        return ActionDisposable { log.add("D" + name) }
    }
}

extension Signal {
    /// Starts, and logs `N`, `E` with the value, and `C`.
    func start(_ log: Log) -> any Disposable {
        start(next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
    }

    /// The log of one subscription, for signals that do everything inside `start`, if the given source does.
    func trace() -> String {
        let log = Log()
        let handle = start(log)
        defer { handle.dispose() }
        return log.text
    }
}

/// Runs `body` on a thread with a stack of 256 KiB, or `size` bytes, and waits: what recurses for each of many rounds dies there.
func onSmallStack(of size: Int = 256 * 1024, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Foundation.Thread {
        body()
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
}

/// The number of rounds that shows that an operation needs no stack: a million, or in a debug build enough to overflow
/// a small stack a dozen times.
#if DEBUG
let manyRounds = 30_000
#else
let manyRounds = 1_000_000
#endif
