import Foundation
@testable import SignalKitCore
import Testing

@Suite struct ThreadPoolTests {
    @Test func waitingForAPoolThatIsShutDownCanBeTried() {
        let pool = ThreadPool(threadCount: 1)
        let queue = pool.nextQueue().asQueue()
        let ran = Tally()
        #expect(queue.trySync { ran.up() })
        pool.shutdown()
        #expect(!queue.trySync { ran.up() })
        #expect(ran.value == 1)
        #expect(Queue.concurrentDefaultQueue().trySync { ran.up() })
    }

    // Covers: SW-102, SW-103, SW-104, SW-106, SW-107, OC-51, OC-52, OC-55, C-137
    @Test func aQueueRunsItsTasksInOrderWithoutOverlap() {
        let pool = ThreadPool(threadCount: 3, threadPriority: 0.5)
        let queue = ThreadPoolQueue(threadPool: pool)
        let log = Recorded<Int>()
        let running = Tally()
        let ended = Tally()
        for index in 0..<60 {
            queue.addTask(
                ThreadPoolTask { _ in
                    #expect(running.up() - ended.value == 1)
                    log.add(index)
                    ended.up()
                })
        }
        #expect(eventually { log.count == 60 })
        #expect(log.all == Array(0..<60))
    }

    // Covers: SW-97, SW-98, SW-100, OC-46, OC-47, OC-49, C-137
    @Test func twoQueuesRunSideBySide() {
        let pool = ThreadPool(threadCount: 2, threadPriority: 0.2)
        let met = Tally()
        for queue in [pool.nextQueue(), pool.nextQueue()] {
            queue.addTask(
                ThreadPoolTask { _ in
                    met.up()
                    // Each waits for the other: with one thread this would not come to its end.
                    #expect(eventually { met.value >= 2 })
                    met.up()
                })
        }
        #expect(eventually { met.value == 4 })
        let byDefault = ThreadPool()
        let ran = Tally()
        byDefault.addTask(ThreadPoolTask { _ in ran.up() })
        #expect(eventually { ran.value == 1 })
    }

    // Covers: SW-98
    @Test func roundRobinBetweenQueues() {
        let pool = ThreadPool(threadCount: 1, threadPriority: 0.5)
        let log = Recorded<String>()
        let release = Tally()
        let first = pool.nextQueue()
        let second = pool.nextQueue()
        first.addTask(ThreadPoolTask { _ in _ = eventually { release.value == 1 } })
        for index in 0..<3 {
            first.addTask(ThreadPoolTask { _ in log.add("a\(index)") })
            second.addTask(ThreadPoolTask { _ in log.add("b\(index)") })
        }
        release.up()
        #expect(eventually { log.count == 6 })
        #expect(log.all == ["b0", "a0", "b1", "a1", "b2", "a2"])
    }

    // Covers: SW-108, SW-109, SW-110, SW-111, OC-56, OC-57, C-137
    @Test func executeAndCancel() {
        let ran = Tally()
        let task = ThreadPoolTask { state in
            #expect(!state.cancelled.with { $0 })
            ran.up()
        }
        task.execute()
        task.execute()
        #expect(ran.value == 2)
        task.cancel()
        task.execute()
        #expect(ran.value == 2)

        // During its execution, from outside and from inside, it is visible only in the state.
        let pool = ThreadPool(threadCount: 1, threadPriority: 0.5)
        let begun = Tally()
        let seen = Tally()
        let running = ThreadPoolTask { state in
            begun.up()
            if eventually({ state.cancelled.with { $0 } }) { seen.up() }
        }
        let skipped = ThreadPoolTask { _ in Issue.record("it was cancelled") }
        let queue = pool.nextQueue()
        queue.addTask(running)
        queue.addTask(skipped)
        skipped.cancel()
        #expect(eventually { begun.value == 1 })
        running.cancel()
        let after = Tally()
        queue.addTask(ThreadPoolTask { _ in after.up() })
        #expect(eventually { after.value == 1 })
        #expect(seen.value == 1)

        final class Reference: @unchecked Sendable { weak var task: ThreadPoolTask? }
        let reference = Reference()
        let selfCancelling = ThreadPoolTask { state in
            reference.task?.cancel()
            if state.cancelled.with({ $0 }) { seen.up() }
        }
        reference.task = selfCancelling
        selfCancelling.execute()
        selfCancelling.execute()
        #expect(seen.value == 2)
    }

    // Covers: SW-99, SW-101, SW-105, OC-48, C-137
    @Test func membershipIdentityAndNesting() {
        let pool = ThreadPool(threadCount: 1, threadPriority: 0.5)
        let other = ThreadPool(threadCount: 1, threadPriority: 0.5)
        let log = Recorded<String>()
        #expect(!pool.isCurrentThreadInPool())
        let queue = pool.nextQueue()
        #expect(queue == queue && queue != pool.nextQueue())
        pool.addTask(
            ThreadPoolTask { _ in log.add("\(pool.isCurrentThreadInPool()) \(other.isCurrentThreadInPool())") })
        queue.addTask(
            ThreadPoolTask { _ in
                queue.addTask(ThreadPoolTask { _ in log.add("nested") })
                log.add("outer")
            })
        #expect(eventually { log.count == 3 })
        #expect(log.all.contains("true false"))
        #expect(log.all.filter { $0.hasSuffix("er") || $0.hasPrefix("ne") } == ["outer", "nested"])
    }

    // Covers: OC-50, OC-53, OC-54
    @Test func theLineOfTasks() {
        let pool = ThreadPool(threadCount: 1, threadPriority: 0.5)
        let release = Tally()
        let ran = Recorded<Int>()
        pool.addTask(ThreadPoolTask { _ in _ = eventually { release.value == 1 } })
        let queue = pool.nextQueue()
        #expect(!queue.jobs.hasWork)
        for index in 0..<3 { queue.addTask(ThreadPoolTask { _ in ran.add(index) }) }
        #expect(queue.jobs.hasWork && ran.all.isEmpty)
        release.up()
        #expect(eventually { !queue.jobs.hasWork })
        #expect(ran.all == [0, 1, 2])
    }

    // Covers: B-44
    @Test func lettingGoEndsTheThreadsAndDropsWhatWaits() {
        let tracker = LifetimeTracker()
        let begun = Tally()
        let release = Tally()
        let ended = Tally()
        var pool: ThreadPool? = ThreadPool(threadCount: 2, threadPriority: 0.5)
        weak let weakPool = pool
        weak let weakWorkers = pool!.workers
        let queue = pool!.nextQueue()
        for index in 0..<4 {
            queue.addTask(
                ThreadPoolTask { [tracked = tracker.make()] _ in
                    tracked.touch()
                    begun.up()
                    if index > 0 { Issue.record("it was dropped") }
                    _ = eventually { release.value == 1 }
                    ended.up()
                })
        }
        #expect(eventually { begun.value == 1 })
        pool = nil
        // The pool goes although its threads live, one of them in a task.
        #expect(weakPool == nil)
        queue.addTask(
            ThreadPoolTask { [tracked = tracker.make()] _ in
                tracked.touch()
                Issue.record("the pool is gone")
            })
        release.up()
        #expect(eventually { ended.value == 1 && tracker.live == 0 })
        let other = ThreadPoolQueue(threadPool: ThreadPool(threadCount: 1, threadPriority: 0.5))
        other.addTask(ThreadPoolTask { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(eventually { tracker.live == 0 })
        withExtendedLifetime((queue, weakWorkers)) {}
    }

    // Covers: B-44
    @Test func threadsEnd() {
        // A thread holds the workers until it ends.
        weak var workers: WorkerPool?
        do {
            let pool = ThreadPool(threadCount: 4, threadPriority: 0.5)
            workers = pool.workers
            let ran = Tally()
            for _ in 0..<8 { pool.addTask(ThreadPoolTask { _ in ran.up() }) }
            #expect(eventually { ran.value == 8 })
        }
        #expect(eventually { workers == nil })
        let pool = ThreadPool(threadCount: 2, threadPriority: 0.5)
        pool.shutdown()
        pool.shutdown()
        let tracker = LifetimeTracker()
        pool.addTask(ThreadPoolTask { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(tracker.live == 0)
    }

    // Covers: B-44
    @Test func thePoolMayGoOnOneOfItsThreads() {
        final class Box: @unchecked Sendable { var pool: ThreadPool? }
        let box = Box()
        box.pool = ThreadPool(threadCount: 1, threadPriority: 0.5)
        weak let workers = box.pool!.workers
        box.pool!.addTask(ThreadPoolTask { _ in box.pool = nil })
        #expect(eventually { workers == nil })
    }

    // Covers: SW-103, SW-104
    @Test func aLineAsAQueue() {
        let tracker = LifetimeTracker()
        do {
            let pool = ThreadPool(threadCount: 2, threadPriority: 0.5)
            let queue = pool.nextQueue().asQueue()
            let log = Recorded<Int>()
            #expect(!queue.isCurrent())
            queue.async { [tracked = tracker.make()] in
                tracked.touch()
                #expect(queue.isCurrent() && pool.isCurrentThreadInPool())
                queue.async { log.add(1) }
                queue.sync { log.add(2) }
                queue.justDispatch { log.add(3) }
            }
            queue.sync { log.add(4) }
            #expect(eventually { log.count == 4 })
            #expect(Set(log.all.prefix(2)) == [1, 2] && log.all.first == 1)

            let timed = Recorded<Bool>()
            let begin = queue.now
            queue.after(0.01) { timed.add(queue.isCurrent() && queue.now - begin >= 0.009) }
            let cancelled = queue.after(1000) { [tracked = tracker.make()] in tracked.touch() }
            cancelled.dispose()
            #expect(eventually { timed.all == [true] })
            let delivered = Recorded<Int>()
            _ =
                (Signal<Int, NoError> { subscriber in
                    for value in 0..<100 { subscriber.putNext(value) }
                    subscriber.putCompletion()
                    return EmptyDisposable
                } |> deliverOn(queue)).start(next: { delivered.add(queue.isCurrent() ? $0 : -1) })
            #expect(eventually { delivered.all == Array(0..<100) })
        }
        #expect(eventually { tracker.live == 0 })
    }

    @Test func thePoolAsAConcurrentQueue() {
        let met = Tally()
        let inside = Tally()
        let queue = {
            let pool = ThreadPool(threadCount: 2)
            let queue = pool.asQueue()
            queue.sync { if pool.isCurrentThreadInPool() && !queue.isCurrent() { inside.up() } }
            return queue
        }()
        for _ in 0..<2 {
            queue.async {
                met.up()
                // Each waits for the other: on a serial queue this would not come to its end.
                #expect(eventually { met.value >= 2 })
                queue.sync { met.up() }
            }
        }
        #expect(eventually { met.value == 4 })
        #expect(inside.value == 1)
    }

    // Covers: C-182, C-137, B-44
    @Test func stress() {
        let tracker = LifetimeTracker()
        for _ in 0..<15 {
            let done = Tally()
            let pool = ThreadPool(threadCount: 3, threadPriority: 0.5)
            race(4) { index in
                let queue = pool.nextQueue()
                let last = Tally()
                for round in 0..<50 {
                    let task = ThreadPoolTask { [tracked = tracker.make()] _ in
                        tracked.touch()
                        last.up()
                    }
                    if round % 5 == 4 { task.cancel() }
                    queue.addTask(task)
                }
                if index % 2 == 0 {
                    queue.addTask(ThreadPoolTask { _ in if last.value == 40 { done.up() } })
                }
            }
            #expect(eventually { done.value == 2 })
        }
        #expect(eventually { tracker.live == 0 })
    }
}
