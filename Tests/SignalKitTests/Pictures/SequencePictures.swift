import SignalKitCore
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
        picture("retryIf(_:)", "retryIf { _ in true } |> take(5)", ["-a-b-#"], "-a-b--a-b--(a|)") {
            $0[0] |> retryIf { _ in true } |> take(5)
        }
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

    @Test func againAndAgain() {
        picture("recurse(_:)", "recurse(nil) |> take(3)", ["-a-b-|"], "-a-b--(a|)") { $0[0] |> recurse(nil) |> take(3) }
        picture("restartOrMapError(condition:)", "restartOrMapError { .error(\"no \" + $0) }", ["-a-b-#"], "-a-b-#") {
            $0[0] |> restartOrMapError { .error("no " + $0) }
        }
        picture(
            "restartOrMapError(condition:)", "restartOrMapError { _ in .restart } |> take(3)", ["-a-b-#"], "-a-b--(a|)"
        ) {
            $0[0] |> restartOrMapError { _ in .restart } |> take(3)
        }
        picture(
            "retry(_:maxDelay:onQueue:resetOnValue:)", "retry(1, maxDelay: 60, onQueue: queue) |> take(3)", ["-a#"],
            "-a--a---(a|)"
        ) {
            let queue = $0.queue
            return $0[0] |> retry(1, maxDelay: 60, onQueue: queue) |> take(3) |> castError(String.self)
        }
        picture("catchAndReturn(_:)", "catchAndReturn(\"x\")", ["-a-b-#"], "-a-b-(x|)") {
            $0[0] |> catchAndReturn("x") |> castError(String.self)
        }
        picture(
            "feedbackLoop(once:reduce:)", "feedbackLoop(once: { _ in called(\"x\"); return a }, reduce: { $0 + $1 })",
            ["-1-2-#"], "-----#", called: "x-----"
        ) {
            let a = $0.numbers(0), called = $0.called
            let loop: Signal<Int, String> = feedbackLoop(
                once: { _ in
                    called("x"); return a
                }, reduce: { $0 + $1 })
            return loop
        }
        picture(
            "accumulatingLoop(once:reduce:)", "accumulatingLoop(once: { _ in a }, reduce: { $0 + $1 }) |> take(4)",
            ["-1-2-|"],
            "-1-3--4-(6|)"
        ) {
            let a = $0.numbers(0)
            return accumulatingLoop(once: { _ in a }, reduce: { $0 + $1 }) |> take(4)
        }
    }
}
