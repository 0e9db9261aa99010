import SignalKit
import Testing

@Suite struct CombiningPictures {
    @Test func pictures() {
        picture(
            "combineLatest(queue:_:)", "combineLatest([a, b])", ["-1---2----|", "---a---b-|"], "---A-B-C--|", ["A": "1a", "B": "2a", "C": "2b"]
        ) {
            let a = $0[0], b = $0[1]
            return combineLatest([a, b]) |> map { $0.joined() }
        }
        picture("mergeSignals(_:)", "mergeSignals([a, b])", ["-1---2-|", "---a---b-|"], "-1-a-2-b-|") {
            let a = $0[0], b = $0[1]
            return mergeSignals([a, b])
        }
    }
}
