import SignalKitCore
import Testing

@Suite struct CreationPictures {
    @Test func pictures() {
        picture(
            "Signal.init(_:)", "Signal { $0.putNext(\"a\"); $0.putCompletion(); return EmptyDisposable }", [], "(a|)"
        ) { _ in
            Signal {
                $0.putNext("a"); $0.putCompletion(); return EmptyDisposable
            }
        }
        picture("Signal.single(_:)", "single(\"a\")", [], "(a|)") { _ in .single("a") }
        picture("Signal.complete()", "complete()", [], "|") { _ in Signal<String, String>.complete() }
        picture("Signal.fail(_:)", "fail(\"no\")", [], "#") { _ in Signal<String, String>.fail("no") }
        picture("Signal.never()", "never()", [], "-----") { _ in Signal<String, String>.never() }
        picture("Signal.sequence(_:)", "sequence([\"a\", \"b\", \"c\"])", [], "(abc|)") {
            _ in .sequence(["a", "b", "c"])
        }
        picture("deferred(_:)", "deferred { called(\"x\"); return a }", ["-a-b-|"], "-a-b-|", called: "x-----") {
            let a = $0[0], called = $0.called
            return deferred {
                called("x"); return a
            }
        }
        picture(
            "Signal.using(_:release:_:)", "using({ called(\"x\") }, release: { called(\"y\") }) { a }",
            ["-a-b-|"], "-a-b-|", called: "x----y"
        ) {
            let a = $0[0], called = $0.called
            return Signal.using({ called("x") }, release: { called("y") }) { a }
        }
    }
}
