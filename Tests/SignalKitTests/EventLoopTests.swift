import Foundation
import Testing
@testable import SignalKitCore

/// A loop as simple as it can be: work lies in a list until a thread runs it.
private final class ListLoop: EventLoop, EventLoopClock, @unchecked Sendable {
    private let lock = NSLock()
    private var works: [(due: Double, work: () -> Void)] = []
    private var hasEnded = false
    private(set) var alarms = 0
    let thread = Foundation.Thread.current
    var now = 0.0

    var isCurrent: Bool { thread === Foundation.Thread.current }

    func async(_ work: @escaping () -> Void) { put(0, work) }

    func after(_ seconds: Double, _ work: @escaping () -> Void) {
        alarms += 1
        put(now + seconds, work)
    }

    private func put(_ due: Double, _ work: @escaping () -> Void) {
        lock.withLock { if !hasEnded { works.append((due, work)) } }
    }

    var count: Int { lock.withLock { works.count } }

    func run() {
        while let work = lock.withLock({ works.firstIndex { $0.due <= now }.map { works.remove(at: $0).work } }) {
            work()
        }
    }

    func end() {
        let dropped = lock.withLock { () -> [(Double, () -> Void)] in
            hasEnded = true
            defer { works = [] }
            return works.map { ($0.due, $0.work) }
        }
        withExtendedLifetime(dropped) {}
    }
}

@Suite struct EventLoopTests {
    @Test func theRulesOfQueues() {
        let loop = ListLoop()
        let queue = Queue(loop: loop, clock: loop)
        let log = Log()
        queue.async { log.add("inline") }
        queue.justDispatch { log.add("later") }
        #expect(log.text == "inline")
        loop.run()
        #expect(log.text == "inline later")
        let isDone = finishes {
            log.add("\(queue.isCurrent())")
            queue.async { log.add("\(queue.isCurrent())") }
        }
        loop.run()
        #expect(isDone && log.text == "inline later false true")
    }

    @Test func itsOwnWorkIsCurrentAlsoWhereTheLoopDoesNotSay() {
        final class Loop: EventLoop {
            let inner = ListLoop()
            func async(_ work: @escaping () -> Void) { inner.async(work) }
        }
        let loop = Loop()
        let queue = Queue(loop: loop)
        let log = Log()
        queue.async {
            log.add("\(queue.isCurrent())")
            queue.async { log.add("inline") }
        }
        #expect(log.text == "" && !queue.isCurrent())
        loop.inner.run()
        #expect(log.text == "true inline")
        // Its time is kept by the library.
        queue.after(0.01) { log.add("timer") }
        #expect(
            eventually {
                loop.inner.run()
                return log.text == "true inline timer"
            })
        // It refuses nothing.
        #expect(loop.tryAsync { log.add("taken") })
        loop.inner.run()
        #expect(log.text == "true inline timer taken")
    }

    @Test func timersAskTheLoopForTheEarliestOnly() {
        let loop = ListLoop()
        let queue = Queue(loop: loop, clock: loop)
        let fired = Tally()
        for i in 1...1_000 { queue.after(Double(i)) { fired.up() } }
        #expect(loop.alarms == 1)
        queue.after(0.5) { fired.up() }
        #expect(loop.alarms == 2)
        loop.now = 0.5
        loop.run()
        #expect(fired.value == 1)
        loop.now = 700
        loop.run()
        #expect(fired.value == 701)
        loop.now = 2_000
        loop.run()
        #expect(fired.value == 1_001 && loop.count == 0)
    }

    @Test func theEndOfTheLoopLosesNothingSilently() {
        let tracker = LifetimeTracker()
        let loop = ListLoop()
        let queue = Queue(loop: loop, clock: loop)
        let ran = Tally()
        func work() -> () -> Void {
            { [tracked = tracker.make()] in
                tracked.touch(); ran.up()
            }
        }
        for i in 0..<10 {
            queue.justDispatch(work())
            queue.after(Double(1 + i), work())
        }
        let waited = Tally()
        startThread {
            let hasRun = queue.trySync { ran.up() }
            #expect(!hasRun)
            waited.up()
        }
        #expect(eventually { loop.count == 2 })
        loop.end()
        #expect(eventually { waited.value == 1 })
        #expect(ran.value == 0 && tracker.live == 0)
        #expect(queue.droppedCount == 21)
        queue.justDispatch(work())
        queue.after(1, work())
        #expect(tracker.live == 0 && queue.droppedCount == 23)
    }

    @Test func eventsOfOtherThreadsInOrder() {
        let loop = ListLoop()
        let queue = Queue(loop: loop)
        let pipe = ValuePipe<(Int, Int)>()
        var last = [0, 0, 0]
        let run = (pipe.signal() |> deliverOn(queue)).start(next: { thread, number in
            #expect(queue.isCurrent() && last[thread] == number)
            last[thread] += 1
        })
        let done = Tally()
        startThread {
            race(3) { thread in for i in 0..<1_000 { pipe.putNext((thread, i)) } }
            done.up()
        }
        while done.value == 0 { loop.run() }
        loop.run()
        #expect(last == [1_000, 1_000, 1_000])
        run.dispose()
    }
}
