import Foundation
import Testing

@testable import SignalKitCore

/// Watching affects the whole process: one test at a time, each with its own names.
@Suite(.serialized) struct SightTests {
    @Test func aSignalDescribesItself() {
        let pipe = ValuePipe<Int>()
        let line = #line + 1
        let signal = pipe.signal() |> named("numbers") |> filter { $0 > 1 } |> map { "\($0)" } |> take(3)
        #expect(
            signal.description == """
                take 3
                  map
                    filter
                      named "numbers" (SignalKitTests/SightTests.swift:\(line))
                        pipe

                """)
        #expect("\(signal)" == signal.description)
        #expect(signal.debugDescription == signal.description)
        #expect(signal.json.hasPrefix(#"{"operator":"take","parameter":"3","sources":[{"operator":"map","#))
        #expect(signal.dot.components(separatedBy: "->").count == 5)
        let joined = combineLatest(Signal<Int, NoError>.single(1), Signal<Int, NoError>.single(2))
        #expect(joined.description == "combineLatest\n  single\n  single\n")
    }

    @Test func whatRunsIsSeen() throws {
        SignalDiagnostics.watch(true)
        defer { SignalDiagnostics.watch(false) }
        let pipe = ValuePipe<Int>(), inner = ValuePipe<Int>()
        let endless = inner.signal()
        let run = (pipe.signal() |> mapToQueue { _ in endless } |> named("stuck in Swift")).start(next: { _ in })
        for number in 0..<4 { pipe.putNext(number) }
        let graph = SignalDiagnostics.graph()
        #expect(graph.contains("mapToQueue: 0 values, 3 waiting"))
        #expect(SignalDiagnostics.graph(.dot).contains("3 waiting"))
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(SignalDiagnostics.graph(.json).utf8)) as? [String: Any])
        let runs = try #require(json["runs"] as? [[String: Any]])
        let stuck = try #require(
            runs.first { $0["operator"] as? String == "run" && $0["name"] as? String == "stuck in Swift" })
        #expect(runs.contains { $0["parent"] as? Int == stuck["id"] as? Int && $0["operator"] as? String == "named" })
        #expect((run as? CustomDebugStringConvertible)?.debugDescription == "an active subscription")
        run.dispose()
        #expect((run as? CustomDebugStringConvertible)?.debugDescription == "a disposed subscription")
        #expect(!SignalDiagnostics.graph().contains("stuck in Swift"))
    }

    /// The handler goes while another thread says that there is one.
    @Test func whoTracesIsLookedForAgain() {
        var answers = [true, false, false, false]
        Sight.trace(while: { answers.removeFirst() })
        #expect(answers.isEmpty)
        let isTraced = Sight.isTraced.load(ordering: .acquiring)
        #expect(!isTraced)
    }

    @Test func whatHappensIsTold() {
        let told = SignalKitCore.Atomic<[String]>(value: [])
        let source: Signal<Int, NoError> = .sequence([1, 2]) |> named("told")
        SignalDiagnostics.traceHandler = { event in
            if event.name == "told" { _ = told.modify { $0 + ["\(event.operation) \(event.kind) \(event.context)"] } }
        }
        SignalDiagnostics.traceContext = 5
        let seen = SignalKitCore.Atomic<UInt64>(value: 0)
        _ = source.start(next: { _ in _ = seen.swap(SignalDiagnostics.traceContext) })
        SignalDiagnostics.traceContext = 0
        SignalDiagnostics.traceHandler = nil
        #expect(seen.with { $0 } == 5)
        #expect(
            told.with { $0 } == [
                "run start 5", "named start 5",
                "named next 5", "run next 5", "run returned 5", "named next 5", "run next 5", "run returned 5",
                "named completed 5", "run completed 5", "run returned 5", "named dispose 5", "run dispose 5",
            ])
    }

    /// The destruction of a handler sets another one, which is then notified.
    @Test func theHandlerThatWasSetLastIsTold() {
        let told = SignalKitCore.Atomic<Int>(value: 0)
        let tracker = LifetimeTracker(),
            setAnother: @Sendable () -> Void = {
                SignalDiagnostics.traceHandler = { if $0.name == "told at last" { _ = told.modify { $0 + 1 } } }
            }
        SignalDiagnostics.traceHandler = { [tracked = tracker.make(onDeinit: setAnother)] _ in tracked.touch() }
        SignalDiagnostics.traceHandler = nil
        defer { SignalDiagnostics.traceHandler = nil }
        _ = (Signal<Int, NoError>.single(1) |> named("told at last")).start()
        #expect(told.with { $0 } > 0)
    }

    /// A recursion by `then` continues in one stage, watched or not.
    @Test func aRecursionThatIsWatchedDoesNotGrow() {
        SignalDiagnostics.watch(true)
        defer { SignalDiagnostics.watch(false) }
        let rounds = SignalKitCore.Atomic<Int>(value: 0)
        let pipe = ValuePipe<Int>()
        @Sendable func recur() -> Signal<Int, NoError> {
            let number = rounds.modify { $0 + 1 }
            if number == 2000 { return pipe.signal() |> named("the last round") }
            return Signal.single(number) |> then(deferred { recur() })
        }
        let run = (recur() |> named("rounds")).start(next: { _ in })
        // Subscriptions of other tests are watched too: the stages of this one are the lines after its own.
        let stages = SignalDiagnostics.graph().split(separator: "\n").drop { !$0.contains("rounds") }
            .dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(stages.contains { $0.contains("the last round") })
        #expect(stages.count < 20)
        run.dispose()
    }

    /// Each is started in the callback of the previous one, and is shown there. It continues after that one has ended.
    @Test func runsThatStartEachOtherDoNotKeepEachOther() {
        SignalDiagnostics.watch(true)
        defer { SignalDiagnostics.watch(false) }
        let pipe = ValuePipe<Int>()
        let signal = pipe.signal() |> named("one after another")
        let seen = SignalKitCore.Atomic<[WeakRecord]>(value: [])
        let current = MetaDisposable()
        @Sendable func startNext() {
            current.set(signal.start(next: { _ in startNext() }))
            _ = seen.modify { $0 + Records.copy().map { WeakRecord(record: $0) } }
        }
        startNext()
        for number in 0..<10 { pipe.putNext(number) }
        let known = seen.with { $0 }.compactMap { $0.record }.filter { $0.isRun && $0.isNamed("one after another") }
        #expect(Set(known.map { $0.number }).count <= 2)
        current.dispose()
    }
}

private struct WeakRecord: @unchecked Sendable {
    weak var record: Record?
}

extension Record {
    fileprivate func isNamed(_ text: String) -> Bool { name.map { String(cString: $0.text) } == text }
}
