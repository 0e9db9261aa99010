import SignalKitCore
import SignalKitTesting
import Testing

/// The code of docs/recipes.md: its blocks are here, line for line.
@Suite struct RecipeTests {
    private let test = TestScheduler()

    private func numbers(_ marbles: String) -> Signal<Int, String> { test.cold(marbles).signal |> map { Int($0)! } }

    private func expect<T>(_ signal: Signal<T, String>, _ marbles: String, _ values: [Character: String] = [:]) {
        let texts =
            signal
            |> map { value -> String in
                let text = String(describing: value)
                return values.first { $0.value == text }.map { String($0.key) } ?? text
            }
        test.expectSignal(texts).toBe(marbles)
    }

    @Test func oneValueOfAll() throws {
        let source = numbers("-3-1-2-|")
        let count = source |> map { _ in 1 } |> reduceLeft(value: 0, f: { $0 + $1 })
        let sum = source |> reduceLeft(value: 0, f: { $0 + $1 })
        let greatest = source |> scan(Int.min) { max($0, $1) } |> takeLast
        let average =
            source |> scan((sum: 0, count: 0)) { ($0.sum + $1, $0.count + 1) } |> takeLast |> map { $0.sum / $0.count }
        expect(count, "-------(3|)")
        expect(sum, "-------(6|)")
        expect(greatest, "-------(3|)")
        expect(average, "-------(2|)")
        try test.run()
    }

    @Test func oneOfThem() throws {
        let source = numbers("-3-1-2-|")
        let third = source |> skip(2) |> first
        let hasOne = source |> filter { $0 == 1 } |> map { _ in true } |> first(or: false)
        let hasNine = source |> filter { $0 == 9 } |> map { _ in true } |> first(or: false)
        expect(third, "-----(2|)")
        expect(hasOne, "---(T|)", ["T": "true"])
        expect(hasNine, "-------(F|)", ["F": "false"])
        try test.run()
    }

    @Test func severalSources() throws {
        let a = numbers("-1-2-|"), b = numbers("---3|")
        let lastOfBoth = zip(a |> takeLast, b |> takeLast, limit: nil)
        let areEqual =
            zip(
                a |> map { Optional($0) } |> endWith(nil), b |> map { Optional($0) } |> endWith(nil), limit: 1000,
                overflow: .fail("too far ahead")
            ) |> map { $0 == $1 } |> filter { !$0 } |> first(or: true)
        expect(lastOfBoth, "-----(L|)", ["L": "(2, 3)"])
        expect(areEqual, "---(F|)", ["F": "false"])
        try test.run()
    }

    /// The recipes of this page for sources that other libraries test them with: empty ones, and equal ones.
    @Test func nothingAndTheSame() throws {
        for (first, second, last, equal) in [
            ("-1-2-|", "--12---|", "-------(L|)", "-------(T|)"), ("|", "-1-|", "|", "-(F|)"),
            ("--|", "-|", "-|", "--(T|)"),
            ("-1-2-|", "-1--|", "-----(M|)", "----(F|)"), ("-1-#", "-1|", "---#", "---#"),
        ] {
            let a = numbers(first), b = numbers(second)
            expect(zip(a |> takeLast, b |> takeLast, limit: nil), last, ["L": "(2, 2)", "M": "(2, 1)"])
            expect(
                zip(a |> map { Optional($0) } |> endWith(nil), b |> map { Optional($0) } |> endWith(nil), limit: nil)
                    |> map { $0 == $1 } |> filter { !$0 } |> SignalKitCore.first(or: true), equal,
                ["T": "true", "F": "false"])
        }
        let empty = numbers("--|")
        expect(empty |> scan(Int.min) { max($0, $1) } |> takeLast, "--|")
        expect(empty |> map { _ in 1 } |> reduceLeft(value: 0, f: { $0 + $1 }), "--(0|)")
        try test.run()
    }

    @Test func parts() throws {
        let source = numbers("-1-2-3-|")
        let windows = source |> chunked(2) |> map { Signal<Int, String>.sequence($0) }
        expect(windows |> SignalKitCore.queue, "---(12)(3|)")
        try test.run()
    }

    @Test func eachInItsTime() throws {
        let source = numbers("-4-1-|"), queue = test.queue
        let delayed =
            source
            |> mapToMerged(limit: 10, waiting: 0, overflow: .fail("too many")) { value in
                .timer(Double(value), queue: queue) |> map { _ in value }
            }
        expect(delayed, "----1(4|)")
        try test.run()
    }

    @Test func whatSaysWhatComesNext() throws {
        let queue = test.queue
        func page(_ number: Int) -> Signal<Int, String> { .timer(1, queue: queue) |> map { _ in number } }
        func pages(from number: Int) -> Signal<Int, String> {
            page(number) |> then(deferred { pages(from: number + 1) })
        }
        expect(pages(from: 1) |> take(3), "-12(3|)")
        try test.run()
    }

    @Test func theLastOfEachInterval() throws {
        let source = test.cold("-ab-c---d-|").signal, queue = test.queue
        let audited = source |> throttle(3, queue: queue, edges: .trailing)
        expect(audited, "----c-----(d|)")
        try test.run()
    }

    @Test func connectedByHand() {
        var seen: [Int] = []
        let source = Signal<Int, NoError>.sequence([1, 2])
        let published = ValuePipe<Int>()
        let first = published.signal().start(next: { seen.append($0) })
        let second = published.signal().start(next: { seen.append($0) })
        let connection = source.start(next: { published.putNext($0) })
        #expect(seen == [1, 1, 2, 2])
        for run in [first, second, connection] { run.dispose() }
    }
}
