import SignalKitCore
import SignalKitTesting
import Testing

/// Simultaneous signals, and signals combined with another, as diagrams. `MergedTests` and `JoiningTests` test the
/// order at one time, and threads.
@Suite struct JoiningDiagramTests {
    private let test = TestScheduler()

    // MARK: merged

    @Test func mergedRunsSoManyAtOnce() throws {
        let a = test.cold("-a---b-|"), x = test.cold("-x-y|"), z = test.cold("-z|")
        let outer = test.hot("12-3------|", values: ["1": a.signal, "2": x.signal, "3": z.signal])
        test.expectSignal(outer.signal |> merged(limit: 2, waiting: nil)).toBe("-ax-ybz---|")
        try test.run()
    }

    @Test func mergedKeepsTheOthersWaiting() throws {
        let a = test.cold("-a--|"), b = test.cold("-b|")
        let outer = test.hot("12-2-----|", values: ["1": a.signal, "2": b.signal])
        test.expectSignal(outer.signal |> merged(limit: 1, waiting: 2, overflow: .fail("x"))).toBe("-a---b-b-|")
        test.expectSubscriptions(a).toBe("^---!")
        test.expectSubscriptions(b).toBe("----^-!", "------^-!")
        try test.run()
    }

    @Test(arguments: [
        ("12----|", "-a-#", "-b-c-|", "-ab#"), ("1-#", "-a---|", "-", "-a#"),
        (
            "1|", "-a-b-|", "-",
            "-a-b-|"
        ), ("-|", "-", "-", "-|"),
    ])
    func mergedEnds(outer: String, first: String, second: String, expected: String) throws {
        let outer = test.hot(outer, values: ["1": test.cold(first).signal, "2": test.cold(second).signal])
        test.expectSignal(outer.signal |> merged(limit: 2, waiting: nil)).toBe(expected)
        try test.run()
    }

    @Test func mapToFirstDropsWhileOneRuns() throws {
        let test = test, source = test.hot("-ab---c-|")
        test.expectSignal(source.signal |> mapToFirst { test.cold("-\($0)-\($0)|").signal }).toBe("--a-a--c-c|")
        try test.run()
    }

    // MARK: Combined with another

    @Test(arguments: [
        ("-a-b-c--|", "--x-y----", "---B-C--|"), ("-a-b-c--|", "--x-|", "---B-D--|"), ("-a-b-c--|", "--x-#", "---B#"),
        ("-a-#", "x", "-A-#"),
        ("-a-b|", "---", "----|"),
    ]) func withLatestFromTakesWhatIsThere(source: String, other: String, expected: String) throws {
        for (one, two) in [(test.hot(source), test.hot(other)), (test.cold(source), test.cold(other))] {
            test.expectSignal(one.signal |> withLatestFrom(two.signal, { $0 + $1 }))
                .toBe(expected, values: ["A": "ax", "B": "bx", "C": "cy", "D": "cx"])
        }
        try test.run()
    }

    @Test(arguments: [
        ("-a-b-c-d-|", "----x-----", "-----c-d-|"), ("-a-b-c-d-|", "----|", "---------|"),
        (
            "-a-b-c-d-|", "----#",
            "----#"
        ), ("-a-#", "---x", "---#"),
    ]) func skipUntilASignal(source: String, signal: String, expected: String) throws {
        test.expectSignal(test.cold(source).signal |> skip(untilSignal: test.cold(signal).signal)).toBe(expected)
        try test.run()
    }

    @Test(arguments: [
        ("-a-b-c-d-|", "----x-----", "-a-b|"), ("-a-b-c-d-|", "----|", "-a-b-c-d-|"), ("-a-b-c-d-|", "----#", "-a-b#"),
        ("-a-#", "---", "-a-#"),
        ("-a-b-|", "x", "|"),
    ]) func takeUntilASignal(source: String, signal: String, expected: String) throws {
        test.expectSignal(test.cold(source).signal |> take(untilSignal: test.cold(signal).signal)).toBe(expected)
        try test.run()
    }

    @Test(arguments: [
        ("-a-bc---d--|", "--x--x-x--x-", "--a--c----d|"), ("-ab-|", "------", "----(b|)"), ("-a-#", "----x", "---#"),
        ("-a----|", "-----#", "-----#"),
    ]) func sampleEmitsTheLatest(source: String, trigger: String, expected: String) throws {
        test.expectSignal(test.cold(source).signal |> sample(on: test.cold(trigger).signal)).toBe(expected)
        try test.run()
    }

    // MARK: zip and race

    @Test(arguments: [
        ("-a-b---|", "--x----y-|", "--A----(B|)"), ("-ab-|", "----x-y-z|", "----A-(B|)"),
        (
            "-a-|", "------|",
            "------|"
        ), ("-ab-#", "--x---", "--A-#"),
        ("-abc", "----x", "---#"),
    ]) func zipPairsThemUp(first: String, second: String, expected: String) throws {
        let pairs =
            zip(
                [test.cold(first).signal, test.cold(second).signal], limit: 2,
                overflow: .fail("error")) |> map { $0.joined() }
        test.expectSignal(pairs).toBe(expected, values: ["A": "ax", "B": "by"])
        try test.run()
    }

    @Test(arguments: [
        ("---a--b-|", "--x--y|", "--x--y|"), ("-a-|", "-x-", "-a-|"), ("---", "--#", "--#"), ("---a", "--|", "--|"),
    ]) func raceFollowsTheFirst(first: String, second: String, expected: String) throws {
        test.expectSignal(race([test.cold(first).signal, test.cold(second).signal])).toBe(expected)
        try test.run()
    }
}
