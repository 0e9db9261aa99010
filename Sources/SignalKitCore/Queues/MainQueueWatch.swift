import SignalKitShims
import Synchronization

/// Warns the developer once if the main queue has work and no thread runs it.
///
/// It gives no false alarm, because a main thread that computes may still return to its loop. It warns if the main
/// thread was blocked elsewhere for seconds, or at the end of the program. It never warns after work of the main queue
/// has run.
final class MainQueueWatch: @unchecked Sendable {
    static let shared = MainQueueWatch()

    private enum State {
        static var quiet: UInt8 { 0 }
        /// Work has been sent, and none has run yet.
        static var waiting: UInt8 { 1 }
        /// The queue is being run, or the warning was written.
        static var settled: UInt8 { 2 }
    }

    private let state = Synchronization.Atomic<UInt8>(State.quiet)

    var isWaiting: Bool { state.load(ordering: .acquiring) == State.waiting }

    /// Work has been sent to the main queue.
    @inline(__always)
    func sent() {
        if state.load(ordering: .relaxed) == State.quiet { begin() }
    }

    /// Work of the main queue runs, or the call that runs it has begun.
    @inline(__always)
    func settle() {
        if state.load(ordering: .relaxed) != State.settled { state.store(State.settled, ordering: .releasing) }
    }

    @inline(never)
    private func begin() {
        let (isFirst, _) = state.compareExchange(
            expected: State.quiet, desired: State.waiting, ordering: .acquiringAndReleasing)
        if !isFirst { return }
        sgk_shim_at_exit { if MainQueueWatch.shared.isWaiting { Warnings.complain(MainQueueWatch.text) } }
        look(MainThreadRest())
    }

    private func look(_ rest: MainThreadRest) {
        var rest = rest
        Queue.concurrentBackgroundQueue().after(1) {
            if !self.isWaiting { return }
            if rest.isBlocked(at: sgk_shim_main_thread_cpu_time()) { self.tell() } else { self.look(rest) }
        }
    }

    private func tell() {
        if state.exchange(State.settled, ordering: .acquiringAndReleasing) == State.waiting {
            Warnings.sink(MainQueueWatch.text)
        }
    }

    private static let text: CString = """
        work waits on the main queue, and no thread runs it. On the main thread, call sgk_main_run, or sgk_main_drain \
        in your own loop (run_main, drain_main or similar in other languages); in Swift, use dispatchMain(), a RunLoop \
        or an asynchronous main
        """
}

/// Detects a blocked main thread. It is blocked if it used almost no processor time before each of two successive
/// checks.
struct MainThreadRest {
    private var last = Int64.min
    private var restful = 0

    mutating func isBlocked(at time: Int64) -> Bool {
        restful = time < last + 20_000_000 ? restful + 1 : 0
        last = time
        return restful == 2
    }
}
