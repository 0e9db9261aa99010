import Foundation
@testable import SignalKit

/// A queue whose time moves only when a test says so. Work runs inside `advance` (or `runPending`), on the thread that calls it.
final class VirtualExecutor: Executor, @unchecked Sendable {
    private struct Entry {
        let time: Double
        let order: Int
        let work: () -> Void
    }

    private let lock = NSRecursiveLock()
    private var entries: [Entry] = []
    private var order = 0
    private var time = 0.0
    private var runner: Foundation.Thread?
    /// How far the wall clock is ahead of this clock, in seconds: time that the system has slept.
    var slept = 0.0

    lazy var queue = Queue(executor: self)

    override var isCurrent: Bool { locked { runner === Foundation.Thread.current } }
    override var now: Double { locked { time } }
    override var wallNow: Double { locked { 1_000_000 + time + slept } }

    override func enqueue(_ work: @escaping () -> Void) { add(after: 0, work) }

    override func enqueueAndWait(_ work: () -> Void) { work() }

    override func schedule(after delay: Double, every interval: Double?, _ work: @escaping () -> Void) -> any Disposable {
        let scheduled = ScheduledWork(repeats: interval != nil, work)
        add(scheduled, after: delay, every: interval)
        return scheduled
    }

    private func add(_ scheduled: ScheduledWork, after delay: Double, every interval: Double?) {
        add(after: max(delay, 0)) {
            scheduled.fire()
            if let interval { self.add(scheduled, after: interval, every: interval) }
        }
    }

    private func add(after delay: Double, _ work: @escaping () -> Void) {
        locked {
            order += 1
            entries.append(Entry(time: time + delay, order: order, work: work))
        }
    }

    /// How many blocks and timers wait, disposed timers included.
    var pendingCount: Int { locked { entries.count } }

    func runPending() { advance(by: 0) }

    /// Moves time on, running what becomes due in its order.
    func advance(by seconds: Double) {
        let end = locked { time + seconds }
        while let work = takeNext(until: end) {
            let before = locked { () -> Foundation.Thread? in
                defer { runner = .current }
                return runner
            }
            work()
            locked { runner = before }
        }
        locked { time = max(time, end) }
    }

    private func takeNext(until end: Double) -> (() -> Void)? {
        locked {
            let due = entries.indices.filter { entries[$0].time <= end }
            guard let index = due.min(by: { (entries[$0].time, entries[$0].order) < (entries[$1].time, entries[$1].order) }) else { return nil }
            time = max(time, entries[index].time)
            return entries.remove(at: index).work
        }
    }

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
