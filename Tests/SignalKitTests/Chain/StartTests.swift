import Foundation
import Testing
import SignalKitCore

/// The signal itself: its kinds of start, the smallest sources, the pipe operator (SPEC C.5).
@Suite struct StartTests {
    private enum Variant: CaseIterable { case plain, standalone, strict }

    private func start<T, E>(
        _ signal: Signal<T, E>, _ variant: Variant, next: ((T) -> Void)? = nil, error: ((E) -> Void)? = nil,
        completed: (() -> Void)? = nil
    ) -> Disposable {
        switch variant {
        case .plain: return signal.start(next: next, error: error, completed: completed)
        case .standalone: return signal.startStandalone(next: next, error: error, completed: completed)
        case .strict: return signal.startStrict(next: next, error: error, completed: completed, file: "here", line: 1)
        }
    }

    private func trace(_ signal: Signal<Int, String>, _ variant: Variant) -> String {
        let log = Log()
        let handle = start(
            signal, variant, next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
        handle.dispose()
        handle.dispose()
        return log.text
    }

    // Covers: SW-6, SW-8, SW-9, SW-10, SW-11, SW-12, SW-13, SW-14
    @Test func theSmallestSourcesDeliverExactlyTheirEvents() {
        for variant in Variant.allCases {
            #expect(trace(.single(1), variant) == "N1 C")
            #expect(trace(.complete(), variant) == "C")
            #expect(trace(.fail("x"), variant) == "Ex")
            #expect(trace(.never(), variant) == "")
        }
    }

    // Covers: SW-47, SW-48, SW-49, SW-50
    @Test func theFreeFunctionsBehaveTheSame() {
        for variant in Variant.allCases {
            #expect(trace(single(1, String.self), variant) == "N1 C")
            #expect(trace(complete(Int.self, String.self), variant) == "C")
            #expect(trace(fail(Int.self, "x"), variant) == "Ex")
            #expect(trace(never(Int.self, String.self), variant) == "")
        }
    }

    // Covers: SW-8, SW-9, SW-10
    @Test func startingWithoutCallbacksStillRunsAndDisposes() {
        for variant in Variant.allCases {
            let log = Log()
            for signal in [Signal<Int, String>.single(1), .complete(), .fail("x"), .never()] {
                start(signal, variant).dispose()
            }
            let signal = Signal<Int, String> { subscriber in
                subscriber.putNext(1)
                subscriber.putCompletion()
                return ActionDisposable { log.add("D") }
            }
            start(signal, variant).dispose()
            #expect(log.text == "D")
        }
    }

    // Covers: SW-7, SW-8, SW-16
    @Test func theGeneratorRunsInsideStartOnTheCallersThread() {
        let log = Log()
        let thread = pthread_self()
        let signal = Signal<Int, NoError> { subscriber in
            log.add(pthread_equal(pthread_self(), thread) != 0 ? "here" : "elsewhere")
            subscriber.putNext(1)
            return EmptyDisposable
        }
        #expect(log.text == "")
        let handle = signal.start(next: { log.add("N\($0)") })
        #expect(log.text == "here N1")
        handle.dispose()
    }

    // Covers: SW-7, SW-8, SW-9, SW-10
    @Test func aSignalIsColdAndRunsOncePerStart() {
        var runs = 0
        let signal = Signal<Int, NoError> { _ in
            runs += 1
            return EmptyDisposable
        }
        #expect(runs == 0)
        for (index, variant) in Variant.allCases.enumerated() {
            start(signal, variant).dispose()
            #expect(runs == index + 1)
        }
    }

    // Covers: SW-9
    @Test func startStandaloneIsStart() {
        var logs: [String] = []
        for variant in [Variant.plain, .standalone] {
            let log = Log(), source = ManualSource<Int, String>("", log)
            let handle = start(
                source.signal(), variant, next: { log.add("N\($0)") }, error: { log.add("E\($0)") },
                completed: { log.add("C") })
            source.next(1)
            handle.dispose()
            source.next(2)
            let other = start(source.signal(), variant, completed: { log.add("C") })
            source.complete()
            other.dispose()
            logs.append(log.text)
        }
        #expect(logs[0] == "S N1 D S C D")
        #expect(logs[0] == logs[1])
    }

    // Covers: SW-10, SW-26
    @Test func startStrictReturnsAStrictDisposableThatForwards() {
        let log = Log(), source = ManualSource<Int, NoError>("", log)
        let handle = source.signal().startStrict(next: { log.add("N\($0)") })
        #expect(handle is StrictDisposable)
        source.next(1)
        handle.dispose()
        source.next(2)
        #expect(log.text == "S N1 D")
    }

    // Covers: SW-10, B-12
    @Test func startStrictOnASignalThatHasEndedAlready() {
        let log = Log()
        let signal = Signal<Int, NoError> { subscriber in
            subscriber.putNext(1)
            subscriber.putCompletion()
            return ActionDisposable { log.add("D") }
        }
        let handle = signal.startStrict(next: { log.add("N\($0)") }, completed: { log.add("C") })
        #expect(log.text == "N1 C D")
        handle.dispose()
        #expect(log.text == "N1 C D")
    }

    // Covers: SW-1, SW-2
    @Test func thePipeAppliesFunctionsFromLeftToRight() {
        let text = 1 |> { $0 + 1 } |> { "\($0)" } |> { $0 + "!" }
        #expect(text == "2!")
        var got: [Int] = []
        _ = (Signal<Int, NoError>.single(3) |> map { $0 * 2 } |> map { $0 + 1 }).start(next: { got.append($0) })
        #expect(got == [7])
    }

    // Covers: SW-3
    @Test func identityReturnsItsArgument() {
        final class Box {}
        let box = Box()
        #expect(identity(a: box) === box)
        #expect(identity(a: 5) == 5)
    }

    // Covers: SW-4, SW-5
    @Test func noValueAndNoErrorMarkWhatCannotHappen() {
        let log = Log()
        let silent = Signal<NoValue, String> { subscriber in
            subscriber.putError("x")
            return EmptyDisposable
        }
        _ = silent.start(error: { log.add("E\($0)") })
        let safe = Signal<Int, NoError>.single(1)
        _ = safe.start(next: { log.add("N\($0)") })
        #expect(log.text == "Ex N1")
    }

    /// The subscription is there before the generator runs: a callback inside `start` can stop the source.
    @Test func aSynchronousSourceCanBeStoppedFromItsCallback() {
        var asked = 0, got: [Int] = []
        let signal = Signal<Int, NoError> { subscriber in
            while subscriber.isActive {
                asked += 1
                subscriber.putNext(asked)
            }
            return EmptyDisposable
        }
        _ = (signal |> take(3)).start(next: { got.append($0) })
        #expect(got == [1, 2, 3])
        #expect(asked == 3)
    }
}
