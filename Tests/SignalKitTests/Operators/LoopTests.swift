import Foundation
import SignalKitTesting
import Testing
@testable import SignalKitCore

@Suite struct LoopTests {
    private let log = Log()

    // Covers: SW-234, SW-235, C-144
    @Test func theOldLoopFeedsNothingBack() {
        let source = ManualSource<Int, String>("a", log)
        var states: [String] = []
        var left = 2
        let loop: Signal<Int, String> = feedbackLoop(
            once: { (state: SignalFeedbackLoopState<Int>) -> Signal<Int, String>? in
                states.append("\(state)")
                left -= 1
                return left >= 0 ? source.signal() : nil
            }, reduce: { (_: Int, _: Int) -> Int in fatalError("never called") })
        let handle = loop.start(log)
        source.next(1)
        source.complete()
        source.next(2)
        source.complete()
        #expect(log.text == "Sa Sa Da C Da")
        #expect(states == ["initial", "initial", "initial"])
        handle.dispose()
        let none: Signal<Int, String> = feedbackLoop(
            once: { (_: SignalFeedbackLoopState<Int>) in nil }, reduce: { a, _ in a })
        #expect(none.trace() == "C")
        let failing: Signal<Int, String> = feedbackLoop(
            once: { (_: SignalFeedbackLoopState<Int>) in .fail("x") }, reduce: { a, _ in a })
        #expect(failing.trace() == "Ex")
    }

    /// In the originals every subscription leaks its state.
    // Covers: B-66, SW-234, C-183, C-144
    @Test func theOldLoopLetsItsStateGo() {
        let tracker = LifetimeTracker()
        for ends in [false, true] {
            let source = ManualSource<Int, NoError>()
            func start() -> any Disposable {
                let probe = tracker.make()
                var left = 1
                let loop: Signal<Int, NoError> = feedbackLoop(
                    once: { (_: SignalFeedbackLoopState<Int>) -> Signal<Int, NoError>? in
                        probe.touch()
                        left -= 1
                        return left >= 0 ? source.signal() : nil
                    }, reduce: { a, _ in a })
                return loop.start()
            }
            let handle = start()
            #expect(tracker.live == 1)
            if ends { source.complete() } else { handle.dispose() }
            #expect(tracker.live == 0)
        }
    }

    // Covers: B-66, SW-235
    @Test func theNewLoopFeedsTheAccumulatedValueBack() {
        let source = ManualSource<Int, String>("a", log)
        var states: [String] = []
        let handle = accumulatingLoop(
            once: { state -> Signal<Int, String>? in
                states.append("\(state)")
                return states.count > 3 ? nil : source.signal()
            }, reduce: { $0 + $1 }
        ).start(log)
        source.complete()
        source.next(1)
        source.next(2)
        source.complete()
        source.next(10)
        source.complete()
        #expect(states == ["initial", "initial", "loop(3)", "loop(13)"])
        #expect(log.text == "Sa Sa Da N1 N3 Sa Da N13 C Da")
        handle.dispose()
        let failing: Signal<Int, String> = accumulatingLoop(
            once: { _ in sync("s", Log(), [1], .failed("x")) }, reduce: { $0 + $1 })
        #expect(failing.trace() == "N1 Ex")
        #expect((failing |> take(1)).trace() == "N1 C")
    }

    // MARK: Events as values

    // Covers: SW-236, SW-237, SW-238, C-143
    @Test func eventsAsValuesAndBack() {
        let completing: Signal<Int, String> = sync("a", log, [1, 2], .completed),
            failing: Signal<Int, String> = sync("a", log, [1], .failed("x"))
        #expect((completing |> toEvents).trace() == "NNext(1) NNext(2) NCompletion C")
        #expect((failing |> toEvents).trace() == "NNext(1) NError(\"x\") C")
        #expect((completing |> toEvents |> fromEvents).trace() == "N1 N2 C")
        #expect((failing |> toEvents |> fromEvents).trace() == "N1 Ex")
        #expect((failing |> dematerialize |> materialize).trace() == "N1 Ex", "the names of SwiftSignalKit")
        let without: Signal<SignalEvent<Int, String>, NoError> = sync("a", log, [.Next(1)], .completed)
        #expect((without |> fromEvents).trace() == "N1 C")
        let source = ManualSource<SignalEvent<Int, String>, NoError>("s", log)
        let second = Log()
        let handle = (source.signal() |> fromEvents).start(second)
        source.next(.Next(1))
        source.next(.Error("y"))
        #expect(second.text == "N1 Ey")
        #expect(source.subscribers.isEmpty)
        handle.dispose()
    }

    // Covers: SW-236, B-1
    @Test func disposedInsideTheValueThatStandsForTheEnd() {
        let source = ManualSource<Int, String>("a", log)
        var handle: (any Disposable)?
        handle = (source.signal() |> toEvents).start(
            next: { [log] in
                log.add("N\($0)")
                handle?.dispose()
            }, completed: { [log] in log.add("C") })
        source.complete()
        #expect(log.text == "Sa NCompletion Da")
    }

    // MARK: Diagnostics

    // Covers: C-96
    @Test func debugIsATraceOfThatName() async {
        await #expect(processExitsWith: .success) {
            let lines = Recorded<String>()
            SignalDiagnostics.log = { lines.add($0) }
            _ = Signal<Int, NoError>.single(1).debug("name").start()
            precondition(lines.all.count == 4, "started, next, completed, disposed")
            precondition(
                lines.all[1].contains("name#1 (SignalKitTests/LoopTests.swift:") && lines.all[1].hasSuffix("next 1"))
        }
    }

    // Covers: OC19-8
    @Test func traceReportsEachSubscription() {
        let lines = Log()
        let source = ManualSource<Int, String>("a", log)
        let signal = source.signal() |> trace("name", to: { lines.add(String($0.drop { $0 != ")" }.dropFirst())) })
        let first = signal.start(log)
        source.next(1)
        source.fail("x")
        let second = signal.start(log)
        second.dispose()
        first.dispose()
        #expect(log.text == "Sa N1 Ex Da Sa Da")
        #expect(lines.entries == [" started", " next 1", " error x", " disposed", " started", " disposed"])
    }

    @Test func traceSaysTheTimeInMicroseconds() {
        let lines = Log()
        let numbers = Signal<Int, NoError>.range(0, count: 100)
        _ = (numbers |> trace("name", to: { lines.add(String($0.prefix { $0 != " " })) })).start()
        #expect(lines.entries.allSatisfy { $0.split(separator: ".")[1].count <= 6 })
    }

    // Covers: OC19-8
    @Test func traceGivesEventsToASinkOfItsOwn() {
        let source: Signal<Int, String> = sync("a", log, [1], .completed)
        let handle =
            (source
            |> trace { [log] (event: TraceEvent<Int, String>) in
                switch event {
                case .started: log.add("started")
                case let .next(value): log.add("next\(value)")
                case .completed: log.add("completed")
                case .disposed: log.add("disposed")
                case .error: log.add("error")
                }
            }).start(log)
        #expect(log.text == "started Sa next1 N1 completed C Da disposed")
        handle.dispose()
    }

    /// In the originals only the first subscription ever reports, and in release builds too.
    // Covers: B-68, SW-239, C-151
    @Test func theTimeToTheFirstEventOfEachSubscription() {
        let reports = Log()
        let source: Signal<Int, String> = sync("a", log, [1, 2], .completed)
        let signal =
            source
            |> debug_measureTimeToFirstEvent(
                label: "first",
                to: { label, milliseconds in
                    reports.add(label + (milliseconds >= 0 && milliseconds < 60_000 ? "" : "?"))
                })
        #expect(signal.trace() == "N1 N2 C")
        #expect(signal.trace() == "N1 N2 C")
        #if DEBUG
        #expect(reports.text == "first first")
        #else
        #expect(reports.text == "")
        #endif
    }

    // MARK: A queue of signals

    // Covers: OC-85, OC-86, B-59
    @Test func signalsOfAQueueInTime() throws {
        let test = TestScheduler(), line = SignalQueue()
        let first = test.cold("-a-b-|"), second = test.cold("-x-#"), left = test.cold("y"),
            stopped = test.cold("-z-z-z"), last = test.cold("w|")
        test.expectSignal(line.enqueue(first.signal)).toBe("                              -a-b-|")
        test.expectSignal(line.enqueue(second.signal), subscription: "-^").toBe("           ------x-#")
        test.expectSignal(line.enqueue(left.signal), subscription: "--^-!").toBe("")
        test.expectSignal(line.enqueue(stopped.signal), subscription: "---^------!").toBe("  ---------z")
        test.expectSignal(line.enqueue(last.signal), subscription: "----^").toBe("          ----------w|")
        test.expectSubscriptions(second).toBe("                                   -----^--!")
        test.expectSubscriptions(left).toBe()
        test.expectSubscriptions(stopped).toBe("                                  --------^-!")
        try test.run()
    }

    // Covers: OC-85, OC-86
    @Test func signalsRunInTheOrderOfTheirSubscriptions() {
        let line = SignalQueue()
        let a = ManualSource<Int, String>("a", log), b = ManualSource<Int, String>("b", log)
        let first = line.enqueue(a.signal()), second = line.enqueue(b.signal())
        let handles = [
            second.start(log), first.start(log),
            line.enqueue(sync("c", log, [3], SyncEnd<String>.completed)).start(log),
        ]
        #expect(log.text == "Sb")
        b.fail("x")
        a.next(1)
        a.complete()
        #expect(log.text == "Sb Ex Sa Db N1 C Sc N3 C Dc Da")
        for handle in handles { handle.dispose() }
    }

    /// The originals run the signal of one who has left, for nobody.
    // Covers: B-59, OC-86
    @Test func whoHasLeftIsSkipped() {
        let line = SignalQueue()
        let a = ManualSource<Int, String>("a", log), b = ManualSource<Int, String>("b", log),
            c = ManualSource<Int, String>("c", log)
        let tracker = LifetimeTracker()
        let first = line.enqueue(a.signal()).start(log)
        let waiting = { [log] () -> any Disposable in
            let probe = tracker.make()
            return line.enqueue(
                b.signal()
                    |> map { value -> Int in
                        probe.touch(); return value
                    }
            ).start(log)
        }()
        let third = line.enqueue(c.signal()).start(log)
        #expect(tracker.live == 1)
        waiting.dispose()
        #expect(tracker.live == 0)
        first.dispose()
        #expect(log.text == "Sa Da Sc")
        third.dispose()
        #expect(log.text == "Sa Da Sc Dc")
    }

    // Covers: OC-85, OC-86
    @Test func lettingTheQueueGoDisposesWhatRunsAndDropsTheRest() {
        let tracker = LifetimeTracker()
        let a = ManualSource<Int, String>("a", log), b = ManualSource<Int, String>("b", log)
        var line: SignalQueue? = SignalQueue()
        var handles: [any Disposable] = []
        for source in [a, b] {
            let probe = tracker.make()
            handles.append(line!.enqueue(source.signal()).start(next: { _ in probe.touch() }))
        }
        line = nil
        #expect(log.text == "Sa Da")
        #expect(tracker.live == 0)
        for handle in handles { handle.dispose() }
        #expect(log.text == "Sa Da")
    }

    // Covers: OC-86, B-59
    @Test func aQueueUsedByManyThreadsNeverRunsTwoAtOnce() {
        final class State: @unchecked Sendable {
            var running = 0
            var overlaps = 0
            var ran = 0
        }
        let state = State(), line = SignalQueue()
        race(4) { thread in
            for index in 0..<100 {
                let signal = Signal<Int, NoError> { subscriber in
                    state.running += 1
                    if state.running != 1 { state.overlaps += 1 }
                    state.ran += 1
                    state.running -= 1
                    subscriber.putCompletion()
                    return EmptyDisposable
                }
                let handle = line.enqueue(signal).start()
                if index % 3 == 0 { handle.dispose() }
            }
        }
        #expect(state.overlaps == 0)
        #expect(state.ran > 100 && state.ran <= 400)
    }

    /// Subscriptions that start and end during an endless one leave nothing behind.
    /// Covers: B-59, OC-86
    @Test func theLineDoesNotGrowByThoseWhoLeave() {
        let line = SignalQueue(), tracker = LifetimeTracker()
        let running = line.enqueue(Signal<Int, NoError>.never()).start()
        for _ in 0..<1_000 {
            let probe = tracker.make()
            line.enqueue(
                Signal<Int, NoError> { _ in
                    probe.touch(); return EmptyDisposable
                }
            ).start(next: { _ in probe.touch() }).dispose()
        }
        #expect(tracker.live == 0)
        running.dispose()
    }
}
