import Dispatch
import Foundation
import SignalKitTesting
import Synchronization
import Testing
@testable import SignalKitCore

/// Diagrams show times. Logs show the order at one time, or on several threads.
@Suite struct TimingTests {
    private let test = TestScheduler()
    private let log = Log()
    private let a: ManualSource<Int, String>

    init() { a = ManualSource("a", log) }

    private var time: VirtualTime { test.time }
    private var queue: Queue { test.queue }

    // MARK: delay

    /// The start is delayed, and the events are not. Each subscription has its own delay.
    /// Covers: SW-231, OC-108, MT-13, C-171
    @Test func delayStartsTheSignalLater() throws {
        let source = test.cold("     -a-b-|"), failing = test.cold("a#")
        let delayed = source.signal |> delay(3, queue: queue)
        test.expectSignal(delayed).toBe("----a-b-|")
        test.expectSignal(delayed, subscription: "--^----!").toBe("------a")
        test.expectSubscriptions(source).toBe("---^----!", "-----^-!")
        test.expectSignal(failing.signal |> delay(3, queue: queue)).toBe("---a#")
        try test.run()
    }

    // Covers: SW-231
    @Test func aDelayOfNothingStartsAtTheSameMoment() throws {
        for seconds in [0, -1, -Double.infinity, .nan] {
            test.expectSignal(test.cold("a-|").signal |> delay(seconds, queue: queue)).toBe("a-|")
        }
        try test.run()
    }

    /// Also at the very moment at which it would have started.
    // Covers: SW-231, B-62
    @Test(arguments: ["(^!)", "^-!", "^--!"]) func aDelayThatIsDisposedStartsNothing(subscription: String) throws {
        let source = test.cold("a|")
        test.expectSignal(source.signal |> delay(3, queue: queue), subscription: subscription).toBe("")
        test.expectSignal(source.signal |> suspendAwareDelay(3, queue: queue), subscription: subscription).toBe("")
        test.expectSubscriptions(source).toBe()
        try test.run()
    }

    /// A disposal during the delay cancels immediately, and releases the source and the callbacks. A release of the
    /// handle cancels nothing.
    /// Covers: B-62, SW-231, SW-232, C-171
    @Test func disposalBeforeTheTime() {
        let tracker = LifetimeTracker()
        let queue = time.queue, source = a
        func start(_ operation: @escaping (Signal<Int, String>) -> Signal<Int, String>) -> any Disposable {
            let probe = tracker.make()
            return
                (source.signal()
                |> map { value -> Int in
                    probe.touch(); return value
                } |> operation).start(next: { _ in probe.touch() })
        }
        for handle in [
            start(delay(5, queue: queue)), start(suspendAwareDelay(2, queue: queue)),
            start(suspendAwareDelay(50, queue: queue)), start(runOn(queue)),
        ] {
            handle.dispose()
        }
        #expect(tracker.live == 0)
        #expect(time.pendingCount == 1) // what runOn has put
        time.advance(by: 1_000)
        #expect(log.text == "")
        _ = start(delay(5, queue: queue))
        time.advance(by: 5)
        #expect(log.text == "Sa")
        a.complete()
        #expect(tracker.live == 0)
    }

    /// A timer that fires at once, on another thread, does not end up disposing the source that it has started.
    // Covers: B-62, OC-108
    @Test func aDelayOfNothingKeepsTheSourceAlive() {
        let queue = Queue(name: "delay")
        for _ in 0..<200 {
            let log = Log()
            let source = ManualSource<Int, NoError>("a", log)
            let handle = (source.signal() |> delay(0, queue: queue)).start(log)
            #expect(eventually { log.text == "Sa" })
            source.next(1)
            handle.dispose()
            #expect(eventually { log.text == "Sa N1 Da" })
        }
    }

    /// The system sleeps for an hour: at the next look at the clock it is time.
    // Covers: SW-232, C-171
    @Test func suspendAwareDelayCountsSleep() throws {
        let time = test.time
        queue.after(5) { time.suspend(for: 3_600) }
        let source = test.cold("          a-|")
        test.expectSignal(source.signal |> suspendAwareDelay(10, granularity: 4, queue: queue)).toBe("--------a-|")
        test.expectSignal(source.signal |> delay(10, queue: queue)).toBe("----------a-|")
        test.expectSubscriptions(source).toBe("--------^-!", "----------^-!")
        try test.run()
    }

    /// To the moment, whether it is shorter than a look at the clock or many of them.
    // Covers: SW-232, C-171
    @Test func suspendAwareDelayIsADelayWhereNothingSleeps() throws {
        test.expectSignal(test.cold("a|").signal |> suspendAwareDelay(3, queue: queue)).toBe("---a|")
        test.expectSignal(test.cold("a|").signal |> suspendAwareDelay(4, granularity: 4, queue: queue)).toBe("----a|")
        test.expectSignal(test.cold("a|").signal |> suspendAwareDelay(18, queue: queue)).toBe("------------------a|")
        try test.run()
    }

    // MARK: timeout

    private func startWithAlternate(_ source: Signal<Int, String>, _ log: Log) -> any Disposable {
        (source |> timeout(5, queue: time.queue, alternate: sync("b", log, [9], .open))).start(log)
    }

    // Covers: SW-233, OC-109, MT-14, C-172
    @Test func theAlternateStartsBeforeTheSourceIsDisposed() {
        let handle = startWithAlternate(a.signal(), log)
        let subscriber = a.subscribers[0]
        time.advance(by: 5)
        #expect(log.text == "Sa Sb N9 Da")
        subscriber.putNext(1)
        subscriber.putError("x")
        #expect(log.text == "Sa Sb N9 Da")
        handle.dispose()
        #expect(log.text == "Sa Sb N9 Da Db")
    }

    // Covers: SW-233, OC-109, MT-14, B-63
    @Test func timeoutGoesOnWithTheAlternate() throws {
        let silent = test.hot("------a-|"), alternate = test.cold("-x-y-|")
        let signal = silent.signal |> timeout(4, queue: queue, alternate: alternate.signal)
        test.expectSignal(signal).toBe("-----x-y-|")
        test.expectSignal(signal, subscription: "^-----!").toBe("-----x")
        test.expectSubscriptions(silent).toBe("^---!", "^---!", "^---!")
        test.expectSubscriptions(alternate).toBe("----^----!", "----^-!")
        test.expectSignal(silent.signal |> timeout(4, queue: queue, alternate: test.cold("x#").signal)).toBe("----x#")
        try test.run()
    }

    /// For good: it may be silent afterwards for as long as it likes.
    // Covers: SW-233, C-172
    @Test(arguments: ["---a------b-|", "---#", "---|", "a---------#"]) func theFirstEventOfTheSourceCallsItOff(
        events: String
    ) throws {
        let alternate = test.cold("x|")
        for source in [test.hot(events), test.cold(events)] {
            test.expectSignal(source.signal |> timeout(4, queue: queue, alternate: alternate.signal)).toBe(events)
        }
        test.expectSubscriptions(alternate).toBe()
        try test.run()
    }

    /// An event at the exact time of the time-out: the queue decides, in the order in which both were enqueued.
    /// Covers: SW-233, B-63
    @Test func anEventExactlyAtTheTimeout() throws {
        let earlier = test.hot("----a-|"), later = test.cold("----a-|"), alternate = test.cold("-x|")
        test.expectSignal(earlier.signal |> timeout(4, queue: queue, alternate: alternate.signal)).toBe("----a-|")
        test.expectSignal(later.signal |> timeout(4, queue: queue, alternate: alternate.signal)).toBe("-----x|")
        test.expectSubscriptions(later).toBe("^---!")
        test.expectSubscriptions(alternate).toBe("----^-!")
        try test.run()
    }

    // Covers: SW-233, B-63
    @Test(arguments: ["(^!)", "^--!", "^---!"]) func noAlternateForOneWhoHasDisposed(subscription: String) throws {
        let source = test.cold("-----a"), alternate = test.cold("x")
        test.expectSignal(
            source.signal |> timeout(4, queue: queue, alternate: alternate.signal), subscription: subscription
        ).toBe("")
        test.expectSubscriptions(source).toBe(subscription)
        test.expectSubscriptions(alternate).toBe()
        try test.run()
    }

    /// A value inside the start: in the originals the alternate replaces the working source all the same.
    // Covers: B-63, SW-233, C-172
    @Test func aValueInsideTheStartCallsItOff() {
        let handle = startWithAlternate(sync("s", log, [1], .open), log)
        time.advance(by: 100)
        #expect(log.text == "Ss N1")
        handle.dispose()
        startWithAlternate(sync("t", log, [], .completed), log).dispose()
        time.advance(by: 100)
        #expect(log.text == "Ss N1 Ds St C Dt")
    }

    /// Value and timer at once: one of them wins, never both, and the alternate is not started for one who has disposed.
    // Covers: B-63, SW-233
    @Test func valueTimerAndDisposalAtOnce() {
        for round in 0..<300 {
            let log = Log(), time = VirtualTime()
            let source = ManualSource<Int, String>("a", log)
            let handle = (source.signal() |> timeout(5, queue: time.queue, alternate: sync("b", log, [9], .open)))
                .start(log)
            race(round % 2 == 0 ? 2 : 3) { thread in
                switch thread {
                case 0: source.next(1)
                case 1: time.advance(by: 5)
                default: handle.dispose()
                }
            }
            let entries = log.entries
            #expect(!(entries.contains("N1") && entries.contains("N9")))
            if round % 2 == 0 { #expect(entries.contains("N1") || entries.contains("N9")) }
            #expect(entries.contains("N1") ? !entries.contains("Sb") : true)
            handle.dispose()
            #expect(log.entries.filter { $0 == "Sb" }.count == log.entries.filter { $0 == "Db" }.count)
            #expect(log.entries.filter { $0 == "Da" }.count == 1)
        }
    }

    // Covers: B-63, SW-233
    @Test func disposalLetsTheAlternateGo() {
        let tracker = LifetimeTracker()
        let queue = time.queue, source = a
        func start() -> any Disposable {
            let probe = tracker.make()
            let alternate = Signal<Int, String> { _ in
                probe.touch(); return EmptyDisposable
            }
            return (source.signal() |> timeout(5, queue: queue, alternate: alternate)).start()
        }
        let handle = start()
        #expect(tracker.live == 1)
        handle.dispose()
        #expect(tracker.live == 0)
        let called = start()
        a.next(1)
        #expect(tracker.live == 0)
        called.dispose()
    }

    // MARK: wait

    // Covers: OC-110, B-64
    @Test func waitBlocksUntilTheFirstEvent() {
        let subscribed = DispatchSemaphore(value: 0)
        let source = ManualSource<Int, String>("a", log)
        Foundation.Thread.detachNewThread {
            subscribed.wait()
            source.next(1)
        }
        let handle = (source.signal { _ in subscribed.signal() } |> wait(60)).start(log)
        #expect(eventually { log.text == "Sa N1" })
        handle.dispose()
        // It returns after the time-out, and nothing is cancelled.
        let late = (source.signal() |> wait(0.01)).start(log)
        source.next(2)
        #expect(log.text == "Sa N1 Da Sa N2")
        late.dispose()
    }

    // MARK: debounce

    /// The originals emit the first value only, once.
    // Covers: B-65, OC-107
    @Test func debounceEmitsTheLatestWhenItIsQuiet() throws {
        let source = test.hot("                                            -a-bc----d----e-|")
        test.expectSignal(source.signal |> debounce(2, queue: queue)).toBe("------c----d----(e|)")
        test.expectSignal(source.signal |> throttleOn(queue, delay: 2)).toBe("------c----d----(e|)")
        test.expectSignal(source.signal |> debounce(2, queue: queue), subscription: "^----------!").toBe("------c")
        test.expectSubscriptions(source).toBe("^---------------!", "^---------------!", "^----------!")
        try test.run()
    }

    /// A value exactly when the one before was to be emitted takes its place, if it was asked for earlier than that.
    // Covers: B-65, OC-107
    @Test func aValueExactlyWhenItWouldBeQuiet() throws {
        let earlier = test.hot("-a-b-----|"), later = test.cold("-(a|)").signal |> then(test.cold("--b-----|").signal)
        test.expectSignal(earlier.signal |> debounce(2, queue: queue)).toBe("-----b---|")
        test.expectSignal(later |> debounce(2, queue: queue)).toBe("---a-b---|")
        try test.run()
    }

    /// Completion emits the pending value, and an error drops it.
    /// Covers: B-65, OC-107
    @Test func theEndOfWhatIsDebounced() throws {
        for (source, expected) in [
            ("-a-b|", "----(b|)"), ("-a-|", "---(a|)"), ("-a--|", "---a|"), ("--|", "--|"), ("-a-b#", "----#"),
            ("-a--#", "---a#"),
        ] {
            test.expectSignal(test.hot(source).signal |> debounce(2, queue: queue)).toBe(expected)
        }
        try test.run()
    }

    /// Off the queue, both are on their way when the source is disposed.
    // Covers: B-65, OC-107
    @Test func throttleOnFromElsewhereEndsOnTheQueue() {
        let handle = (a.signal() |> throttleOn(time.queue, delay: 2)).start(log)
        a.next(4)
        a.complete()
        time.advance(by: 0)
        #expect(log.text == "Sa Da N4 C")
        handle.dispose()
    }

    // Covers: B-65, OC-107
    @Test func throttleOnAnErrorDropsWhatWaitsAndDisposalStopsTheTimer() {
        let tracker = LifetimeTracker()
        let failed = (a.signal() |> throttleOn(time.queue, delay: 2)).start(log)
        a.next(1)
        a.fail("x")
        time.advance(by: 0)
        #expect(log.text == "Sa Da Ex")
        failed.dispose()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>()
        let handle = (source.signal() |> throttleOn(time.queue, delay: 2)).start(next: { _ in
            Issue.record("a value after disposal")
        })
        source.next(tracker.make())
        time.advance(by: 1)
        handle.dispose()
        #expect(tracker.live == 0)
        time.advance(by: 10)
    }

    /// A callback that emits into the source: under a lock this would wait for itself.
    // Covers: B-65, OC-107
    @Test func throttleOnMayBeFedFromItsOwnCallback() {
        let source = a
        let handle = (a.signal() |> throttleOn(time.queue, delay: 1)).start(next: { [log] value in
            log.add("N\(value)")
            if value < 3 { source.next(value + 1) }
        })
        a.next(1)
        time.advance(by: 10)
        #expect(log.text == "Sa N1 N2 N3")
        handle.dispose()
    }

    // MARK: throttle

    @Test func throttleEmitsAtOnceAndThenTheLatest() throws {
        let source = test.hot("                                            abc----ef-----g---|")
        test.expectSignal(source.signal |> throttle(3, queue: queue)).toBe("a--c---e--f---g---|")
        try test.run()
    }

    /// A value exactly when the interval is over is emitted then, and begins the next.
    @Test func aValueExactlyAtTheEndOfTheInterval() throws {
        let earlier = test.hot("a-b-cd---|"), later = test.cold("(a|)").signal |> then(test.cold("--b-c---|").signal)
        test.expectSignal(earlier.signal |> throttle(2, queue: queue)).toBe("a-b-c-d--|")
        test.expectSignal(later |> throttle(2, queue: queue)).toBe("a-b-c---|")
        try test.run()
    }

    /// Completion emits the pending value. An error and a disposal drop it.
    @Test func theEndOfWhatIsThrottled() throws {
        for (source, expected) in [
            ("abc|", "a--(c|)"), ("a-|", "a-|"), ("abc-|", "a---(c|)"), ("abc--|", "a---c|"), ("|", "|"),
            ("abc#", "a--#"),
        ] {
            test.expectSignal(test.hot(source).signal |> throttle(4, queue: queue)).toBe(expected)
        }
        let source = test.hot("ab---c")
        test.expectSignal(source.signal |> throttle(4, queue: queue), subscription: "^---!").toBe("a")
        test.expectSubscriptions(source).toBe("^---!")
        try test.run()
    }
}
