import SignalKitCore
import Testing

@Suite struct CombiningPictures {
    @Test func pictures() {
        picture(
            "combineLatest(queue:_:)", "combineLatest([a, b])", ["-1---2----|", "---a---b-|"], "---A-B-C--|",
            ["A": "1a", "B": "2a", "C": "2b"]
        ) {
            let a = $0[0], b = $0[1]
            return combineLatest([a, b]) |> map { $0.joined() }
        }
        picture("mergeSignals(_:)", "mergeSignals([a, b])", ["-1---2-|", "---a---b-|"], "-1-a-2-b-|") {
            let a = $0[0], b = $0[1]
            return mergeSignals([a, b])
        }
    }

    @Test func withMoreToSay() {
        picture(
            "combineSignals(_:initialStates:)", "combineSignals([a, b], initialStates: [\"x\", \"y\"])",
            ["-1---|", "---a-|"], "pq-r-|",
            ["p": "xy", "q": "1y", "r": "1a"]
        ) {
            let a = $0[0], b = $0[1]
            return combineSignals([a, b], initialStates: ["x", "y"]) |> map { $0.joined() }
        }
        picture(
            "withLatestFrom(_:_:)", "withLatestFrom(b) { $0 + $1 }", ["-1-2--3-|", "--a--b---|"], "---A--B-|",
            ["A": "2a", "B": "3b"]
        ) {
            let b = $0[1]
            return $0[0] |> withLatestFrom(b) { $0 + $1 }
        }
        picture(
            "zip(_:limit:overflow:counter:)", "zip([a, b], limit: 1, overflow: .dropOldest)",
            ["-1-2-3---|", "-------a-|"], "-------A-|",
            ["A": "3a"]
        ) {
            let a = $0[0], b = $0[1]
            return zip([a, b], limit: 1, overflow: .dropOldest) |> map { $0.joined() }
        }
        picture(
            "zip(_:_:limit:overflow:counter:)", "zip(a, b, limit: 1, overflow: .fail(\"full\"))",
            ["-1--2-3-|", "--a-----|"], "--A---#", ["A": "1a"]
        ) {
            let a = $0[0], b = $0[1]
            return zip(a, b, limit: 1, overflow: .fail("full")) |> map { $0 + $1 }
        }
        picture(
            "zip(_:_:limit:)", "zip(a, b, limit: nil)", ["-1-2---3-|", "--a--b----|"], "--A--B----|",
            ["A": "1a", "B": "2b"]
        ) {
            let a = $0[0], b = $0[1]
            return zip(a, b, limit: nil) |> map { $0 + $1 }
        }
    }
}
