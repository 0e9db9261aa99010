import SignalKitCore
import SignalKitTesting
import Testing

/// Operators that run signals in sequence, as diagrams. `MetaTests` and `CatchTests` test the order at one time, and
/// threads.
@Suite struct InnerDiagramTests {
    private let test = TestScheduler()

    /// A hot source of signals: each digit is one of them, cold.
    private func outer(
        _ marbles: String, _ inners: [Character: MarbleSource<String, String>]
    ) -> MarbleSource<Signal<String, String>, String> {
        test.hot(marbles, values: inners.mapValues(\.signal))
    }

    // MARK: switchToLatest

    // Covers: SW-168, OC-77, MT-20, C-145
    @Test func switchToLatestLeavesTheOldOne() throws {
        let a = test.cold("                                        --a--b--|"), x = test.cold("-x-y-|")
        let outer = outer("                                       -1--2-|", ["1": a, "2": x])
        test.expectSignal(outer.signal |> switchToLatest).toBe("  ---a-x-y-|")
        test.expectSubscriptions(outer).toBe("                    ^-----!")
        test.expectSubscriptions(a).toBe("                        -^--!")
        test.expectSubscriptions(x).toBe("                        ----^----!")
        try test.run()
    }

    /// At the time of the change the first event counts: a value of the old signal is received before it, and not after
    /// it.
    /// Covers: SW-168, B-50, C-145
    @Test func aValueExactlyAtTheChange() throws {
        let earlier = test.hot("----a---b"), later = test.cold("----a---b"), x = test.cold("x-----|")
        test.expectSignal(outer("1---2-|", ["1": earlier, "2": x]).signal |> switchToLatest).toBe("----(ax)--|")
        test.expectSignal(outer("1---2-|", ["1": later, "2": x]).signal |> switchToLatest).toBe("  ----x-----|")
        test.expectSubscriptions(earlier).toBe("^---!")
        test.expectSubscriptions(later).toBe("  ^---!")
        try test.run()
    }

    // Covers: SW-168, C-145
    @Test(arguments: [
        ("-1-|", "-a---|", "--a---|"), ("-1------|", "-a|", "--a-----|"), ("-1--|", "-a-|", "--a-|"),
        ("---|", "a|", "---|"),
        ("-1----#", "-a|", "--a---#"), ("-1--#", "-a-b-c", "--a-#"), ("-1-----1", "-a#", "--a#"),
        ("-1-|", "-a---#", "--a---#"),
    ]) func switchToLatestEnds(marbles: String, inner: String, expected: String) throws {
        test.expectSignal(outer(marbles, ["1": test.cold(inner)]).signal |> switchToLatest).toBe(expected)
        try test.run()
    }

    // Covers: SW-168, C-145, C-24
    @Test func theEndOfOneIsTheEndOfTheOther() throws {
        let failing = test.cold("-a#"), first = outer("-1-----1", ["1": failing])
        test.expectSignal(first.signal |> switchToLatest).toBe("--a#")
        test.expectSubscriptions(first).toBe("                  ^--!")
        test.expectSubscriptions(failing).toBe("                -^-!")
        let silent = test.cold("-----"), second = outer("-1--#", ["1": silent])
        test.expectSignal(second.signal |> switchToLatest).toBe("----#")
        test.expectSubscriptions(silent).toBe("                 -^--!")
        let left = test.cold("-----"), third = outer("  -1---", ["1": left])
        test.expectSignal(third.signal |> switchToLatest, subscription: "^----!").toBe("")
        test.expectSubscriptions(third).toBe("                  ^----!")
        test.expectSubscriptions(left).toBe("                   -^---!")
        try test.run()
    }

    // Covers: SW-171, OC-80, MT-23, C-146
    @Test func mapToSignalFollowsTheLatest() throws {
        let test = test, source = test.hot("-a--b---|")
        test.expectSignal(source.signal |> mapToSignal { test.cold("\($0)-\($0)-\($0)|").signal }).toBe("-a-ab-b-b|")
        try test.run()
    }

    // MARK: queue

    // Covers: SW-169, OC-78, C-147
    @Test func queueRunsOneAfterTheOther() throws {
        let a = test.cold("                                         -a-b-|"), x = test.cold("-x-|")
        let outer = outer("                                        12-|", ["1": a, "2": x])
        test.expectSignal(outer.signal |> SignalKitCore.queue).toBe("  -a-b--x-|")
        test.expectSubscriptions(outer).toBe("                     ^--!")
        test.expectSubscriptions(a).toBe("                         ^----!")
        test.expectSubscriptions(x).toBe("                         -----^--!")
        try test.run()
    }

    // Covers: SW-169, C-147
    @Test func whatComesToAnIdleQueueRunsAtOnce() throws {
        let x = test.cold("-x|"), outer = outer("1----2--|", ["1": test.cold("-a|"), "2": x])
        test.expectSignal(outer.signal |> SignalKitCore.queue).toBe("-a----x-|")
        test.expectSubscriptions(x).toBe("                         -----^-!")
        try test.run()
    }

    // Covers: SW-169, C-147, C-26, C-27
    @Test func anErrorStopsAQueue() throws {
        let never = test.cold("x|"), byInner = outer("123", ["1": test.cold("-a|"), "2": test.cold("-#"), "3": never])
        test.expectSignal(byInner.signal |> SignalKitCore.queue).toBe("-a-#")
        test.expectSubscriptions(byInner).toBe("                   ^--!")
        let running = test.cold("a-b-c-|"), byOuter = outer("12-#", ["1": running, "2": never])
        test.expectSignal(byOuter.signal |> SignalKitCore.queue).toBe("a-b#")
        test.expectSubscriptions(running).toBe("                   ^--!")
        let left = outer("12---", ["1": test.cold("-a---"), "2": never])
        test.expectSignal(left.signal |> SignalKitCore.queue, subscription: "^--!").toBe("-a")
        test.expectSubscriptions(never).toBe()
        try test.run()
    }

    // Covers: SW-173, OC-81, C-147
    @Test func mapToQueueGoesOnWhenTheSourceHasEnded() throws {
        let test = test, source = test.hot("ab-|")
        test.expectSignal(source.signal |> mapToQueue { test.cold("-\($0)-\($0)|").signal }).toBe("-a-a-b-b|")
        try test.run()
    }

    // MARK: throttled

    // Covers: SW-170, OC-79, C-148
    @Test func throttledKeepsOnlyTheLatestThatWaits() throws {
        let skipped = test.cold("x|"), last = test.cold("-d|")
        let outer = outer(
            "                                   1234----|",
            ["1": test.cold("-a---|"), "2": skipped, "3": skipped, "4": last])
        test.expectSignal(outer.signal |> throttled).toBe("   -a----d-|")
        test.expectSubscriptions(last).toBe("                 -----^-!")
        test.expectSubscriptions(skipped).toBe()
        try test.run()
    }

    // Covers: SW-174, OC-82, C-148
    @Test func mapToThrottledRunsWhatWaitsAtTheEnd() throws {
        let test = test, source = test.hot("abc------de-|")
        test.expectSignal(source.signal |> mapToThrottled { test.cold("-\($0)--|").signal }).toBe("-a---c----d---e--|")
        try test.run()
    }

    // Covers: SW-170, C-148
    @Test func anErrorDropsWhatWaits() throws {
        let never = test.cold("x|")
        test.expectSignal(outer("12", ["1": test.cold("-a#"), "2": never]).signal |> throttled).toBe("-a#")
        test.expectSignal(outer("12--#", ["1": test.cold("-a----|"), "2": never]).signal |> throttled).toBe("-a--#")
        test.expectSubscriptions(never).toBe()
        try test.run()
    }

    // MARK: One after the end of another

    // Covers: SW-175, OC-83, MT-12, C-149
    @Test func thenGoesOnWithTheSecond() throws {
        let a = test.cold("                                              -a-b-|"), x = test.cold("-x-|")
        test.expectSignal(a.signal |> then(x.signal)).toBe("             -a-b--x-|")
        test.expectSignal(a.signal |> then(x.signal), subscription: "^------!").toBe("-a-b--x")
        test.expectSubscriptions(a).toBe("                               ^----!", "^----!")
        test.expectSubscriptions(x).toBe("                               -----^--!", "-----^-!")
        let unused = test.cold("x|")
        test.expectSignal(test.cold("-a#").signal |> then(unused.signal)).toBe("-a#")
        test.expectSignal(test.cold("-a|").signal |> then(test.cold("-b#").signal)).toBe("-a-b#")
        test.expectSubscriptions(unused).toBe()
        try test.run()
    }

    // Covers: SW-203, OC-90, MT-15, C-158
    @Test func catchGoesOnWithTheAlternative() throws {
        let a = test.cold("-a-#"), x = test.cold("-x-|"), failing = test.cold("-y#"), unused = test.cold("z")
        test.expectSignal(a.signal |> `catch` { _ in x.signal }).toBe("-a--x-|")
        test.expectSignal(a.signal |> `catch` { _ in failing.signal }).toBe("-a--y#")
        test.expectSubscriptions(a).toBe("^--!", "^--!")
        test.expectSubscriptions(x).toBe("---^--!")
        test.expectSignal(test.cold("-a-|").signal |> `catch` { (_: String) in unused.signal }).toBe("-a-|")
        test.expectSubscriptions(unused).toBe()
        try test.run()
    }

    // Covers: SW-204, OC-91, MT-18, C-159, C-28
    @Test func restartStartsAgainAtOnce() throws {
        let source = test.cold("                                            -a-|")
        test.expectSignal(source.signal |> restart, subscription: "^-------!").toBe("-a--a--a")
        test.expectSubscriptions(source).toBe("^--!", "---^--!", "------^-!")
        test.expectSignal(test.attempts("-a|", "--b#") |> restart).toBe("-a--b#")
        try test.run()
    }

    // Covers: SW-208, SW-209, OC-92, C-160, C-161
    @Test func afterAnErrorAgainAtOnce() throws {
        test.expectSignal(test.attempts("-a#", "#", "-b#", "-c|") |> restartIfError).toBe("-a-b-c|")
        var left = 2
        test.expectSignal(
            test.attempts("-a#", "-b#")
                |> retryIf { (_: String) in
                    left -= 1
                    return left > 0
                }
        ).toBe("-a-b#")
        try test.run()
    }
}
