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
    }
}
