import SignalKitCore
import Testing

/// Errors that end a subscription without an error callback. (The handler belongs to the process, so the errors of
/// these tests have their own types.)
@Suite(.serialized)
struct UnhandledTests {
    private struct Broken: Equatable { let number: Int }

    /// Returns the errors that the handler receives during `body`.
    private func told(_ body: () -> Void) -> [String] {
        let lines = Atomic<[String]>(value: [])
        let before = UnhandledErrors.handler
        UnhandledErrors.handler = { error, name in
            if let error = error as? Broken {
                _ = lines.modify { $0 + ["\(name ?? "-") \(error.number)"] }
            } else {
                before(error, name)
            }
        }
        body()
        UnhandledErrors.handler = before
        return lines.with { $0 }
    }

    private func fails(_ number: Int) -> Signal<Int, Broken> { fail(Int.self, Broken(number: number)) }

    @Test func isToldOnceARun() {
        #expect(
            told {
                let source = ManualSource<Int, Broken>()
                _ = source.signal().start()
                let subscriber = source.subscribers[0]
                subscriber.putError(Broken(number: 1))
                subscriber.putError(Broken(number: 2))
                _ = fails(3).start(next: { _ in }, completed: {})
                _ = fails(4).startWaitable()
                _ = (fails(5) |> take(2)).startStandalone()
            } == ["- 1", "- 3", "- 4", "- 5"])
    }

    @Test func whatIsHandledOrNotWantedIsNot() {
        #expect(
            told {
                _ = fails(1).start(error: { _ in })
                _ = fails(2).start(error: ignoreError)
                let source = ManualSource<Int, Broken>()
                let run = source.signal().start()
                let subscriber = source.subscribers[0]
                run.dispose()
                subscriber.putError(Broken(number: 3))
                _ = single(1, Broken.self).start()
            } == [])
    }

    @Test func itsNameIsTheLastOneOnTheWay() {
        #expect(
            told {
                _ = (fails(1) |> named("inner")).start()
                _ = (fails(2) |> named("inner") |> map { $0 } |> named("outer")).start()
                _ = fails(3).start()
            } == ["inner 1", "outer 2", "- 3"])
    }

    /// (Other warnings in the meantime are not counted.)
    @Test func theLineSaysWhere() {
        let lines = Atomic<[String]>(value: [])
        let before = SignalDiagnostics.warn
        SignalDiagnostics.warn = { line in if line.contains("Broken") { _ = lines.modify { $0 + [line] } } }
        _ = (fails(1) |> named("printer", file: "Office/Paper.swift", line: 12)).start()
        _ = fails(2).start()
        SignalDiagnostics.warn = before
        let what = "failed with an unhandled error: Broken(number:"
        #expect(
            lines.with { $0 } == [
                "a subscription of 'printer' (Office/Paper.swift:12) \(what) 1)", "a subscription \(what) 2)",
            ])
    }
}
