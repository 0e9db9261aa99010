import SignalKitCore
import SignalKitTesting
import Testing

/// The events of subscribers of a shared signal, and the number of starts of its source.
@Suite struct ShareDiagramTests {
    /// - Parameters:
    ///   - listeners: What each gets, by the diagram of its subscription.
    ///   - runs: The runs of the source.
    private func expect(
        _ source: String, _ replay: Int, keep: (Queue) -> SharedRunLifetime = { _ in .whileUsed },
        _ listeners: KeyValuePairs<String, String>, runs: [String], line: UInt = #line
    ) throws {
        let test = TestScheduler()
        let source = test.cold(source)
        let shared = source.signal |> share(replay: replay, keep: keep(test.queue))
        for (subscription, marbles) in listeners {
            test.expectSignal(shared, subscription: subscription, line: line).toBe(marbles)
        }
        let expected = test.expectSubscriptions(source, line: line)
        if runs.count == 1 { expected.toBe(runs[0]) } else { expected.toBe(runs[0], runs[1]) }
        try test.run()
    }

    @Test func whoComesLateGetsTheLatestValues() throws {
        let lates = [(0, "----------c-|"), (1, "----b-----c-|"), (2, "----(ab)--c-|"), (9, "----(ab)--c-|")]
        for (replay, late) in lates {
            try expect("-a-b------c-|", replay, ["^": "-a-b------c-|", "----^": late], runs: ["^-----------!"])
        }
    }

    @Test func theRunEndsWithTheLastListener() throws {
        try expect(
            "-a-b-c-|", 1, ["^--!": "-a", "--^--!": "--ab", "------^--!": "-------a"], runs: ["^----!", "------^--!"])
    }

    @Test func aRunIsKeptForATime() throws {
        try expect(
            "-a--b-c-d-|", 1, keep: { .for(2, $0) },
            ["^-!": "-a", "---^-!": "---ab", "---------^": "----------a--b-c-d-|"],
            runs: ["^------!", "---------^---------!"])
    }

    @Test func aRunIsKeptForGood() throws {
        try expect("-a-b-c-|", 1, keep: { _ in .forever }, ["^-!": "-a", "------^": "------c|"], runs: ["^------!"])
    }

    @Test func anEndStaysForThoseWhoComeAfterIt() throws {
        let keeps: [(Queue) -> SharedRunLifetime] = [{ _ in .whileUsed }, { .for(1, $0) }, { _ in .forever }]
        for keep in keeps {
            for (end, replay, late) in [("|", 0, "--------|"), ("|", 1, "--------(b|)"), ("#", 1, "--------(b#)")] {
                try expect(
                    "-a-b-" + end, replay, keep: keep, ["^": "-a-b-" + end, "--------^": late], runs: ["^----!"])
            }
        }
    }
}
