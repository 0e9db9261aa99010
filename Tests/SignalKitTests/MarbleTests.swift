import SignalKit
import SignalKitTesting
import Testing

/// Operators in which time or interleaving matters, as diagrams.
@Suite struct MarbleTests {
    private let test = TestScheduler()
    private var queue: Queue { test.queue }

    // Covers: SW-231, OC-108, MT-13
    @Test func delayDelaysTheStart() throws {
        let source = test.cold("  -a-b-|")
        test.expectSignal(source.signal |> delay(3, queue: queue)).toBe("----a-b-|")
        test.expectSubscriptions(source).toBe("---^----!")
        try test.run()
    }

    // Covers: SW-231, B-62
    @Test func aDelayThatIsDisposedStartsNothing() throws {
        let source = test.cold("-a|")
        test.expectSignal(source.signal |> delay(3, queue: queue), subscription: "^-!").toBe("---")
        test.expectSubscriptions(source).toBe()
        try test.run()
    }

    // Covers: SW-233, OC-109, MT-14, B-63
    @Test func timeoutGoesOnWithTheAlternate() throws {
        let silent = test.hot("------a-|"), alternate = test.cold("-x-|")
        test.expectSignal(silent.signal |> timeout(4, queue: queue, alternate: alternate.signal)).toBe("-----x-|")
        test.expectSubscriptions(silent).toBe("    ^---!")
        test.expectSubscriptions(alternate).toBe("----^--!")
        let quick = test.hot("   ---a------b-|")
        test.expectSignal(quick.signal |> timeout(4, queue: queue, alternate: test.cold("x").signal)).toBe("---a------b-|")
        try test.run()
    }

    // Covers: B-65, OC-107
    @Test func debounceWaitsForQuiet() throws {
        let source = test.hot("                                            -a-bc----d-|")
        test.expectSignal(source.signal |> debounce(2, queue: queue)).toBe("------c----(d|)")
        let failing = test.hot("                                            -a-b#")
        test.expectSignal(failing.signal |> throttleOn(queue, delay: 2)).toBe("----#")
        try test.run()
    }

    @Test func throttleLimitsTheRate() throws {
        let source = test.hot("                                            ab-c-d----ef-|")
        test.expectSignal(source.signal |> throttle(2, queue: queue)).toBe("a-b-c-d---e-f|")
        try test.run()
    }

    // Covers: SW-213, B-60
    @Test func retryWaitsLongerEachTime() throws {
        let source = test.cold("-a#")
        let retried: Signal<String, NoError> = source.signal |> retry(1, maxDelay: 2, onQueue: queue)
        test.expectSignal(retried, subscription: "^------------!").toBe("-a--a---a---a")
        test.expectSubscriptions(source).toBe("^-!", "---^-!", "-------^-!", "-----------^-!")
        try test.run()
    }

    @Test func switchToLatestLeavesTheOldOne() throws {
        let a = test.cold("--a--b--|"), x = test.cold("-x-y-|")
        let outer = test.hot("-1--2-|", values: ["1": a.signal, "2": x.signal])
        test.expectSignal(outer.signal |> switchToLatest).toBe("---a-x-y-|")
        test.expectSubscriptions(a).toBe("-^--!")
        test.expectSubscriptions(x).toBe("----^----!")
        try test.run()
    }

    @Test func queueRunsOneAfterTheOther() throws {
        let a = test.cold("-a-b-|"), x = test.cold("-x-|")
        let outer = test.hot("12---|", values: ["1": a.signal, "2": x.signal])
        test.expectSignal(outer.signal |> SignalKit.queue).toBe("-a-b--x-|")
        test.expectSubscriptions(x).toBe("-----^--!")
        try test.run()
    }

    @Test func joinedSources() throws {
        let a = test.hot("-a---b---|"), x = test.hot("--x----y--|")
        test.expectSignal(mergeSignals([a.signal, x.signal])).toBe("-ax--b-y--|")
        let pairs = combineLatest(a.signal, x.signal) |> map { $0 + $1 }
        test.expectSignal(pairs).toBe("--A--B-C--|", values: ["A": "ax", "B": "bx", "C": "by"])
        try test.run()
    }

    @Test func takeUntilReplacementChangesOver() throws {
        let a = test.hot("-a-a-a-a"), x = test.cold("x-x|")
        let replacement = test.hot("----1", values: ["1": x.signal])
        test.expectSignal(a.signal |> takeUntilReplacement(replacement.signal), subscription: "^-------!").toBe("-a-ax-x|")
        test.expectSubscriptions(a).toBe("^---!")
        try test.run()
    }

    // MARK: The tests themselves

    @Test func aMismatchShowsBothDiagrams() {
        let source = test.cold("-a-(bc)-|")
        test.expectSignal(source.signal).toBe("-a-b--c-|")
        let error = #expect(throws: MarbleMismatch.self) { try test.run() }
        #expect(error!.description.contains("""
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
        #expect(error!.description.contains("a comes at frame 1.5, between two frames") && error!.description.contains("? at frame 3 is 7"))
    }

    @Test func whatIsNotExpectedIsSeen() {
        for (actual, expected) in [("-a", "--"), ("--", "-a"), ("-a|", "-a"), ("-a", "-a|"), ("-#", "-|"), ("-a", "-b"), ("(ab)", "(ba)"), ("-a", "a-")] {
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

    @Test func hotSourcesBeginBeforeTheTest() throws {
        let source = test.hot("--a--^--b--c-|")
        test.expectSignal(source.signal).toBe("---b--c-|")
        test.expectSignal(source.signal, subscription: "----^").toBe("------c-|")
        try test.run()
    }

    @Test func whatGoesOnForEverIsSaid() {
        let source = test.cold("-#")
        test.expectSignal((source.signal |> retry(1, maxDelay: 1, onQueue: queue)) as Signal<String, NoError>).toBe("")
        let error = #expect(throws: MarbleMismatch.self) { try test.run() }
        #expect(error!.description.contains("for ever"))
    }
}
