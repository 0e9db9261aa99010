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

    @Test(arguments: [("-1-2-3-4-|", "-----1-2-|"), ("-1-2-|", "-----|"), ("-12-3#", "----1#")])
    func allButTheLast(marbles: String, expected: String) throws {
        let source = numbers(marbles)
        let withoutTheLastTwo = source |> windowed(3) |> map { $0[0] }
        expect(withoutTheLastTwo, expected)
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

    @Test func errorsAtTheEnd() throws {
        let a = numbers("-1-#"), b = numbers("--2---|")
        func delayingErrors<T, R, E>(
            of signals: [Signal<T, E>], _ join: @escaping @Sendable ([Signal<T, [E]>]) -> Signal<R, [E]>
        ) -> Signal<R, [E]> {
            deferred {
                let errors = Atomic<[E]>(value: [])
                let sources = signals.map { signal in
                    signal
                        |> `catch` { error -> Signal<T, [E]> in
                            errors.modify { $0 + [error] }
                            return .complete()
                        }
                }
                return join(sources) |> then(deferred { errors.value.isEmpty ? .complete() : .fail(errors.value) })
            }
        }
        let all = delayingErrors(of: [a, b]) { mergeSignals($0) }
        expect(all |> mapError { $0.joined() }, "-12---#")
        for (first, second, merged, one, combined, zipped) in [
            ("-1-#", "--2---#", "-12---(E|)", "-1---2---(E|)", "--X---(E|)", "--X(D|)"),
            ("-1-#", "--2---|", "-12---(D|)", "-1---2---(D|)", "--X---(D|)", "--X(D|)"),
            ("-1-|", "--2---|", "-12---|", "-1---2---|", "--X---|", "--X|"),
            ("#", "-2-|", "-2-(D|)", "-2-(D|)", "---(D|)", "(D|)"),
        ] {
            let a = numbers(first), b = numbers(second)
            func expectErrors<T>(_ signal: Signal<T, [String]>, _ marbles: String) {
                let texts = signal |> map { String(describing: $0) }
                expect(
                    texts |> `catch` { .single($0.joined()) }, marbles, ["D": "#", "E": "##", "X": "[1, 2]"])
            }
            expectErrors(delayingErrors(of: [a, b]) { mergeSignals($0) }, merged)
            expectErrors(delayingErrors(of: [a, b]) { concat($0) }, one)
            expectErrors(delayingErrors(of: [a, b]) { combineLatest($0) }, combined)
            expectErrors(delayingErrors(of: [a, b]) { zip($0, limit: nil) }, zipped)
        }
        try test.run()
    }

    @Test func theNextOneInAnyCase() throws {
        let a = numbers("-1-#"), b = numbers("-2-|")
        let resumed = concat([a, b].map { signal in signal |> `catch` { _ in Signal<Int, String>.complete() } })
        expect(resumed, "-1--2-|")
        let both = [numbers("-1-|"), numbers("-2-#")]
        expect(concat(both.map { signal in signal |> `catch` { _ in Signal<Int, String>.complete() } }), "-1--2-|")
        try test.run()
    }

    /// The first value's time ends at 4, that of the second one at 8, and that of the last one after the source.
    @Test func aTimeForEachValue() throws {
        let source = numbers("-3-5-----2|"), queue = test.queue
        @Sendable func time(_ value: Int) -> Signal<Int, String> { .timer(Double(value), queue: queue) }
        let debounced = source |> mapToSignal { value in time(value) |> first |> map { _ in value } }
        let throttled =
            source |> mapToFirst { value in .single(value) |> then(time(value) |> first |> compactMap { _ in nil }) }
        let limited =
            source |> toEvents
            |> mapToSignal { event in
                guard case let .Next(value) = event else { return .single(event) }
                return .single(event) |> then(time(value) |> toEvents |> first |> map { _ in .Error("too late") })
            }
            |> fromEvents
        expect(debounced, "--------5--(2|)")
        expect(throttled, "-3-------2-|")
        expect(limited, "-3-5----#")
        try test.run()
    }

    @Test func fromTheBeginning() throws {
        let source = numbers("-1-2-|"), resets = test.hot("---x|").signal
        let shared = resets |> map { _ in () } |> startWith(()) |> mapToSignal { source } |> share(replay: 1)
        expect(shared, "-1--1-2-|")
        test.expectSignal(shared |> map { String($0) }, subscription: "--^").toBe("--1-1-2-|")
        try test.run()
    }

    @Test func theLastAndTheFirst() throws {
        let source = numbers("-1-2--3-4-|"), queue = test.queue
        let latest =
            source |> timestamped(queue) |> takeLast(1000) |> filter { queue.now - $0.time <= 3 } |> map { $0.value }
        expect(latest, "----------(4|)")
        try test.run()
    }

    @Test func theOneWithTheGreatestKey() throws {
        let source = numbers("-3-1-5-4-|")
        @Sendable func key(_ value: Int) -> Int { value % 4 }
        let best =
            source |> scan(Int?.none) { best, value in best.map(key).map { $0 >= key(value) } == true ? best : value }
            |> takeLast |> compactMap { $0 }
        expect(best, "---------(3|)")
        try test.run()
    }
}
