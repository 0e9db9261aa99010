import SignalKitCore
import Testing

@Suite struct MappingPictures {
    @Test func pictures() {
        picture("map(_:)", "map { $0 * 2 }", ["-1--2--3-|"], "-2--4--6-|") { $0.numbers(0) |> map { $0 * 2 } }
        picture("filter(_:)", "filter { $0 > 2 }", ["-1-5-2-3-|"], "---5---3-|") { $0.numbers(0) |> filter { $0 > 2 } }
        picture("compactMap(_:)", "compactMap { Int($0) }", ["-1-a-2-b-|"], "-1---2---|") {
            $0[0] |> compactMap { Int($0) }
        }
        picture("mapError(_:)", #"mapError { "no " + $0 }"#, ["-a-b-#"], "-a-b-#") { $0[0] |> mapError { "no " + $0 } }
        picture("ignoreValues(_:)", "ignoreValues", ["-a-b-c-|"], "-------|") { $0[0] |> ignoreValues }
        picture(
            "distinctUntilChanged(isEqual:)", "distinctUntilChanged(isEqual: { $0 == $1 })", ["-a-a-b-a-|"],
            "-a---b-a-|"
        ) {
            $0[0] |> distinctUntilChanged(isEqual: { $0 == $1 })
        }
        picture("reduceLeft(value:f:)", "reduceLeft(value: 0, f: { $0 + $1 })", ["-1-2-3-|"], "-------(6|)") {
            $0.numbers(0) |> reduceLeft(value: 0, f: { $0 + $1 })
        }
        picture("pairwise(_:)", "pairwise", ["-a-b-c-|"], "---A-B-|", ["A": "ab", "B": "bc"]) {
            $0[0] |> pairwise |> map { $0 + $1 }
        }
        picture("distinct(limit:)", "distinct(limit: 100)", ["-a-b-a-c-|"], "-a-b---c-|") {
            $0[0] |> distinct(limit: 100)
        }
        picture("scan(_:_:)", "scan(0) { $0 + $1 }", ["-1-2-3-|"], "-1-3-6-|") { $0.numbers(0) |> scan(0) { $0 + $1 } }
    }

    @Test func optionalsAndEvents() {
        picture("flatMap(_:)", "flatMap { $0 * 2 }", ["-1-n-2-|"], "-2-n-4-|", ["n": "nil"]) {
            $0[0] |> map { Int($0) } |> flatMap { $0 * 2 } |> map { $0.map(String.init) ?? "nil" }
        }
        picture(
            "toEvents(signal:)", "toEvents", ["-a-b-#"], "-A-B-(C|)", ["A": "next a", "B": "next b", "C": "error"]
        ) {
            $0[0] |> toEvents |> map(text) |> castError(String.self)
        }
        picture("fromEvents(signal:)", "toEvents |> fromEvents", ["-a-b-#"], "-a-b-#") {
            $0[0] |> toEvents |> fromEvents
        }
        picture(
            "dematerialize(signal:)", "dematerialize", ["-a-b-|"], "-A-B-(C|)",
            ["A": "next a", "B": "next b", "C": "completion"]
        ) {
            $0[0] |> dematerialize |> map(text) |> castError(String.self)
        }
        picture("materialize(signal:)", "dematerialize |> materialize", ["-a-b-|"], "-a-b-|") {
            $0[0] |> dematerialize |> materialize
        }
        picture(
            "attempt(_:)", "attempt { run in a |> beforeNext { if $0 == \"x\" { run.fail(\"no\") } } }",
            ["-a-b-x-c-|"], "-a-b-#"
        ) {
            let a = $0[0]
            return attempt { run in a |> beforeNext { if $0 == "x" { run.fail("no") } } }
        }
    }

    @Test func whatThrows() {
        picture("tryMap(_:)", "tryMap(half)", ["-4-6-3-2-|"], "-2-3-#") {
            $0.numbers(0) |> mapError { _ in NotEven() } |> tryMap(half) |> mapError { _ in "no" }
        }
        picture("tryFilter(_:)", "tryFilter { n throws(NotEven) in try half(n) > 1 }", ["-4-2-6-3-|"], "-4---6-#") {
            $0.numbers(0) |> mapError { _ in NotEven() } |> tryFilter { n throws(NotEven) in try half(n) > 1 }
                |> mapError { _ in "no" }
        }
        picture(
            "tryCompactMap(_:)", "tryCompactMap { n throws(NotEven) in n > 5 ? nil : try half(n) }", ["-4-6-2-3-|"],
            "-2---1-#"
        ) {
            $0.numbers(0) |> mapError { _ in NotEven() }
                |> tryCompactMap { n throws(NotEven) in n > 5 ? nil : try half(n) }
                |> mapError { _ in "no" }
        }
    }

    @Test func withThoseBefore() {
        picture("enumerated(_:)", "enumerated", ["-a-b-c-|"], "-A-B-C-|", ["A": "0 a", "B": "1 b", "C": "2 c"]) {
            $0[0] |> enumerated |> map { "\($0.index) \($0.value)" }
        }
        picture(
            "toArray(limit:overflow:counter:)", "toArray(limit: 2, overflow: .dropOldest)", ["-a-b-c-|"],
            "-------(x|)", ["x": "bc"]
        ) {
            $0[0] |> toArray(limit: 2, overflow: .dropOldest) |> map { $0.joined() }
        }
        picture(
            "distinct(limit:overflow:counter:by:)", "distinct(limit: 100, by: { $0 % 3 })", ["-1-2-4-3-|"],
            "-1-2---3-|"
        ) {
            $0.numbers(0) |> distinct(limit: 100, by: { $0 % 3 })
        }
    }
}

private struct NotEven: Error {}

private func half(_ n: Int) throws(NotEven) -> Int {
    if n % 2 != 0 { throw NotEven() }
    return n / 2
}

private func text(_ event: SignalEvent<String, String>) -> String {
    switch event {
    case let .Next(value): return "next " + value
    case .Error: return "error"
    case .Completion: return "completion"
    }
}
