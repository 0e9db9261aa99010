import SignalKitCore
import Testing

@Suite struct StateTests {
    typealias Tracked = LifetimeTracker.Tracked
    struct Refused: Error {}

    @Test func showsEachStateOnceBeginningWithTheCurrentOne() {
        let log = Recorded<Int>()
        let count = State(1)
        #expect(count.modify { $0 + 1 } == 2)
        let run = count.signal().start(next: { log.add($0) }, completed: { Issue.record("it never ends") })
        #expect(count.modify { $0 * 10 } == 20)
        count.set(20)
        #expect(count.value == 20)
        #expect(log.all == [2, 20, 20])
        run.dispose()

        let distinct = State("a", ignoreRepeated: true)
        let texts = Recorded<String>()
        let distinctRun = distinct.signal().start(next: { texts.add($0) })
        #expect(distinct.modify { $0 } == "a")
        distinct.modify { $0 + "b" }
        distinct.set("ab")
        #expect(texts.all == ["a", "ab"])
        distinctRun.dispose()
    }

    @Test func aPromiseCanBeModifiedBeforeItHasAValue() {
        let promise = ValuePromise<Int>()
        #expect(promise.value == nil)
        #expect(promise.modify { ($0 ?? 0) + 1 } == 1)
        #expect(promise.modify { ($0 ?? 0) + 1 } == 2)
        #expect(promise.value == 2)
    }

    /// A thread is delayed between the computation and the delivery of its change. With a value outside the promise
    /// (`promise.set(value.modify(f))`) it would be shown after the newer one, permanently.
    @Test func anOutdatedStateIsNotShownLast() {
        let log = Recorded<Int>(), given = Recorded<Int>()
        let state = State(0)
        let run = state.signal().start(next: { log.add($0) })
        let isDone = Tally()
        let result = state.modify { value in
            given.add(value)
            if given.count == 1 {
                startThread {
                    state.modify { $0 + 1 }
                    isDone.up()
                }
                // Under a lock the other thread would wait for this one.
                #expect(eventually { isDone.value == 1 })
            }
            return value + 10
        }
        #expect(result == 11 && given.all == [0, 1])
        #expect(log.all == [0, 1, 11])
        run.dispose()
    }

    @Test func noChangeOfSeveralThreadsIsLostOrOutOfOrder() {
        for ignoresRepeated in [false, true] {
            let log = Recorded<Int>()
            let state = State(0, ignoreRepeated: ignoresRepeated)
            let run = state.signal().start(next: { log.add($0) })
            race(3) { _ in
                for _ in 0..<1000 { state.modify { $0 + 1 } }
            }
            #expect(state.value == 3000)
            #expect(log.all == Array(0...3000))
            run.dispose()
        }
    }

    @Test func whatACallbackChangesIsDeliveredAfterwards() {
        let log = Recorded<String>()
        let state = State(0)
        let first = state.signal().start(next: { value in
            log.add("a\(value)")
            if value % 2 == 1 { #expect(state.modify { $0 + 1 } == value + 1) }
        })
        let second = state.signal().start(next: { log.add("b\($0)") })
        state.modify { $0 + 1 }
        #expect(log.all == ["a0", "b0", "a1", "b1", "a2", "b2"])
        first.dispose()
        second.dispose()
    }

    @Test func whatTheFunctionItselfSetsStandsBeforeItsResult() {
        for ignoresRepeated in [false, true] {
            let log = Recorded<Int>()
            let state = State(1, ignoreRepeated: ignoresRepeated)
            let run = state.signal().start(next: { log.add($0) })
            let calls = Tally()
            let result = state.modify { value in
                calls.up()
                state.set(5)
                #expect(state.modify { $0 + 1 } == 6)
                return value
            }
            #expect(result == 1 && calls.value == 1)
            #expect(log.all == [1, 5, 6, 1])
            run.dispose()
        }
    }

    /// A change by another thread counts in addition to the function's own.
    @Test func theFunctionIsCalledAgainAfterBothHaveChangedTheState() {
        for otherIsFirst in [false, true] {
            let given = Recorded<Int>()
            let state = State(0)
            let result = state.modify { value in
                given.add(value)
                let other = { race(1) { _ in if given.count == 1 { state.modify { $0 + 100 } } } }
                if otherIsFirst { other() }
                state.modify { $0 + 1 }
                if !otherIsFirst { other() }
                return value + 10
            }
            #expect(given.all == [0, 101])
            #expect(result == 111 && state.value == 111)
        }
    }

    @Test func whatThrowsChangesNothing() {
        let log = Recorded<Int>()
        let state = State(1)
        let run = state.signal().start(next: { log.add($0) })
        #expect(throws: Refused.self) { try state.modify { _ throws(Refused) in throw Refused() } }
        #expect(state.modify { $0 + 1 } == 2)
        #expect(log.all == [1, 2])
        run.dispose()
    }

    @Test func aSubscriptionThatIsHeldKeepsIt() {
        let tracker = LifetimeTracker()
        weak var weakState: State<Tracked>?
        var run: Disposable?
        do {
            let state = State(tracker.make())
            weakState = state
            state.modify { [tracked = tracker.make()] _ in tracked }
            #expect(tracker.live == 1)
            run = state.signal().start(next: { _ in })
        }
        #expect(weakState != nil)
        run?.dispose()
        withExtendedLifetime(run) {}
        run = nil
        #expect(weakState == nil && tracker.live == 0)
    }
}
