import SignalKit
import Testing

@Suite struct InnerPictures {
    @Test func pictures() {
        picture("mapToSignal(_:)", "mapToSignal { _ in b }", ["-1---2-----|", "x-y-z|"], "-x-y-x-y-z-|") {
            let b = $0[1]
            return $0[0] |> mapToSignal { _ in b }
        }
        picture("switchToLatest(_:)", "map { _ in b } |> switchToLatest", ["-1---2-----|", "x-y-z|"], "-x-y-x-y-z-|") {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> switchToLatest
        }
        picture("mapToQueue(_:)", "mapToQueue { _ in b }", ["-1--2---|", "x-y-z|"], "-x-y-zx-y-z|") {
            let b = $0[1]
            return $0[0] |> mapToQueue { _ in b }
        }
        picture("queue(_:)", "map { _ in b } |> SignalKit.queue", ["-1--2---|", "x-y-z|"], "-x-y-zx-y-z|") {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> SignalKit.queue
        }
        picture("mapToThrottled(_:)", "mapToThrottled { $0 == 1 ? b : c }", ["-1-2-3---|", "x-y-z|", "u-v|"], "-x-y-zu-v|") {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> mapToThrottled { $0 == 1 ? b : c }
        }
        picture("throttled(_:)", "map { $0 == 1 ? b : c } |> throttled", ["-1-2-3---|", "x-y-z|", "u-v|"], "-x-y-zu-v|") {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> map { $0 == 1 ? b : c } |> throttled
        }
    }
}
