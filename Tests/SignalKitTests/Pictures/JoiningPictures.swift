import SignalKitCore
import Testing

/// Several signals: pictures of the families `combining`, `inner` and `taking`.
@Suite struct JoiningPictures {
    @Test func together() {
        picture(
            "mapToMerged(limit:waiting:_:)", "mapToMerged(limit: 2, waiting: nil) { _ in b }", ["-12-3---|", "x-y--|"],
            "-xxyy-x-y--|"
        ) {
            let b = $0[1]
            return $0[0] |> mapToMerged(limit: 2, waiting: nil) { _ in b }
        }
        picture(
            "merged(limit:waiting:)", "map { _ in b } |> merged(limit: 2, waiting: nil)", ["-12-3---|", "x-y--|"],
            "-xxyy-x-y--|"
        ) {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> merged(limit: 2, waiting: nil)
        }
        picture("mapToFirst(_:)", "mapToFirst { _ in b }", ["-1-2---3---|", "x-y-z|"], "-x-y-z-x-y-z|") {
            let b = $0[1]
            return $0[0] |> mapToFirst { _ in b }
        }
        picture(
            "zip(_:limit:)", "zip([a, b], limit: nil)", ["-1-2---3-|", "--a--b----|"], "--A--B----|",
            ["A": "1a", "B": "2b"]
        ) {
            let a = $0[0], b = $0[1]
            return zip([a, b], limit: nil) |> map { $0.joined() }
        }
        picture("race(_:)", "race([a, b])", ["---1--2-|", "-a--b|"], "-a--b|") {
            let a = $0[0], b = $0[1]
            return race([a, b])
        }
    }

    @Test func oneBesideAnother() {
        picture(
            "withLatestFrom(_:)", "withLatestFrom(b)", ["-1--2--3-|", "--a--b---|"], "----A--B-|",
            ["A": "2a", "B": "3b"]
        ) {
            let b = $0[1]
            return $0[0] |> withLatestFrom(b) |> map { $0 + $1 }
        }
        picture("skip(untilSignal:)", "skip(untilSignal: b)", ["-1-2-3-4-|", "----x----|"], "-----3-4-|") {
            let b = $0[1]
            return $0[0] |> skip(untilSignal: b)
        }
        picture("take(untilSignal:)", "take(untilSignal: b)", ["-1-2-3-4-|", "----x----|"], "-1-2|") {
            let b = $0[1]
            return $0[0] |> take(untilSignal: b)
        }
    }
}
