import SignalKitCore
import Testing

@Suite struct TakingPictures {
    @Test func pictures() {
        picture("take(_:)", "take(2)", ["-a-b-c-|"], "-a-(b|)") { $0[0] |> take(2) }
        picture("takeLast(_:)", "takeLast", ["-a-b-c-|"], "-------(c|)") { $0[0] |> takeLast }
        picture("last(signal:)", "last", ["-a-b-c-|"], "-------(c|)") { $0[0] |> last |> map { $0! } }
        picture(
            "take(until:)", "take(until: { SignalTakeAction(passthrough: true, complete: $0 == 3) })", ["-1-2-3-4-|"],
            "-1-2-(3|)"
        ) { $0.numbers(0) |> take(until: { SignalTakeAction(passthrough: true, complete: $0 == 3) }) }
        picture("take(while:)", "take(while: { $0 < 3 })", ["-1-2-3-4-|"], "-1-2-|") {
            $0.numbers(0) |> take(while: { $0 < 3 })
        }
        picture("skip(_:)", "skip(2)", ["-a-b-c-|"], "-----c-|") { $0[0] |> skip(2) }
        picture("skip(while:)", "skip(while: { $0 < 3 })", ["-1-3-2-|"], "---3-2-|") {
            $0.numbers(0) |> skip(while: { $0 < 3 })
        }
        picture("first(signal:)", "first", ["-a-b-c-|"], "-(a|)") { $0[0] |> first }
        picture("first(or:)", "first(or: \"x\")", ["----|"], "----(x|)") { $0[0] |> first(or: "x") }
    }
}
