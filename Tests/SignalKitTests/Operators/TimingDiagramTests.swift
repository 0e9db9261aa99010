import SignalKitTesting
import Testing
@testable import SignalKitCore

/// Time-based operators, as diagrams. `TimingThreadTests` tests them with threads.
@Suite struct TimingDiagramTests {
    private let test = TestScheduler()
    private var queue: Queue { test.queue }

    // MARK: chunked

    private func drawn(_ chunks: Signal<[String], String>) -> Signal<String, String> { chunks |> map { $0.joined() } }

    private let chunks =
        ["A": "a", "B": "b", "C": "c", "D": "d", "X": "ab", "Y": "cd", "Z": "abc"] as [Character: String]

    @Test(arguments: [
        ("-a-b-c-d-|", "---X---Y-|"), ("-a-b-c|", "---X--(C|)"), ("-a-b-c#", "---X--#"), ("--|", "--|"),
        ("(abc|)", "(XC|)"),
    ]) func chunkedByCount(source: String, expected: String) throws {
        test.expectSignal(drawn(test.cold(source).signal |> chunked(2))).toBe(expected, values: chunks)
        test.expectSignal(drawn(test.cold(source).signal |> chunked(2, .infinity, queue: queue))).toBe(
            expected, values: chunks)
        test.expectSignal(drawn(test.cold(source).signal |> chunked(by: test.cold("--").signal, limit: 2))).toBe(
            expected, values: chunks)
        try test.run()
    }

    /// The time begins with the first value of a chunk.
    @Test(arguments: [
        ("--a-bc------|", "-----Z------|"), ("--a-b-------|", "-----X------|"), ("-a-----b--|", "----A-----(B|)"),
        ("(ab)-----|", "---X-----|"),
        // A full chunk calls its time off; that of the next one begins with its first value.
        ("-(abc)-d----|", "-Z--------D-|"), ("-a-b#", "----#"), ("-ab#", "---#"), ("------|", "------|"),
    ]) func chunkedByTime(source: String, expected: String) throws {
        test.expectSignal(drawn(test.cold(source).signal |> chunked(3, 3, queue: queue))).toBe(expected, values: chunks)
        try test.run()
    }

    @Test(arguments: [
        ("-ab-c--d-|", "---1---12---|", "---X---CD|"), ("-ab-|", "------1", "----(X|)"),
        ("-abc---d|", "-|", "---Z----(D|)"),
        ("-ab----", "---1-#", "---X-#"), ("-ab#", "----1", "---#"), ("-----|", "1-1-1", "-----|"),
    ]) func chunkedByASignal(source: String, boundary: String, expected: String) throws {
        let boundary = test.hot(boundary)
        test.expectSignal(drawn(test.hot(source).signal |> chunked(by: boundary.signal, limit: 3))).toBe(
            expected, values: chunks)
        try test.run()
    }

    // MARK: windowed

    @Test(
        arguments: [
            (3, 1, "-a-b-c-d-|", "-----P-Q-|", ["P": "abc", "Q": "bcd"]),
            (3, 2, "-a-b-c-d-e-f-|", "-----P---Q---|", ["P": "abc", "Q": "cde"]),
            (2, 2, "-a-b-c-d-e-|", "---P---Q---|", ["P": "ab", "Q": "cd"]),
            (2, 5, "-a-b-c-d-e-f-g-h-|", "---P---------Q---|", ["P": "ab", "Q": "fg"]),
            (1, 1, "(ab)-c#", "(PQ)-R#", ["P": "a", "Q": "b", "R": "c"]), (4, 1, "-abc|", "----|", [:]),
            (.max, .max, "-abc#", "----#", [:]),
        ] as [(Int, Int, String, String, [Character: String])])
    func windowedByCount(count: Int, every: Int, source: String, expected: String, windows: [Character: String]) throws
    {
        test.expectSignal(drawn(test.cold(source).signal |> windowed(count, every: every))).toBe(
            expected, values: windows)
        try test.run()
    }

    // MARK: delayEach

    private func delayed(
        _ source: MarbleSource<String, String>, limit: Int = 9, _ overflow: OverflowPolicy<String> = .dropNewest
    ) -> Signal<String, String> {
        source.signal |> delayEach(3, queue: queue, limit: limit, overflow: overflow)
    }

    @Test(arguments: [
        ("-a-bc-|", "----a-bc-|"), ("(ab)-c-|", "---(ab)-c-|"), ("|", "---|"), ("(a|)", "---(a|)"),
        // An error arrives immediately, and drops the pending value.
        ("-a--b#", "----a#"), ("#", "#"), ("a#", "-#"),
    ]) func eachIsLater(source: String, expected: String) throws {
        let source = test.hot(source)
        test.expectSignal(delayed(source)).toBe(expected)
        try test.run()
    }

    @Test func disposalStopsWhatIsLater() throws {
        let source = test.hot("ab-c--d")
        test.expectSignal(delayed(source), subscription: "^---!").toBe("---a")
        test.expectSubscriptions(source).toBe("^---!")
        try test.run()
    }

    @Test func whatFindsNoRoomGoesByThePolicy() throws {
        let source = test.cold("a(bc)d--e--|")
        let rows: [(OverflowPolicy<String>, String, Int)] = [
            (.dropNewest, "---ab---d--e--|", 1), (.dropOldest, "----(bc)d--e--|", 1),
            (.keepLatest, "----c---d--e--|", 2), (.fail("full"), "---a(b#)", 1),
        ]
        for (policy, expected, dropped) in rows {
            let counter = OverflowCounter()
            test.expectSignal(source.signal |> delayEach(3, queue: queue, limit: 2, overflow: policy, counter: counter))
                .toBe(expected)
            queue.after(30) { #expect(counter.dropped == dropped) }
        }
        try test.run()
    }

    // MARK: timeoutBetween

    @Test(arguments: [
        ("-a--b-c-|", "-a--b-c-|"), ("-a-#", "-a-#"), ("-a----b", "-a--x-y|"), ("---a", "---a--x-y|"),
        ("----a", "---x-y|"), ("--a|", "--a|"), ("-ab---", "-ab--x-y|"),
    ]) func theLongestPause(source: String, expected: String) throws {
        let source = test.hot(source), alternate = test.cold("x-y|")
        test.expectSignal(source.signal |> timeoutBetween(3, queue: queue, alternate: alternate.signal)).toBe(expected)
        try test.run()
    }

    // MARK: Negative times

    /// A time in the past counts as zero.
    @Test func negativeTimesAreZero() throws {
        let operators: [(Double, TestScheduler) -> (Signal<String, String>) -> Signal<String, String>] = [
            { delay($0, queue: $1.queue) }, { debounce($0, queue: $1.queue) }, { throttle($0, queue: $1.queue) },
            { throttle($0, queue: $1.queue, edges: .leading) },
            { delayEach($0, queue: $1.queue, limit: 9, overflow: .dropNewest) }, { take(for: $0, queue: $1.queue) },
            { timeout($0, queue: $1.queue, alternate: .single("x")) },
            { timeoutBetween($0, queue: $1.queue, alternate: .single("x")) },
        ]
        for make in operators {
            var seen: [[String]] = []
            for seconds in [0.0, -1] {
                let test = TestScheduler()
                var events: [String] = []
                let run = (test.cold("-a-(bc)-d|").signal |> make(seconds, test)).start(
                    next: { events.append("\($0)\(test.time.now)") }, error: { _ in },
                    completed: { events.append("|\(test.time.now)") })
                test.time.run()
                run.dispose()
                seen.append(events)
            }
            #expect(seen[0] == seen[1] && !seen[0].isEmpty)
        }
        var order = ""
        queue.after(-1) { order += "a" }
        queue.after(0) { order += "b" }
        test.time.run()
        #expect(order == "ab")
    }

    // MARK: throttle, with edges

    @Test func edges() throws {
        let source = test.hot("                                                              abcd----e-f-|")
        test.expectSignal(source.signal |> throttle(3, queue: queue, edges: .leading)).toBe("a--d----e---|")
        test.expectSignal(source.signal |> throttle(3, queue: queue, edges: .trailing)).toBe("---d-------f|")
        test.expectSignal(source.signal |> throttle(3, queue: queue, edges: [.leading, .trailing])).toBe(
            "a--d----e--f|")
        try test.run()
    }

    // MARK: Times

    @Test func timesOfValues() throws {
        let source = test.cold("-a--bc|")
        let at = source.signal |> timestamped(queue) |> map { "\($0.value)\($0.time)" }
        let since = source.signal |> timeInterval(queue) |> map { "\($0.value)\($0.seconds)" }
        test.expectSignal(at, subscription: "-^").toBe("--A--BC|", values: ["A": "a2.0", "B": "b5.0", "C": "c6.0"])
        test.expectSignal(since, subscription: "-^").toBe("--A--BC|", values: ["A": "a1.0", "B": "b3.0", "C": "c1.0"])
        try test.run()
    }

    @Test(arguments: [
        ("-a-b-c", "-a-b|", "^---!"), ("-a|", "-a|", "^-!"), ("-#", "-#", "^!"), ("------", "----|", "^---!"),
    ])
    func takeForSomeTime(source: String, expected: String, subscription: String) throws {
        let source = test.cold(source)
        test.expectSignal(source.signal |> take(for: 4, queue: queue)).toBe(expected)
        test.expectSubscriptions(source).toBe(subscription)
        try test.run()
    }

    // MARK: sample

    @Test(arguments: [
        ("-ab--c---|", "---1--11-|", "---b--c--|"), ("-a|", "----1", "--(a|)"), ("-ab#", "----1", "---#"),
        ("-ab--", "---#", "---#"), ("-a-b|", "--|", "----(b|)"),
    ]) func sampled(source: String, trigger: String, expected: String) throws {
        let trigger = test.hot(trigger)
        test.expectSignal(test.hot(source).signal |> sample(on: trigger.signal)).toBe(expected)
        try test.run()
    }

    @Test func sampledByTime() throws {
        test.expectSignal(test.hot("-ab--c----d|").signal |> sample(4, queue: queue)).toBe("----b---c--(d|)")
        try test.run()
    }
}
