import Dispatch
import Foundation
import Testing
@testable import SignalKitCore

@Suite struct DispatchTests {
    private let log = Log()
    private let time = VirtualTime()
    private let a: ManualSource<Int, String>

    init() { a = ManualSource("a", log) }

    // Covers: SW-226, OC-103, MT-25, C-168, C-182
    @Test func deliverOnKeepsTheOrderOnTheQueue() {
        let queue = Queue(name: "deliver")
        var got: [Int] = []
        var elsewhere = 0
        let done = Log()
        let source: Signal<Int, NoError> = sync("a", log, Array(0..<200), .completed)
        let handle = (source |> deliverOn(queue)).start(
            next: {
                got.append($0)
                if !queue.isCurrent() { elsewhere += 1 }
            }, completed: { done.add("C") })
        #expect(eventually { done.text == "C" })
        #expect(got == Array(0..<200))
        #expect(elsewhere == 0)
        handle.dispose()
    }

    // Covers: SW-226, C-168
    @Test func deliverOnIsInlineWhereTheQueueIsCurrent() {
        let queue = Queue(name: "deliver")
        queue.sync {
            let handle = (a.signal() |> deliverOn(queue)).start(log)
            a.next(1)
            a.complete()
            #expect(log.text == "Sa N1 C Da")
            handle.dispose()
        }
    }

    // Covers: SW-226, C-168
    @Test func deliveredLaterTheSourceIsDisposedFirst() {
        for fails in [false, true] {
            let log = Log()
            let source = ManualSource<Int, String>("a", log)
            let handle = (source.signal() |> deliverOn(time.queue)).start(log)
            source.next(1)
            if fails { source.fail("x") } else { source.complete() }
            #expect(log.text == "Sa Da")
            time.advance(by: 0)
            #expect(log.text == (fails ? "Sa Da N1 Ex" : "Sa Da N1 C"))
            handle.dispose()
        }
    }

    // Covers: SW-226, C-168, C-18
    @Test func disposalDropsWhatIsOnItsWay() {
        let tracker = LifetimeTracker()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>()
        let handle = (source.signal() |> deliverOn(time.queue)).start(next: { _ in
            Issue.record("a value after disposal")
        })
        source.next(tracker.make())
        source.next(tracker.make())
        handle.dispose()
        #expect(tracker.live == 0)
        time.advance(by: 0)
    }

    /// Values emitted on the queue must not overtake values that are still in flight to it.
    /// Covers: B-39, SW-226
    @Test func valuesMadeOnTheQueueKeepTheOrder() {
        let handle = (a.signal() |> deliverOn(time.queue)).start(log)
        let source = a
        a.next(1)
        time.queue.justDispatch { source.next(3) }
        a.next(2)
        time.advance(by: 0)
        #expect(log.text == "Sa N1 N2 N3")
        handle.dispose()
        let second = (a.signal() |> deliverOn(time.queue)).start(log)
        time.queue.justDispatch {
            source.next(5)
            #expect(self.log.text.hasSuffix("N5"))
        }
        time.advance(by: 0)
        second.dispose()
        // The value off the queue first, then one made on it before the queue comes to the first.
        let third = (a.signal() |> deliverOn(time.queue)).start(log)
        time.queue.justDispatch { source.next(7) }
        a.next(6)
        time.advance(by: 0)
        #expect(log.text.hasSuffix("N6 N7"))
        third.dispose()
    }

    /// An endless sequence: its values are delivered, and the queue runs its other work. With virtual time, and with a
    /// real queue.
    /// Covers: SW-226, C-168
    @Test(arguments: [false, true]) func otherWorkHasItsChance(isVirtual: Bool) {
        let queue = isVirtual ? time.queue : Queue(name: "deliver")
        let pipe = ValuePipe<Int>()
        let waiting = Tally()
        var (count, inVain, before) = (0, 0, 0)
        let handle = (pipe.signal() |> deliverOn(queue)).start(next: { value in
            count += 1
            inVain += waiting.value // although other work waits
            if inVain < 1_000_000 && before == 0 { pipe.putNext(value + 1) }
        })
        pipe.putNext(0)
        let other = Log()
        queue.justDispatch {
            before = count
            other.add("done")
        }
        waiting.up()
        if isVirtual { time.advance(by: 0) }
        #expect(eventually { other.text == "done" })
        #expect(before > 0)
        queue.sync {}
        handle.dispose()
    }

    /// A callback may run its own loop, which reaches the next turn of the same delivery: still one value at a time, in
    /// order.
    /// Covers: SW-226, C-168
    @Test func aLoopInsideACallbackDeliversNothing() {
        let pipe = ValuePipe<Int>()
        var (last, got, depth, deepest) = (2, [Int](), 0, 0)
        let handle = (pipe.signal() |> deliverOn(time.queue)).start(next: { value in
            depth += 1
            deepest = max(deepest, depth)
            got.append(value)
            if last < 500 {
                last += 1
                pipe.putNext(last)
            }
            time.advance(by: 0)
            depth -= 1
        })
        for value in 0...2 { pipe.putNext(value) }
        time.advance(by: 0)
        #expect(got == Array(0...500))
        #expect(deepest == 1)
        handle.dispose()
    }

    /// A concurrent queue runs blocks at once and in any order: the values must come in theirs, one at a time.
    // Covers: B-40, SW-226
    @Test func aConcurrentQueueKeepsTheOrder() {
        let count = 2_000
        var got: [Int] = []
        let done = Log()
        let source: Signal<Int, NoError> = sync("a", log, Array(0..<count), .completed)
        let handle = (source |> deliverOn(Queue.concurrentDefaultQueue())).start(
            next: { got.append($0) }, completed: { done.add("C") })
        #expect(eventually { done.text == "C" })
        #expect(got == Array(0..<count))
        handle.dispose()
    }

    // Covers: SW-226, C-168
    @Test func aWrappedQueueIsNeverInline() {
        let native = DispatchQueue(label: "wrapped")
        let queue = Queue(queue: native)
        let done = Log()
        native.sync {
            let source: Signal<Int, NoError> = sync("a", log, [1], .completed)
            _ = (source |> deliverOn(queue)).start(next: { _ in done.add("N") }, completed: { done.add("C") })
            #expect(done.text == "")
        }
        #expect(eventually { done.text == "N C" })
    }

    /// Inline exactly where the main queue is current. (A program that has called `dispatchMain`, as asynchronous ones have, runs it on threads of
    /// the pool, so that it is the queue that decides.)
    // Covers: SW-227, C-168
    @Test func deliverOnMainQueueInlineAndInOrder() async {
        let log = Log()
        let handle = await Task.detached {
            (sync("a", Log(), Array(0..<20), SyncEnd<NoError>.completed) |> deliverOnMainQueue).start(log)
        }.value
        #expect(await eventuallyAsync { log.entries.last == "C" })
        #expect(log.text == (0..<20).map { "N\($0)" }.joined(separator: " ") + " C")
        handle.dispose()
        let inside = Log()
        DispatchQueue.main.async {
            let inner = Log()
            _ = (Signal<Int, NoError>.single(1) |> deliverOnMainQueue).start(inner)
            inside.add(Queue.mainQueue().isCurrent() == (inner.text == "N1 C") ? "right" : "wrong")
        }
        #expect(await eventuallyAsync { inside.text == "right" })
    }

    /// The use of a thread pool: a queue for each subscription.
    /// Covers: SW-228, OC-104, C-169
    @Test func deliverOnAQueueThatIsChosenForEachSubscription() {
        var chosen = 0
        let queue = time.queue
        let signal =
            a.signal()
            |> deliverOn(chosen: {
                chosen += 1
                return queue
            })
        #expect(chosen == 0)
        let handles = [signal.start(log), signal.start(log)]
        #expect(chosen == 2)
        a.next(1)
        time.advance(by: 0)
        #expect(log.text == "Sa Sa N1 N1")
        for handle in handles { handle.dispose() }
    }

    // Covers: SW-228, OC-104, C-169
    @Test func deliverOnAPoolKeepsTheOrder() {
        let pool = ThreadPool(threadCount: 3)
        var got: [Int] = []
        var elsewhere = 0
        let done = Log()
        let source: Signal<Int, String> = sync("a", log, Array(0..<500), .failed("x"))
        let handle = (source |> deliverOn(pool)).start(
            next: {
                got.append($0)
                if !pool.isCurrentThreadInPool() { elsewhere += 1 }
            }, error: { done.add("E\($0)") })
        #expect(eventually { done.text == "Ex" })
        #expect(got == Array(0..<500))
        #expect(elsewhere == 0)
        handle.dispose()
    }

    // Covers: SW-228, OC-104, C-169
    @Test func disposalDropsWhatIsOnItsWayToThePool() {
        let pool = ThreadPool(threadCount: 1)
        let busy = DispatchSemaphore(value: 0), tracker = LifetimeTracker()
        pool.addTask(ThreadPoolTask { _ in busy.wait() })
        let source = ManualSource<LifetimeTracker.Tracked, NoError>()
        let handle = (source.signal() |> deliverOn(pool)).start(next: { _ in Issue.record("a value after disposal") })
        source.next(tracker.make())
        handle.dispose()
        #expect(tracker.live == 0)
        busy.signal()
    }

    // Covers: SW-230, OC-106, C-170
    @Test func runOnAPool() {
        let pool = ThreadPool(threadCount: 1), done = Log()
        let signal =
            Signal<Int, NoError> { subscriber in
                done.add(pool.isCurrentThreadInPool() ? "pool" : "elsewhere")
                subscriber.putNext(1)
                subscriber.putCompletion()
                return EmptyDisposable
            } |> runOn(pool)
        let handle = signal.start(done)
        #expect(eventually { done.text == "pool N1 C" })
        handle.dispose()
        // On one of its threads, too, it is a separate task, and a disposal before the task prevents it.
        let busy = DispatchSemaphore(value: 0), second = Log()
        pool.addTask(
            ThreadPoolTask { _ in
                let inside = signal.start(second)
                second.add("later")
                signal.start(second).dispose()
                withExtendedLifetime(inside) { busy.wait() }
            })
        #expect(eventually { second.text == "later" })
        busy.signal()
        #expect(eventually { second.text == "later N1 C" })
        let end = Log()
        pool.addTask(ThreadPoolTask { _ in end.add("end") })
        #expect(eventually { end.text == "end" })
        #expect(done.text == "pool N1 C pool")
    }

    // MARK: runOn

    // Covers: SW-229, OC-105, MT-26, C-170
    @Test func runOnStartsOnTheQueue() {
        let handle = (a.signal() |> runOn(time.queue)).start(log)
        #expect(log.text == "")
        time.advance(by: 0)
        a.next(1)
        handle.dispose()
        #expect(log.text == "Sa N1 Da")
        // Inline where the queue is current, with the end inside the start.
        let second = Log(), queue = time.queue
        time.queue.justDispatch {
            _ = (sync("s", second, [1], SyncEnd<String>.completed) |> runOn(queue)).start(second)
        }
        time.advance(by: 0)
        #expect(second.text == "Ss N1 C Ds")
    }

    // Covers: SW-229, B-61, C-170
    @Test func runOnDisposedBeforeItRuns() {
        let handle = (a.signal() |> runOn(time.queue)).start(log)
        handle.dispose()
        time.advance(by: 0)
        #expect(log.text == "")
        let native = DispatchQueue(label: "wrapped"), done = Log()
        native.sync {
            _ = (sync("s", done, [1], SyncEnd<NoError>.completed) |> runOn(Queue(queue: native))).start(done)
            #expect(done.text == "")
        }
        #expect(eventually { done.text == "Ss N1 C Ds" })
    }

    /// Race for the cancelling flag: the source is started at most once, and a started source is disposed.
    /// Covers: B-61, OC-105, C-182, C-185
    @Test func runOnAndDisposalAtOnce() {
        let queue = Queue(name: "run")
        for _ in 0..<500 {
            let log = Log()
            let handle = (sync("a", log, [1], SyncEnd<NoError>.open) |> runOn(queue)).start(log)
            handle.dispose()
            queue.sync {}
            #expect(["", "Sa Da", "Sa N1 Da"].contains(log.text))
        }
    }

    // Covers: SW-230, OC-106, C-170
    @Test func runOnAChosenQueueIsNeverInline() {
        let queue = time.queue, source = a
        time.queue.justDispatch { _ = (source.signal() |> runOn(chosen: { queue })).start(self.log) }
        var before = ""
        time.queue.justDispatch { before = self.log.text }
        time.advance(by: 0)
        #expect(before == "")
        #expect(log.text == "Sa")
        a.complete()
        #expect(log.text == "Sa C Da")
        let disposed = (a.signal() |> runOn(chosen: { queue })).start(log)
        disposed.dispose()
        time.advance(by: 0)
        #expect(log.text == "Sa C Da")
    }
}
