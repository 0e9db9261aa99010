@testable import SignalKitCore
import SignalKitShims
import Testing

/// Sources based on `Listeners` have their own tests. These tests cover functions that no source in Swift uses.
@Suite struct ListenersTests {
    private let log = Recorded<String>()
    private let feed = Feed<Int, String>(replay: false)

    private func listen(_ name: String) -> Disposable {
        let log = log
        return feed.signal().start(
            next: { log.add("\(name)\($0)") }, error: { log.add("\(name)!\($0)") }, completed: { log.add("\(name)|") })
    }

    @Test func aFailureEndsTheRunsAndNothingElse() {
        let first = listen("a")
        feed.listeners.put(1)
        feed.listeners.fail("x")
        feed.listeners.put(2)
        let second = listen("b")
        feed.listeners.put(3)
        first.dispose()
        feed.listeners.fail("y")
        feed.listeners.fail("z")
        let third = listen("c")
        feed.complete()
        feed.listeners.fail("late")
        #expect(log.all == ["a1", "a!x", "b3", "b!y", "c|"])
        second.dispose()
        third.dispose()
    }

    @Test func aFailureComesAfterWhatWasPutBefore() {
        let log = log
        let feed = feed
        let second = MetaDisposable()
        let first = feed.signal().start(
            next: { value in
                log.add("a\(value)")
                guard value == 1 else { return }
                feed.listeners.put(2)
                feed.listeners.fail("x")
                second.set(feed.signal().start(next: { log.add("b\($0)") }, error: { log.add("b!\($0)") }))
                feed.listeners.put(3)
            }, error: { log.add("a!\($0)") })
        feed.listeners.put(1)
        #expect(log.all == ["a1", "a2", "a!x", "b3"])
        first.dispose()
        second.dispose()
    }

    /// A subscriber that leaves while a failure is pending is removed from a list that has been replaced.
    @Test func whoLeavesBeforeTheFailureIsNotTold() {
        let log = log
        let feed = feed
        let others = (0..<20).map { _ in MetaDisposable() }
        let first = feed.signal().start(
            next: { value in
                log.add("a\(value)")
                if value != 1 { return }
                feed.listeners.fail("x")
                others.forEach { $0.dispose() }
            }, error: { log.add("a!\($0)") })
        others.forEach { $0.set(listen("b")) }
        let last = listen("c")
        feed.listeners.put(1)
        let next = listen("d")
        feed.listeners.put(2)
        #expect(log.all == ["a1", "c1", "a!x", "c!x", "d2"])
        [first, last, next].forEach { $0.dispose() }
    }

    /// A thread that has delivered many events offers the pending ones to any other thread.
    private func offer() {
        let isInside = feed.listeners.section.enter(at: sgk_shim_frame())
        #expect(isInside)
        feed.listeners.lock.withLock { feed.listeners.section.offer() }
    }

    @Test func whoeverComesTakesWhatIsOffered() {
        let tracker = LifetimeTracker()
        let first = listen("a")
        let second = feed.signal().start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        offer()
        feed.listeners.put(1)
        #expect(log.all == ["a1"] && feed.listeners.isQuiet)
        offer()
        feed.listeners.close()
        #expect(tracker.live == 0 && feed.listeners.isQuiet)
        withExtendedLifetime((first, second)) {}
    }

    /// The last one to leave closes it at once, before its source is disposed.
    @Test func whatNobodyWantsIsClosed() {
        final class Hot: Listeners<Int, String>, @unchecked Sendable {
            var answers: [Put] = []
            override func closedByLeaving() { answers += [put(1), finish(.completed)] }
        }
        let hot = Hot(demand: Demand())
        ComposedSignal<Int, String>(as: "hot") { hot.addOrStaySilent($0) }.start(next: { _ in }).dispose()
        #expect(hot.answers == [.closed, .closed])
        #expect(!hot.add(CallbackSink(nil, nil, nil)))
    }

    @Test func nobodyIsToldTwiceAndNothingIsLeftWhenManyFail() {
        let tracker = LifetimeTracker()
        do {
            let feed = Feed<Int, String>(replay: false)
            let ends = Tally()
            race(4) { index in
                for round in 0..<2000 {
                    let tracked = tracker.make()
                    let told = Tally()
                    let run = feed.signal().start(
                        next: { _ in tracked.touch() },
                        error: { _ in
                            tracked.touch()
                            told.up()
                        })
                    if index % 2 == 0 { feed.listeners.put(round) } else { feed.listeners.fail("x") }
                    if round % 3 == 0 { feed.listeners.put(round) }
                    run.dispose()
                    if told.value > 1 { ends.up() }
                }
            }
            #expect(ends.value == 0)
        }
        #expect(tracker.live == 0)
    }
}
