import InMemoryLogging
import Logging
import SignalKit
import SignalKitLogging
import Testing

@Suite(.serialized) struct LoggingTests {
    private let handler: InMemoryLogHandler = {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        return handler
    }()
    private var logger: Logger { Logger(label: "test") { _ in handler } }

    @Test func diagnosticsGoToTheLogger() {
        let (log, warn, unhandled) = (SignalDiagnostics.log, SignalDiagnostics.warn, UnhandledErrors.handler)
        defer { (SignalDiagnostics.log, SignalDiagnostics.warn, UnhandledErrors.handler) = (log, warn, unhandled) }
        SignalDiagnostics.report(to: logger)
        SignalDiagnostics.log("seen")
        SignalDiagnostics.warn("wrong")
        _ = (Signal<Int, Failure>.fail(Failure()) |> named("pressure")).start()
        #expect(handler.entries.map { $0.level } == [.debug, .warning, .error])
        #expect(handler.entries.map { $0.message.description }.prefix(2) == ["seen", "wrong"])
        #expect(handler.entries.last?.metadata == ["error": "Failure()", "signal": "pressure"])
    }

    @Test func tracesEachRun() {
        let tracker = LifetimeTracker()
        do {
            let token = tracker.make()
            let signal =
                Signal<Int, Failure>.single(7) |> beforeNext { _ in token.touch() }
                |> trace("numbers", to: logger, level: .info)
            _ = signal.start()
            _ = signal.start()
        }
        #expect(tracker.live == 0)
        let entries = handler.entries
        #expect(entries.map { "\($0.message)" } == ["started", "next", "completed", "disposed"] * 2)
        #expect(entries.allSatisfy { $0.level == .info && $0.metadata["signal"] == "numbers" })
        #expect(entries[1].metadata["value"] == "7")
        #expect(Set(entries.compactMap { $0.metadata["run"] }.map { "\($0)" }).count == 2)
    }

    @Test func tracesNothingBelowTheLevel() {
        let signal = Signal<Int, Failure>.single(7)
        var quiet = logger
        quiet.logLevel = .info
        #expect((signal |> trace("numbers", to: quiet)) === signal)
    }
}

private func * <T>(items: [T], count: Int) -> [T] { Array(repeatElement(items, count: count).joined()) }
