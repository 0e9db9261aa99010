import Foundation
@testable import SignalKitCore
import SignalKitShims
import Testing

/// The queues of the library for C. (Those of Swift programs are dispatch queues; the C suite has more tests of these.)
@Suite struct WorkerPoolTests {
    private func serial() -> Queue { Queue(executor: SerialExecutor(PoolJobQueue(WorkerPool.standard))) }
    private var concurrent: Queue { Queue(executor: ConcurrentExecutor(WorkerPool.standard)) }

    @Test func whatThreadsPutRunsOnceInTheirOrder() {
        let queue = serial()
        final class Seen: @unchecked Sendable { var all: [[Int]] = [[], [], [], []] }
        let seen = Seen()
        race(4) { thread in
            for number in 0..<2000 {
                if number % 10 == 9 {
                    queue.sync { seen.all[thread].append(number) }
                } else {
                    queue.justDispatch { seen.all[thread].append(number) }
                }
            }
        }
        queue.sync { #expect(queue.isCurrent() && seen.all == Array(repeating: Array(0..<2000), count: 4)) }
        #expect(!queue.isCurrent())
    }

    @Test func aWaitOnAnIdleQueueRunsOnTheCallersThread() {
        let queue = serial()
        let inside = Recorded<Bool>()
        let caller = Thread.current
        queue.sync { inside.add(Thread.current === caller && queue.isCurrent()) }
        concurrent.sync { inside.add(Thread.current === caller) }
        #expect(inside.all == [true, true])
    }

    @Test func blockedQueuesGetThreads() {
        let open = Tally(), waiting = Tally(), ran = Tally()
        let blocked = (0..<20).map { _ in serial() }
        for queue in blocked {
            queue.justDispatch {
                waiting.up()
                #expect(eventually { open.value == 1 })
                ran.up()
            }
        }
        #expect(eventually { waiting.value == 20 })
        let other = serial()
        other.sync { ran.up() }
        #expect(ran.value == 1)
        open.up()
        #expect(eventually { ran.value == 21 })
    }

    @Test func workWaitsForItselfByWayOfAnotherQueue() {
        let first = serial(), second = serial()
        let held = Recorded<Bool>()
        for isBusy in [false, true] {
            let release = Tally()
            if isBusy { second.justDispatch { _ = eventually { release.value == 1 } } }
            first.justDispatch {
                second.sync {
                    held.add(first.executor.runAndWait({}) == nil)
                    held.add(first.isCurrent())
                    held.add(second.executor.runAndWait({}) == nil)
                }
            }
            release.up()
            #expect(eventually { held.count == (isBusy ? 6 : 3) })
        }
        #expect(held.all == [true, false, false, true, false, false])
    }

    @Test func aQueueThatIsLetGoFinishesItsWork() {
        let tracker = LifetimeTracker()
        let ran = Tally()
        do {
            let queue = serial()
            for _ in 0..<3000 {
                queue.justDispatch { [tracked = tracker.make()] in
                    tracked.touch()
                    ran.up()
                }
            }
        }
        #expect(eventually { ran.value == 3000 && tracker.live == 0 })
    }

    /// Except on Linux, threads share places to sleep: they are repeatedly woken without need.
    @Test func threadsThatAreWokenForNothingStay() {
        let pool = WorkerPool(threads: 3, nice: 0)
        let words = [UInt32](repeating: 0, count: 4096)
        for round in 1...50 {
            words.withUnsafeBytes { words in
                for place in stride(from: 0, to: words.count, by: 4) {
                    sgk_shim_futex_wake_all(UInt(bitPattern: words.baseAddress! + place))
                }
            }
            let ran = Tally()
            pool.put(ClosureJob { ran.up() })
            #expect(eventually { ran.value == 1 })
            #expect(pool.threadCount == 3, "round \(round)")
        }
        pool.shutDown()
    }

    @Test func theMainQueueOfALoop() {
        let line = MainJobQueue(nil)
        let queue = Queue(executor: SerialExecutor(line))
        let ran = Recorded<Int>()
        func isReadable() -> Bool {
            var ready = pollfd(fd: line.readable(), events: Int16(POLLIN), revents: 0)
            return poll(&ready, 1, 0) == 1
        }
        queue.justDispatch { ran.add(1) }
        #expect(isReadable()) // although it was not watched when the work arrived
        line.drain()
        #expect(!isReadable() && ran.all == [1])
        queue.justDispatch {
            ran.add(2)
            queue.justDispatch { ran.add(3) }
            line.drain() // in the midst of the work it does nothing
            ran.add(4)
        }
        line.drain()
        #expect(ran.all == [1, 2, 4] && isReadable())
        line.drain()
        #expect(ran.all == [1, 2, 4, 3] && !isReadable())
        line.stop()
        #expect(line.runUntilStopped())
    }
}
