import SignalKitCore
import SignalKitTesting
import Testing

/// The marble tests themselves.
@Suite struct MarbleTests {
    private let test = TestScheduler()
    private var queue: Queue { test.queue }

    @Test func aMismatchShowsBothDiagrams() {
        let source = test.cold("-a-(bc)-|")
        test.expectSignal(source.signal).toBe("-a-b--c-|")
        let error = #expect(throws: MarbleMismatch.self) { try test.run() }
        #expect(
            error!.description.contains(
                """
                they differ at frame 3
                  expected  -a-b   --c-|
                  actual    -a-(bc)----|
                               ^
                """))
    }

    @Test func valuesOutsideOfTheDiagramAreNamed() {
        let source = test.cold("-a-b|", values: ["a": 1, "b": 7])
        test.expectSignal(source.signal |> delay(0.5, queue: queue)).toBe("-a-c|", values: ["a": 1, "c": 3])
        let error = #expect(throws: MarbleMismatch.self) { try test.run() }
        #expect(
            error!.description.contains("a comes at frame 1.5, between two frames")
                && error!.description.contains("? at frame 3 is 7"))
    }

    @Test func whatIsNotExpectedIsSeen() {
        for (actual, expected) in [
            ("-a", "--"), ("--", "-a"), ("-a|", "-a"), ("-a", "-a|"), ("-#", "-|"), ("-a", "-b"), ("(ab)", "(ba)"),
            ("-a", "a-"),
        ] {
            let test = TestScheduler()
            test.expectSignal(test.cold(actual).signal).toBe(expected)
            #expect(throws: MarbleMismatch.self) { try test.run() }
        }
        for (unsubscribed, expected) in [("^--!", "^-!"), ("^-!", "^"), ("-^!", "^-!")] {
            let test = TestScheduler()
            let never = test.cold("-----")
            test.expectSignal(never.signal, subscription: unsubscribed).toBe("-----")
            test.expectSubscriptions(never).toBe(expected)
            #expect(throws: MarbleMismatch.self) { try test.run() }
        }
    }

    @Test func aPauseThatIsNotExpectedIsSeen() {
        for (held, expected) in [("^p-r", "^p--!"), ("^p-r", "^--!"), ("^p", "^p-r"), ("^", "^p")] {
            let test = TestScheduler()
            let source = test.cold("a|")
            _ = test.expectSignal(source.signal, subscription: held)
            test.expectSubscriptions(source).toBe(expected)
            #expect(throws: MarbleMismatch.self) { try test.run() }
        }
    }

    @Test func hotSourcesBeginBeforeTheTest() throws {
        let source = test.hot("--a--^--b--c-|")
        test.expectSignal(source.signal).toBe("---b--c-|")
        test.expectSignal(source.signal, subscription: "----^").toBe("------c-|")
        try test.run()
    }

    @Test func aColdSourceWaitsForTheEndOfAPause() throws {
        let source = test.cold("-a-b-c-d-|"), end = test.cold("a--|"), hot = test.hot("-a-b-|")
        test.expectSignal(source.signal, subscription: "^-p---r-p--r").toBe("-a----b----c-d-|")
        test.expectSubscriptions(source).toBe("^--p--r-p--r---!")
        let first = test.cold("--(ab)|")
        test.expectSignal(first.signal, subscription: "^-p-r").toBe("----(ab)|")
        test.expectSubscriptions(first).toBe("^-p-r---!")
        test.expectSignal(end.signal, subscription: "^p").toBe("a--|") // an end does not wait
        test.expectSubscriptions(end).toBe("^--!")
        test.expectSignal(hot.signal, subscription: "^p").toBe("-a-b-|") // nothing can pause it
        test.expectSubscriptions(hot).toBe("^----!")
        try test.run()
    }

    @Test func timesInDiagrams() throws {
        for (text, expected) in [
            ("9s a|", "---------a|"), ("a 2s b 1m |", "a--b 60s |"), ("2000ms a", "2s a"),
            ("-- 3s (ab) 0s c|", "-----(ab)c|"), ("a9s|", "a9s|"),
        ] {
            let test = TestScheduler()
            test.expectSignal(test.cold(text).signal).toBe(expected)
            try test.run()
        }
        let test = TestScheduler(secondsPerFrame: 0.1)
        let source = test.hot("a 200ms ^b 1.5s c")
        test.expectSignal(source.signal, subscription: "^ 1s !").toBe("-b")
        test.expectSubscriptions(source).toBe("^ 1s !")
        try test.run()
    }

    @Test func marksThatMeanNothingAreRejected() async {
        await #expect(processExitsWith: .failure) { _ = TestScheduler().cold("-^a") }
        await #expect(processExitsWith: .failure) { _ = TestScheduler().hot("-^a^") }
        await #expect(processExitsWith: .failure) { _ = TestScheduler().hot("-^a!") }
        await #expect(processExitsWith: .failure) { _ = TestScheduler().cold("9ms a|") }
        for wrong in ["-", "^r", "^pp", "^!p", "^-a", "p^", "^!!"] {
            await #expect(processExitsWith: .failure) { [wrong = wrong as String] in
                _ = TestScheduler().expectSignal(Signal<Int, NoError>.never(), subscription: wrong)
            }
        }
    }

    @Test func whatGoesOnForEverIsSaid() {
        let source = test.cold("-#")
        test.expectSignal((source.signal |> retry(1, maxDelay: 1, onQueue: queue)) as Signal<String, NoError>).toBe("")
        let error = #expect(throws: MarbleMismatch.self) { try test.run() }
        #expect(error!.description.contains("for ever"))
    }
}
