import Dispatch
import Foundation
import Synchronization
import Testing
@testable import SignalKit

@Suite struct TimingTests {
    private let log = Log()
    private let time = VirtualTime()
    private let a: ManualSource<Int, String>

    init() { a = ManualSource("a", log) }

    // MARK: delay

    // Covers: SW-231, OC-108, MT-13, C-171
    @Test func delayStartsTheSignalLater() {
        let handle = (a.signal() |> delay(5, queue: time.queue)).start(log)
        time.advance(by: 4.9)
        #expect(log.text == "")
        time.advance(by: 0.2)
        #expect(log.text == "Sa")
        a.next(1)
        a.fail("x")
        #expect(log.text == "Sa N1 Ex Da")
        handle.dispose()
        let second = (a.signal() |> delay(5, queue: time.queue)).start(log)
        time.advance(by: 5)
        second.dispose()
        #expect(log.text == "Sa N1 Ex Da Sa Da")
    }

    /// Disposal before the time cancels at once, and lets the source and the callbacks go; letting the handle go cancels nothing.
    // Covers: B-62, SW-231, SW-232, C-171
    @Test func disposalBeforeTheTime() {
        let tracker = LifetimeTracker()
        let queue = time.queue, source = a
        func start(_ operation: @escaping (Signal<Int, String>) -> Signal<Int, String>) -> any Disposable {
            let probe = tracker.make()
            return (source.signal() |> map { value -> Int in probe.touch(); return value } |> operation).start(next: { _ in probe.touch() })
        }
        for handle in [start(delay(5, queue: queue)), start(suspendAwareDelay(2, queue: queue)), start(suspendAwareDelay(50, queue: queue)), start(runOn(queue))] {
            handle.dispose()
        }
        #expect(tracker.live == 0)
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
            #expect(eventually { !source.subscribers.isEmpty })
            source.next(1)
            handle.dispose()
            #expect(eventually { log.text == "Sa N1 Da" })
        }
    }

    // Covers: SW-232, C-171
    @Test func suspendAwareDelayCountsSleep() {
        let handle = (a.signal() |> suspendAwareDelay(100, granularity: 4, queue: time.queue)).start(log)
        time.advance(by: 50)
        #expect(log.text == "")
        // The system sleeps for an hour: at the next look at the clock it is time.
        time.suspend(for: 3_600)
        time.advance(by: 4)
        #expect(log.text == "Sa")
        handle.dispose()
        let short = (a.signal() |> suspendAwareDelay(4, granularity: 4, queue: time.queue)).start(log)
        time.advance(by: 3.9)
        #expect(log.text == "Sa Da")
        time.advance(by: 0.2)
        #expect(log.text == "Sa Da Sa")
        short.dispose()
        let long = (a.signal() |> suspendAwareDelay(100, queue: time.queue)).start(log)
        time.advance(by: 99)
        #expect(log.text == "Sa Da Sa Da")
        time.advance(by: 1.5)
        #expect(log.text == "Sa Da Sa Da Sa")
        long.dispose()
    }

    // MARK: timeout

    private func timeout(_ source: Signal<Int, String>, _ log: Log) -> any Disposable {
        (source |> SignalKit.timeout(5, queue: time.queue, alternate: sync("b", log, [9], .open))).start(log)
    }

    // Covers: SW-233, OC-109, MT-14, C-172
    @Test func theAlternateStartsBeforeTheSourceIsDisposed() {
        let handle = timeout(a.signal(), log)
        let subscriber = a.subscribers[0]
        time.advance(by: 5)
        #expect(log.text == "Sa Sb N9 Da")
        subscriber.putNext(1)
        subscriber.putError("x")
        #expect(log.text == "Sa Sb N9 Da")
        handle.dispose()
        #expect(log.text == "Sa Sb N9 Da Db")
    }

    // Covers: SW-233, C-172
    @Test func theFirstEventOfTheSourceCallsItOff() {
        for event in ["next", "complete", "fail", "dispose"] {
            let log = Log()
            let source = ManualSource<Int, String>("a", log)
            let handle = timeout(source.signal(), log)
            time.advance(by: 4)
            switch event {
            case "next": source.next(1)
            case "complete": source.complete()
            case "fail": source.fail("x")
            default: handle.dispose()
            }
            time.advance(by: 100)
            #expect(log.text == ["next": "Sa N1", "complete": "Sa C Da", "fail": "Sa Ex Da", "dispose": "Sa Da"][event])
            handle.dispose()
        }
    }

    /// A value inside the start: in the originals the alternate replaces the working source all the same.
    // Covers: B-63, SW-233, C-172
    @Test func aValueInsideTheStartCallsItOff() {
        let handle = timeout(sync("s", log, [1], .open), log)
        time.advance(by: 100)
        #expect(log.text == "Ss N1")
        handle.dispose()
        timeout(sync("t", log, [], .completed), log).dispose()
        time.advance(by: 100)
        #expect(log.text == "Ss N1 Ds St C Dt")
    }

    /// Value and timer at once: one of them wins, never both, and the alternate is not started for one who has disposed.
    // Covers: B-63, SW-233
    @Test func valueTimerAndDisposalAtOnce() {
        for round in 0..<300 {
            let log = Log(), time = VirtualTime()
            let source = ManualSource<Int, String>("a", log)
            let handle = (source.signal() |> SignalKit.timeout(5, queue: time.queue, alternate: sync("b", log, [9], .open))).start(log)
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
            let alternate = Signal<Int, String> { _ in probe.touch(); return EmptyDisposable }
            return (source.signal() |> SignalKit.timeout(5, queue: queue, alternate: alternate)).start()
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
        // When the time is over it returns, and nothing is cancelled.
        let late = (source.signal() |> wait(0.01)).start(log)
        source.next(2)
        #expect(log.text == "Sa N1 Da Sa N2")
        late.dispose()
    }

    // MARK: throttleOn

    /// The originals emit the first value only, once.
    // Covers: B-65, OC-107
    @Test func throttleOnEmitsTheLatestWhenItIsQuiet() {
        let handle = (a.signal() |> throttleOn(time.queue, delay: 2)).start(log)
        a.next(1)
        time.advance(by: 1)
        a.next(2)
        time.advance(by: 1.5)
        #expect(log.text == "Sa")
        time.advance(by: 1)
        #expect(log.text == "Sa N2")
        a.next(3)
        time.advance(by: 2)
        #expect(log.text == "Sa N2 N3")
        a.next(4)
        a.complete()
        time.advance(by: 0)
        #expect(log.text == "Sa N2 N3 Da N4 C")
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
        let handle = (source.signal() |> throttleOn(time.queue, delay: 2)).start(next: { _ in Issue.record("a value after disposal") })
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

    @Test func throttleEmitsAtOnceAndThenTheLatest() {
        let handle = (a.signal() |> throttle(2, queue: time.queue)).start(log)
        a.next(1)
        time.advance(by: 0)
        #expect(log.text == "Sa N1")
        a.next(2)
        a.next(3)
        time.advance(by: 2)
        #expect(log.text == "Sa N1 N3")
        time.advance(by: 10)
        a.next(4)
        time.advance(by: 0)
        #expect(log.text == "Sa N1 N3 N4")
        handle.dispose()
    }
}
