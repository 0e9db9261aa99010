import SignalKitTesting
import Testing
@testable import SignalKitCore

/// Operators that make values of values, in time.
@Suite struct ValueDiagramTests {
    private let test = TestScheduler()

    // MARK: scan

    @Test func scanEmitsEveryAccumulatedValue() throws {
        let rows: [(source: String, expected: String)] = [
            ("-a-b--c-|", "-A-B--C-|"), ("-a-b#", "-A-B#"), ("--|", "--|"), ("(ab)-c|", "(AB)-C|"),
        ]
        for row in rows {
            let source = test.cold(row.source)
            test.expectSignal(source.signal |> scan("") { $0 + $1 }).toBe(
                row.expected, values: ["A": "a", "B": "ab", "C": "abc"])
        }
        try test.run()
    }

    /// The value from inside the callback of `a` comes after it, and each step sees what the one before has made.
    @Test func scanIsNotRacedNorReentered() {
        let source = ManualSource<Int, NoError>(), log = Log()
        let handle = (source.signal() |> scan(0) { $0 + $1 }).start(next: { sum in
            log.add("\(sum)")
            if sum == 1 { source.next(10) }
            log.add(".")
        })
        source.next(1)
        source.next(100)
        #expect(log.text == "1 . 11 . 111 .")
        handle.dispose()

        let many = ManualSource<Int, NoError>()
        var last = 0, rises = true
        _ = (many.signal() |> scan(0) { $0 + $1 }).start(next: { sum in
            rises = rises && sum == last + 1
            last = sum
        })
        race(4) { _ in for _ in 0..<2_000 { many.next(1) } }
        #expect(last == 8_000 && rises)
    }

    // MARK: Functions that throw

    private struct Failure: Error, Equatable {
        let letter: String
    }

    private static func failing(at letter: String) -> (String) throws(Failure) -> String {
        { (text: String) throws(Failure) -> String in
            if text == letter { throw Failure(letter: letter) }
            return text.uppercased()
        }
    }

    @Test func whatAFunctionThrowsEndsTheRun() throws {
        let source = test.cold("-a-b-c-|", values: ["a": "a", "b": "b", "c": "c"], error: Failure(letter: "z"))
        let letters: [Character: String] = ["a": "a", "b": "b", "A": "A", "B": "B", "C": "C"]
        func expect(
            _ operation: (Signal<String, Failure>) -> Signal<String, Failure>, _ expected: String, error: String = "c"
        ) {
            test.expectSignal(source.signal |> operation).toBe(expected, values: letters, error: Failure(letter: error))
        }
        let upper = Self.failing(at: "c")
        expect(tryMap(upper), "-A-B-#")
        expect(tryMap(Self.failing(at: "x")), "-A-B-C-|")
        expect(tryFilter { text throws(Failure) in try upper(text) != "A" }, "---b-#")
        expect(tryCompactMap { text throws(Failure) in try upper(text) == "A" ? nil : text }, "---b-#")
        test.expectSubscriptions(source).toBe("^----!", "^------!", "^----!", "^----!")
        try test.run()
    }

    /// With errors of any kind a closure simply throws.
    @Test func aClosureThrowsWithoutWords() {
        let source: Signal<Int, NoError> = .single(5)
        let log = Log()
        _ =
            (source |> castError((any Error).self)
            |> tryMap { if $0 == 5 { throw Failure(letter: "five") } else { return $0 } } |> map { (n: Int) in n })
            .start(log)
        #expect(log.text == "E\(Failure(letter: "five"))")
    }
}
