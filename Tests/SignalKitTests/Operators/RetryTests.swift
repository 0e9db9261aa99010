import SignalKitTesting
import Testing
@testable import SignalKitCore

@Suite struct RetryTests {
    private let test = TestScheduler()
    private let log = Log()
    private let a: ManualSource<Int, String>

    init() { a = ManualSource("a", log) }

    private var time: VirtualTime { test.time }
    private var queue: Queue { test.queue }

    /// The failed one is disposed at once, and no wait is longer than the longest.
    // Covers: SW-206, C-162
    @Test func retryWaitsLongerEachTime() throws {
        let source = test.cold("(a#)")
        let retried: Signal<String, NoError> = source.signal |> retry(2, maxDelay: 5, onQueue: queue)
        test.expectSignal(retried, subscription: "^----------------!").toBe("a-a---a----a----a")
        test.expectSubscriptions(source).toBe("(^!)", "--(^!)", "------(^!)", "-----------(^!)", "----------------(^!)")
        try test.run()
    }

    /// The wait begins with the failure, whatever the attempt took; success is the end.
    // Covers: SW-206, C-162
    @Test func theWaitBeginsWithTheFailure() throws {
        let retried: Signal<String, NoError> =
            test.attempts("-a#", "--b-#", "c-|") |> retry(1, maxDelay: 9, onQueue: queue)
        test.expectSignal(retried).toBe("-a---b---c-|")
        try test.run()
    }

    // Covers: SW-206, B-60
    @Test func theWaitsBecomeShortAgainIfAValueResetsThem() throws {
        for (resets, expected) in [(false, "-a--b---c|"), (true, "-a-b-c|")] {
            let retried: Signal<String, NoError> =
                test.attempts("#", "a#", "b#", "c|") |> retry(1, maxDelay: 9, onQueue: queue, resetOnValue: resets)
            test.expectSignal(retried).toBe(expected)
        }
        try test.run()
    }

    /// Also at the exact time of the next attempt.
    /// Covers: SW-206, B-60, C-162
    @Test(arguments: ["(^!)", "^!", "^--!"]) func noAttemptForOneWhoHasDisposed(subscription: String) throws {
        let source = test.cold("#")
        let retried: Signal<String, NoError> = source.signal |> retry(3, maxDelay: 3, onQueue: queue)
        test.expectSignal(retried, subscription: subscription).toBe("")
        test.expectSubscriptions(source).toBe("(^!)")
        try test.run()
    }

    /// Disposal during the delay: no further attempt, and the stored objects are released immediately, not at the end
    /// of the delay.
    /// Covers: SW-206, SW-207, B-60, B-62, C-162, C-163
    @Test func disposalWhileItWaitsLetsEverythingGo() {
        let tracker = LifetimeTracker()
        let source = a
        let queue = time.queue
        let start = { [log] () -> (any Disposable, any Disposable) in
            let probe = tracker.make()
            let held =
                source.signal()
                |> map { value -> Int in
                    probe.touch(); return value
                }
            return (
                (held |> retry(1, maxDelay: 5, onQueue: queue)).start(log),
                (held
                    |> retry(
                        retryOnError: { _ in true }, delayIncrement: 1, maxDelay: 5, maxRetries: nil, onQueue: queue))
                    .start(log)
            )
        }
        let handles = start()
        source.fail("x")
        #expect(tracker.live == 1)
        handles.0.dispose()
        handles.1.dispose()
        #expect(tracker.live == 0)
        time.advance(by: 10)
        #expect(log.text == "Sa Sa Da Da")
    }

    // Covers: SW-206, C-162
    @Test func retryAttemptsOnTheQueue() {
        let queue = Queue(name: "retry")
        let places = Log()
        let signal = Signal<Int, String> { subscriber in
            places.add(queue.isCurrent() ? "queue" : "caller")
            if places.entries.count < 3 { subscriber.putError("x") } else { subscriber.putCompletion() }
            return EmptyDisposable
        }
        let done = Log()
        let handle = (signal |> retry(0.0001, maxDelay: 0.001, onQueue: queue)).start(completed: { done.add("C") })
        #expect(eventually { done.text == "C" })
        #expect(places.text == "caller queue queue")
        handle.dispose()
    }

    // Covers: SW-207, C-163
    @Test func retryCountsAttempts() throws {
        for (most, expected) in [(0, "-a#"), (1, "-a#"), (2, "-a--a#"), (3, "-a--a---a#"), (nil, "-a--a---a----b|")] {
            test.expectSignal(choosy(test.attempts("-a#", "-a#", "-a#", "-b|"), most)).toBe(expected)
        }
        try test.run()
    }

    // Covers: SW-207, C-163
    @Test func retryGivesUpOnAnErrorThatIsNotAccepted() throws {
        var left = [test.cold("-a#").signal, .fail("no")][...]
        test.expectSignal(choosy(deferred { left.removeFirst() })).toBe("-a-#", values: ["a": "a"], error: "no")
        test.expectSignal(choosy(.fail("no"))).toBe("#", values: [:], error: "no")
        test.expectSignal(choosy(test.attempts("-a|"))).toBe("-a|")
        try test.run()
    }

    /// Retries after any error but one.
    private func choosy(_ source: Signal<String, String>, _ maxRetries: Int? = nil) -> Signal<String, String> {
        source
            |> retry(
                retryOnError: { $0 != "no" }, delayIncrement: 1, maxDelay: 9, maxRetries: maxRetries, onQueue: queue)
    }

    /// An attempt whose timer fires while the failed one still returns, and which fails at once itself: the next wait must not be lost.
    // Covers: B-49, B-60, SW-206
    @Test func veryShortWaitsLoseNoAttempt() {
        let queue = Queue(name: "retry")
        for _ in 0..<200 {
            let done = Log()
            var left = 5
            let source = Signal<Int, String> { subscriber in
                left -= 1
                if left > 0 { subscriber.putError("x") } else { subscriber.putCompletion() }
                return EmptyDisposable
            }
            let handle = (source |> retry(0, maxDelay: 0, onQueue: queue)).start(completed: { done.add("C") })
            #expect(eventually { done.text == "C" })
            handle.dispose()
        }
    }
}
