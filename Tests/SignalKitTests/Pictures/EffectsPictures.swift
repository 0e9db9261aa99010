import SignalKitCore
import Testing

/// Side effects have a separate line.
@Suite struct EffectsPictures {
    @Test func pictures() {
        picture("beforeNext(_:)", "beforeNext { called($0) }", ["-a-b-|"], "-a-b-|", called: "-a-b--") {
            let called = $0.called
            return $0[0] |> beforeNext { called($0) }
        }
        picture("afterNext(_:)", "afterNext { called($0) }", ["-a-b-|"], "-a-b-|", called: "-a-b--") {
            let called = $0.called
            return $0[0] |> afterNext { called($0) }
        }
        picture("beforeStarted(_:)", "beforeStarted { called(\"x\") }", ["-a-b-|"], "-a-b-|", called: "x-----") {
            let called = $0.called
            return $0[0] |> beforeStarted { called("x") }
        }
        picture("beforeCompleted(_:)", "beforeCompleted { called(\"x\") }", ["-a-b-|"], "-a-b-|", called: "-----x") {
            let called = $0.called
            return $0[0] |> beforeCompleted { called("x") }
        }
        picture("afterCompleted(_:)", "afterCompleted { called(\"x\") }", ["-a-b-|"], "-a-b-|", called: "-----x") {
            let called = $0.called
            return $0[0] |> afterCompleted { called("x") }
        }
        picture("beforeError(_:)", "beforeError { _ in called(\"x\") }", ["-a-b-#"], "-a-b-#", called: "-----x") {
            let called = $0.called
            return $0[0] |> beforeError { _ in called("x") }
        }
        picture(
            "afterDisposed(_:)", "afterDisposed { called(\"x\") }", ["-a-b-c-|"], ["^---!": "-a-b"], called: "----x---"
        ) {
            let called = $0.called
            return $0[0] |> afterDisposed { called("x") }
        }
    }

    @Test func ofWholeRuns() {
        picture("trace(_:)", "trace { called(letter($0)) }", ["-a-b-|"], "-a-b-|", called: "sa-b-(cd)") {
            let called = $0.called
            return $0[0] |> trace { called(letter($0)) }
        }
        picture(
            "withState(_:_:next:error:completed:disposed:)", "withState(a, Counter.init, next: { called($1.next()) })",
            ["-a-b-|"], "-a-b-|",
            called: "-1-2--"
        ) {
            let a = $0[0], called = $0.called
            return withState(a, Counter.init, next: { called($1.next()) })
        }
        #if !hasFeature(Embedded)
        picture(
            "debug_measureTimeToFirstEvent(label:to:)",
            "debug_measureTimeToFirstEvent(label: \"x\", to: { label, _ in called(label) })",
            ["-a-b-|"], "-a-b-|", called: "-x----"
        ) {
            let called = $0.called
            return $0[0] |> debug_measureTimeToFirstEvent(label: "x", to: { label, _ in called(label) })
        }
        #endif
    }
}

private func letter(_ event: TraceEvent<String, String>) -> String {
    switch event {
    case .started: return "s"
    case let .next(value): return value
    case .error: return "e"
    case .completed: return "c"
    case .disposed: return "d"
    }
}

private final class Counter: @unchecked Sendable {
    private var count = 0

    func next() -> String {
        count += 1
        return String(count)
    }
}
