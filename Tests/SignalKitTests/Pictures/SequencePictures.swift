import SignalKit
import Testing

@Suite struct SequencePictures {
    @Test func pictures() {
        picture("then(_:)", "then(b)", ["-1-2-|", "-a-b-|"], "-1-2--a-b-|") {
            let b = $0[1]
            return $0[0] |> then(b)
        }
        picture("catch(_:)", "`catch` { _ in b }", ["-1-2-#", "-a-b-|"], "-1-2--a-b-|") {
            let b = $0[1]
            return $0[0] |> `catch` { _ in b }
        }
        picture("restart(_:)", "restart |> take(5)", ["-a-b-|"], "-a-b--a-b--(a|)") { $0[0] |> restart |> take(5) }
        picture("restartIfError(_:)", "restartIfError |> take(5)", ["-a-b-#"], "-a-b--a-b--(a|)") {
            $0[0] |> restartIfError |> take(5) |> castError(String.self)
        }
        picture("retryIf(_:)", "retryIf { _ in true } |> take(5)", ["-a-b-#"], "-a-b--a-b--(a|)") { $0[0] |> retryIf { _ in true } |> take(5) }
        picture("concat(_:)", "concat(a, b)", ["-a-b-|", "-x-|"], "-a-b--x-|") {
            let a = $0[0], b = $0[1]
            return concat(a, b)
        }
        picture("startWith(_:)", "startWith(\"x\")", ["-a-b-|"], "xa-b-|") { $0[0] |> startWith("x") }
        picture("endWith(_:)", "endWith(\"x\")", ["-a-b-|"], "-a-b-(x|)") { $0[0] |> endWith("x") }
        picture("switchIfEmpty(_:)", "switchIfEmpty(b)", ["---|", "-x-|"], "----x-|") {
            let b = $0[1]
            return $0[0] |> switchIfEmpty(b)
        }
        picture("defaultIfEmpty(_:)", "defaultIfEmpty(\"x\")", ["---|"], "---(x|)") { $0[0] |> defaultIfEmpty("x") }
        picture("repeat(_:)", "`repeat`(2)", ["-a-b-|"], "-a-b--a-b-|") { $0[0] |> `repeat`(2) }
    }
}
