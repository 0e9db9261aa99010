import SignalKit
import Testing

@Suite struct MappingPictures {
    @Test func pictures() {
        picture("map(_:)", "map { $0 * 2 }", ["-1--2--3-|"], "-2--4--6-|") { $0.numbers(0) |> map { $0 * 2 } }
        picture("filter(_:)", "filter { $0 > 2 }", ["-1-5-2-3-|"], "---5---3-|") { $0.numbers(0) |> filter { $0 > 2 } }
        picture("compactMap(_:)", "compactMap { Int($0) }", ["-1-a-2-b-|"], "-1---2---|") { $0[0] |> compactMap { Int($0) } }
        picture("mapError(_:)", #"mapError { "no " + $0 }"#, ["-a-b-#"], "-a-b-#") { $0[0] |> mapError { "no " + $0 } }
        picture("ignoreValues(_:)", "ignoreValues", ["-a-b-c-|"], "-------|") { $0[0] |> ignoreValues }
        picture("distinctUntilChanged(isEqual:)", "distinctUntilChanged(isEqual: ==)", ["-a-a-b-a-|"], "-a---b-a-|") {
            $0[0] |> distinctUntilChanged(isEqual: ==)
        }
        picture("reduceLeft(value:f:)", "reduceLeft(value: 0, f: +)", ["-1-2-3-|"], "-------(6|)") {
            $0.numbers(0) |> reduceLeft(value: 0, f: +)
        }
    }
}
