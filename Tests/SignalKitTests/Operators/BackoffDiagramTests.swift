import SignalKitTesting
import Testing
@testable import SignalKitCore

@Suite struct BackoffDiagramTests {
    private let test = TestScheduler()

    private func waits(_ count: Int, _ backoff: RetryBackoff) -> [Double] {
        var machine = BackoffMachine(backoff)
        return (1...count).map { machine.wait(after: $0) }
    }

    @Test func theWaitsGrowUpToTheLongest() throws {
        #expect(waits(5, .exponential(initial: 1, factor: 3, max: 20)) == [1, 3, 9, 20, 20])
        let source = test.cold("a#")
        let backoff = RetryBackoff.exponential(initial: 1, max: 3)
        test.expectSignal(source.signal |> retry(4, backoff: backoff, queue: test.queue)).toBe("a-a--a---a#")
        test.expectSignal(source.signal |> retry(1, backoff: backoff, queue: test.queue)).toBe("a#")
        test.expectSignal(
            source.signal |> retry(nil, backoff: backoff, queue: test.queue, resetOnValue: true),
            subscription: "^-----!"
        ).toBe("a-a-a")
        try test.run()
    }

    /// The same in each run with a seed; other waits with another one, or none.
    @Test func theJitterIsRepeated() {
        let seeded = RetryBackoff.exponential(initial: 8, factor: 1, max: 10, jitter: 0.5, seed: 1)
        let all = waits(1000, seeded)
        #expect(all == waits(1000, seeded))
        #expect(all != waits(1000, .exponential(initial: 8, factor: 1, max: 10, jitter: 0.5, seed: 2)))
        let free = RetryBackoff.exponential(initial: 8, factor: 1, max: 10, jitter: 0.5)
        #expect(waits(10, free) != waits(10, free))
        #expect(all.allSatisfy { $0 >= 4 && $0 <= 10 } && all.contains { $0 < 4.5 } && all.contains(10))
    }

    // MARK: retryWhen

    @Test(arguments: [
        ("--1", "a--a--(a|)"), ("(12)", "aa(a|)"), ("--|", "a--#"), ("--#", "a--#"), ("--1|", "a--a--(a|)"),
    ])
    func aSignalSaysWhen(trigger: String, expected: String) throws {
        let source = test.attempts("a#", "a#", "(a|)"), when = test.cold(trigger)
        var failures: [Int] = []
        let retried =
            source
            |> retryWhen { (_, count: Int) -> Signal<String, String> in
                failures.append(count)
                return when.signal
            }
        test.expectSignal(retried).toBe(expected)
        try test.run()
        #expect(failures == (expected.last == ")" ? [1, 2] : [1]))
    }

    /// The error at the end.
    @Test func theErrorOfTheEnd() {
        let log = Log()
        let failing = Signal<Int, String>.fail("source")
        (failing |> retryWhen { _, _ in Signal<Int, String>.complete() }).start(log).dispose()
        (failing |> retryWhen { _, _ in Signal<Int, String>.fail("trigger") }).start(log).dispose()
        #expect(log.text == "Esource Etrigger")
    }

    @Test func aMillionAttemptsInALoop() {
        let log = Log()
        var attempts = 0
        let source = Signal<Int, String> { subscriber in
            attempts += 1
            if attempts < 100_000 { subscriber.putError("x") } else { subscriber.putCompletion() }
            return EmptyDisposable
        }
        (source |> retryWhen { _, _ in Signal<Int, String>.single(1) }).start(log).dispose()
        #expect(log.text == "C" && attempts == 100_000)
    }
}
