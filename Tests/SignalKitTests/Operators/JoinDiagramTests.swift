import SignalKitCore
import SignalKitTesting
import Testing

/// Operators that combine sources, as diagrams. `CombineTests` and `TakeTests` test the order at one time, and threads.
@Suite struct JoinDiagramTests {
    private let test = TestScheduler()

    // MARK: combineLatest

    /// The forms of it, which do the same: of a tuple, of an array, and both on a queue.
    private func pairs(_ a: MarbleSource<String, String>, _ b: MarbleSource<String, String>) -> [Signal<String, String>]
    {
        [nil, test.queue].flatMap { queue in
            [
                combineLatest(queue: queue, a.signal, b.signal) |> map { $0 + $1 },
                combineLatest(queue: queue, [a.signal, b.signal]) |> map { $0.joined() },
            ]
        }
    }

    // Covers: SW-176, SW-202, OC-87, MT-17, C-152, C-155, C-156
    @Test(arguments: [
        ("-a---b---|", "--x----y--|", "--A--B-C--|"),
        // At the same moment there is one for each, in the order of the sources.
        ("-a-b---|", "-x-y---|", "-A-(BC)|"),
        // All have to complete; the last value of one that has stays.
        ("-a-|", "--x--y-|", "--A--D-|"), ("-a-|", "------|", "------|"), ("-|", "--x--|", "-----|"),
        ("(a|)", "(x|)", "(A|)"),
        // The first error is the end.
        ("-a--#", "--x-----|", "--A-#"), ("-a---b", "--x-#", "--A-#"), ("-a-|", "---#", "---#"), ("--#", "--x", "--#"),
    ]) func combineLatestOfTwo(first: String, second: String, expected: String) throws {
        for signal in pairs(test.hot(first), test.hot(second)) + pairs(test.cold(first), test.cold(second)) {
            test.expectSignal(signal).toBe(expected, values: ["A": "ax", "B": "bx", "C": "by", "D": "ay"])
        }
        try test.run()
    }

    // Covers: SW-176, SW-202, C-152
    @Test func combineLatestLetsGoOfEachAtItsEnd() throws {
        for form in 0..<4 {
            // Each has its own scheduler.
            let suite = JoinDiagramTests(), test = suite.test
            let a = test.hot("-a--|"), x = test.cold("--x---#"), left = test.hot("--------b")
            test.expectSignal(suite.pairs(a, x)[form]).toBe("--A---#", values: ["A": "ax"])
            test.expectSubscriptions(a).toBe("^---!")
            test.expectSubscriptions(x).toBe("^-----!")
            test.expectSignal(suite.pairs(left, test.cold("-#"))[form]).toBe("-#")
            test.expectSignal(suite.pairs(left, test.cold("--"))[form], subscription: "-^--!").toBe("")
            test.expectSubscriptions(left).toBe("^!", "-^--!")
            try test.run()
        }
    }

    // Covers: SW-201, OC-88, B-55, C-153
    @Test func initialValuesAreThereAtOnce() throws {
        let a = test.hot("-a---|"), x = test.hot("---x|")
        for queue in [nil, test.queue] {
            let pairs = combineLatest(queue: queue, a.signal, "0", x.signal, "1") |> map { $0 + $1 }
            test.expectSignal(pairs).toBe("IA-B-|", values: ["I": "01", "A": "a1", "B": "ax"])
        }
        let partly = combineSignals([a.signal, x.signal], initialStates: [nil, "1"]) |> map { $0.joined() }
        test.expectSignal(partly).toBe("-A-B-|", values: ["A": "a1", "B": "ax"])
        try test.run()
    }

    // MARK: mergeSignals

    // Covers: OC-89, MT-16
    @Test(arguments: [
        (["-a--b--|", "--x-|"], "-ax-b--|"),
        (["-a----|", "-x----|"], "-(ax)-|"),
        (["-a|", "---|", "-----|"], "-a---|"),
        (["a--b--c--d", "--#"], "a-#"), (["-a--#", "--x-----|"], "-ax-#"), (["-a|", "---#"], "-a-#"),
        (["-a-b|"], "-a-b|"), ([], "|"),
    ]) func mergeForwardsEverything(sources: [String], expected: String) throws {
        test.expectSignal(mergeSignals(sources.map { test.hot($0).signal })).toBe(expected)
        test.expectSignal(mergeSignals(sources.map { test.cold($0).signal })).toBe(expected)
        try test.run()
    }

    // Covers: OC-89, MT-16
    @Test func mergeLetsGoOfEachAtItsEnd() throws {
        let a = test.hot("-a-----#"), x = test.hot("--x-|"), left = test.hot("--------b")
        test.expectSignal(mergeSignals([left.signal, a.signal, x.signal])).toBe("-ax----#")
        test.expectSignal(mergeSignals([left.signal, left.signal]), subscription: "-^--!").toBe("")
        test.expectSubscriptions(a).toBe("^------!")
        test.expectSubscriptions(x).toBe("^---!")
        test.expectSubscriptions(left).toBe("^------!", "-^--!", "-^--!")
        try test.run()
    }

    // MARK: takeUntilReplacement

    // Covers: OC-95
    @Test func eachReplacementTakesThePlace() throws {
        let a = test.hot("-a---a"), x = test.cold("-x-x-x"), y = test.cold("-y|")
        let replacement = test.hot("--1--2|", values: ["1": x.signal, "2": y.signal])
        test.expectSignal(a.signal |> takeUntilReplacement(replacement.signal)).toBe("-a-x--y|")
        test.expectSubscriptions(a).toBe("          ^-!")
        test.expectSubscriptions(x).toBe("          --^--!")
        test.expectSubscriptions(y).toBe("          -----^-!")
        test.expectSubscriptions(replacement).toBe("^-----!")
        try test.run()
    }

    /// At the time of the change, the first event counts.
    /// Covers: OC-95
    @Test func aValueExactlyAtTheReplacement() throws {
        let earlier = test.hot("--a--a"), replacement = test.hot("--1", values: ["1": test.cold("x-----|").signal]),
            later = test.hot("--a--a")
        test.expectSignal(earlier.signal |> takeUntilReplacement(replacement.signal)).toBe("--(ax)--|")
        test.expectSignal(later.signal |> takeUntilReplacement(replacement.signal)).toBe("--x-----|")
        try test.run()
    }

    /// The end of the present signal is the end. Of the replacements only an error counts.
    /// Covers: OC-95
    @Test(arguments: [
        ("-a-|", "-----1", "-a-|"), ("-a-#", "-----1", "-a-#"), ("-a-b|", "--|", "-a-b|"), ("-a-b|", "--#", "-a#"),
        ("-a---", "--1--#", "-a-x-#"), ("-a---", "--1-|", "-a-x---#"), ("-a-", "1", "-x---#"),
        ("-a-|", "-1-----2", "-ax---#"),
    ]) func endsOfTheOriginalAndOfTheReplacement(original: String, replacement: String, expected: String) throws {
        let inners =
            ["1": test.cold("-x---#").signal, "2": test.cold("y").signal] as [Character: Signal<String, String>]
        let source = test.hot(original), replacing = test.hot(replacement, values: inners)
        test.expectSignal(source.signal |> takeUntilReplacement(replacing.signal)).toBe(expected)
        try test.run()
    }
}
