import SignalKitTesting
import Testing
@testable import SignalKitCore

/// Operators that emit a part of the values, or add some at the ends, as diagrams.
@Suite struct PartDiagramTests {
    typealias Operation = (Signal<String, String>) -> Signal<String, String>
    private let test = TestScheduler()

    /// The result for a source, and the time of its subscription.
    private func expect(_ rows: [(source: String, operation: Operation, expected: String, subscription: String)]) throws
    {
        for row in rows {
            let source = test.cold(row.source)
            test.expectSignal(source.signal |> row.operation).toBe(row.expected)
            test.expectSubscriptions(source).toBe(row.subscription)
        }
        try test.run()
    }

    // MARK: A part

    @Test func skipDropsTheFirst() throws {
        try expect([
            ("-a-b-c-|", skip(2), "-----c-|", "^------!"), ("-(abc)-|", skip(2), "-c-----|", "^------!"),
            ("-a-|", skip(2), "---|", "^--!"),
            ("-a-#", skip(1), "---#", "^--!"), ("-a-|", skip(0), "-a-|", "^--!"),
            ("-a-|", skip(Int.max), "---|", "^--!"),
            ("-a-|", skip(-1), "-a-|", "^--!"),
        ])
    }

    @Test func skipWhileAsksUntilTheFirstNo() throws {
        var asked = ""
        try expect([
            (
                "-a-b-a-c-|",
                skip(while: {
                    asked += $0; return $0 == "a"
                }), "---b-a-c-|", "^--------!"
            ),
            ("-a-a-|", skip(while: { $0 == "a" }), "-----|", "^----!"),
            ("-a-#", skip(while: { $0 == "a" }), "---#", "^--!"),
        ])
        #expect(asked == "ab")
    }

    @Test func takeWhileEndsAtTheFirstNo() throws {
        try expect([
            ("-a-a-b-a-|", take(while: { $0 == "a" }), "-a-a-|", "^----!"),
            ("-a-|", take(while: { $0 == "a" }), "-a-|", "^--!"),
            ("-a-#", take(while: { $0 == "a" }), "-a-#", "^--!"), ("b", take(while: { $0 == "a" }), "|", "(^!)"),
        ])
    }

    @Test func takeLastOfSeveral() throws {
        try expect([
            ("-a-b-c-|", takeLast(2), "-------(bc|)", "^------!"), ("-a-|", takeLast(2), "---(a|)", "^--!"),
            ("--|", takeLast(2), "--|", "^-!"),
            ("-a-b-#", takeLast(2), "-----#", "^----!"), ("-a-|", takeLast(0), "---|", "^--!"),
            ("-a-#", takeLast(-1), "---#", "^--!"),
            (
                "(abcdefghijklmnopq)-|", takeLast(Int.max), "--------------------(abcdefghijklmnopq|)",
                "^-------------------!"
            ),
            ("(abcdefghijklmnopq)-|", takeLast(9), "--------------------(ijklmnopq|)", "^-------------------!"),
        ])
    }

    @Test func firstAndFirstOr() throws {
        try expect([
            ("-a-b-|", { $0 |> first }, "-(a|)", "^!"), ("--|", { $0 |> first }, "--|", "^-!"),
            ("--#", { $0 |> first }, "--#", "^-!"),
            ("-a-b-|", first(or: "x"), "-(a|)", "^!"), ("--|", first(or: "x"), "--(x|)", "^-!"),
            ("--#", first(or: "x"), "--#", "^-!"),
        ])
    }

    /// A stored value is released when it is replaced, and with the subscription. No value follows a disposal among the
    /// last ones.
    @Test func takeLastHoldsNoMore() {
        let tracker = LifetimeTracker()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>()
        let handle = (source.signal() |> takeLast(3)).start()
        for _ in 0..<20 { source.next(tracker.make()) }
        #expect(tracker.live == 3)
        handle.dispose()
        #expect(tracker.live == 0)

        let numbers = ManualSource<Int, NoError>(), log = Log()
        var run: (any Disposable)?
        run = (numbers.signal() |> takeLast(3)).start(
            next: {
                log.add("\($0)")
                if $0 == 3 { run?.dispose() }
            }, completed: { log.add("C") })
        for value in 1...4 { numbers.next(value) }
        numbers.complete()
        #expect(log.text == "2 3")
    }

    /// Whatever the threads, exactly as many are dropped.
    @Test func skipCountsOnce() {
        let source = ManualSource<Int, NoError>()
        var count = 0
        _ = (source.signal() |> skip(100)).start(next: { _ in count += 1 })
        race(4) { _ in for _ in 0..<500 { source.next(1) } }
        #expect(count == 1_900)
    }

    // MARK: The ends

    @Test func valuesAtTheEnds() throws {
        try expect([
            ("----a-|", startWith("x", "y"), "(xy)a-|", "^-----!"), ("(a|)", startWith("x"), "(xa|)", "(^!)"),
            ("-#", startWith("x"), "x#", "^!"),
            ("-a-|", startWith(), "-a-|", "^--!"), ("-a-|", endWith("x", "y"), "-a-(xy|)", "^--!"),
            ("-a-#", endWith("x"), "-a-#", "^--!"),
            ("----a-|", { $0 |> startWith("x") |> endWith("y") |> startWith("w") }, "(wx)a-(y|)", "^-----!"),
        ])
    }

    @Test func whereThereIsNone() throws {
        let other = test.cold("-x|"), unused = test.cold("x|")
        test.expectSubscriptions(unused).toBe()
        try expect([
            ("--|", defaultIfEmpty("x"), "--(x|)", "^-!"), ("-a-|", defaultIfEmpty("x"), "-a-|", "^--!"),
            ("--#", defaultIfEmpty("x"), "--#", "^-!"),
            ("--|", switchIfEmpty(other.signal), "---x|", "^-!"),
            ("-a-|", switchIfEmpty(unused.signal), "-a-|", "^--!"),
            ("-#", switchIfEmpty(unused.signal), "-#", "^!"), ("|", switchIfEmpty(other.signal), "-x|", "(^!)"),
        ])
    }

    @Test func concatRunsOneAfterAnother() throws {
        let a = test.cold("-a|"), b = test.cold("(b|)"), c = test.cold("--c-|"), failing = test.cold("-x#"),
            unused = test.cold("z")
        test.expectSignal(concat(a.signal, b.signal, c.signal)).toBe("-ab-c-|", values: ["a": "a", "b": "b", "c": "c"])
        test.expectSignal(concat([a.signal, failing.signal, unused.signal])).toBe("-a-x#")
        test.expectSignal(concat([Signal<String, String>]())).toBe("|")
        test.expectSubscriptions(c).toBe("--^---!")
        test.expectSubscriptions(unused).toBe()
        try test.run()
    }

    @Test func repeatRunsSoManyTimes() throws {
        let source = test.cold("-a-|"), once = test.cold("-a|"), unused = test.cold("a|")
        test.expectSignal(source.signal |> `repeat`(3)).toBe("-a--a--a-|")
        test.expectSignal(test.attempts("-a|", "--b#") |> `repeat`(5)).toBe("-a--b#")
        test.expectSignal(once.signal |> `repeat`(1)).toBe("-a|")
        test.expectSignal(unused.signal |> `repeat`(0)).toBe("|")
        test.expectSignal(unused.signal |> `repeat`(-1)).toBe("|")
        test.expectSubscriptions(source).toBe("^--!", "---^--!", "------^--!")
        test.expectSubscriptions(unused).toBe()
        try test.run()
        // Rounds inside their own start need no more stack than one; each subscription counts for itself.
        let endless: Signal<Int, NoError> = .single(1) |> `repeat`(manyRounds)
        onSmallStack {
            for _ in 0..<2 {
                var sum = 0
                _ = endless.start(next: { sum += $0 })
                #expect(sum == manyRounds)
            }
        }
    }

    @Test func catchAndReturnEndsWell() throws {
        let source = test.cold("-a-#"), fine = test.cold("-a|")
        test.expectSignal(source.signal |> catchAndReturn("x")).toBe("-a-(x|)")
        test.expectSignal(fine.signal |> catchAndReturn("x")).toBe("-a|")
        try test.run()
    }
}
