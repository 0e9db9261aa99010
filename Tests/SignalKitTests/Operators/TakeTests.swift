import SignalKitTesting
import Testing
@testable import SignalKitCore

@Suite struct TakeTests {
    private let log = Log()
    private let test = TestScheduler()

    /// The time of each end, and that it releases the source then.
    /// Covers: SW-211, SW-212, SW-217, SW-218, C-164, C-165, C-166
    @Test func takeInTime() throws {
        func until(_ letter: String, passes: Bool) -> (Signal<String, String>) -> Signal<String, String> {
            take(until: { SignalTakeAction(passthrough: $0 != letter || passes, complete: $0 == letter) })
        }
        let lastOrNone = { (signal: Signal<String, String>) in signal |> last |> map { $0 ?? "n" } }
        let rows:
            [(
                source: String, operation: (Signal<String, String>) -> Signal<String, String>, expected: String,
                subscription: String
            )] = [
                ("-a-b-c-|", take(2), "-a-(b|)", "^--!"), ("-a-(bc)", take(2), "-a-(b|)", "^--!"),
                ("-a--|", take(2), "-a--|", "^---!"), ("-a-#", take(2), "-a-#", "^--!"),
                ("-a-b-c-|", until("b", passes: true), "-a-(b|)", "^--!"),
                ("-a-b-c-|", until("b", passes: false), "-a-|", "^--!"),
                ("-a-b-|", takeLast, "-----(b|)", "^----!"), ("---|", takeLast, "---|", "^--!"),
                ("-a-#", takeLast, "---#", "^--!"),
                ("-a-b-|", lastOrNone, "-----(b|)", "^----!"), ("---|", lastOrNone, "---(n|)", "^--!"),
                ("-a-#", lastOrNone, "---#", "^--!"),
            ]
        for row in rows {
            let source = test.cold(row.source)
            test.expectSignal(source.signal |> row.operation).toBe(row.expected)
            test.expectSubscriptions(source).toBe(row.subscription)
        }
        try test.run()
    }

    // Covers: SW-211, OC-93, MT-19, C-164
    @Test func takeCompletesRightAfterTheLast() {
        let source = ManualSource<Int, String>("a", log)
        let signal = source.signal() |> take(2)
        let handle = signal.start(log)
        source.next(1)
        let subscriber = source.subscribers[0]
        source.next(2)
        #expect(log.text == "Sa N1 N2 C Da")
        subscriber.putNext(3)
        subscriber.putError("x")
        #expect(log.text == "Sa N1 N2 C Da")
        handle.dispose()
        // The counter is one subscription's own.
        let again = signal.start(log)
        source.next(1)
        source.fail("x")
        #expect(log.text == "Sa N1 N2 C Da Sa N1 Ex Da")
        again.dispose()
    }

    // Covers: SW-211, C-164
    @Test func takeOfASynchronousSourceDisposesAfterTheEnd() {
        let handle = (sync("a", log, [1, 2, 3], SyncEnd<String>.failed("x")) |> take(2)).start(log)
        #expect(log.text == "Sa N1 N2 C Da")
        handle.dispose()
        let short: Signal<Int, String> = sync("a", log, [1], .completed)
        #expect((short |> take(5)).trace() == "N1 C")
    }

    /// The originals subscribe and never complete.
    // Covers: B-57, SW-211, C-164
    @Test(arguments: [0, -1, Int.min]) func takeOfNoneCompletesAtOnceWithoutSubscribing(count: Int) {
        let handle = (sync("a", log, [1], SyncEnd<String>.open) |> take(count)).start(log)
        #expect(log.text == "C")
        handle.dispose()
        #expect((Signal<Int, String>.single(1) |> take(count)).trace() == "C")
    }

    /// In the originals the completion can overtake a value that has been counted.
    // Covers: B-56, SW-211, C-177
    @Test func takeFromManyThreadsGivesExactlyAsManyThenTheEnd() {
        for _ in 0..<100 {
            let source = ManualSource<Int, NoError>("a", log)
            let seen = Log()
            let handle = (source.signal() |> take(10)).start(next: { seen.add("\($0)") }, completed: { seen.add("C") })
            race(8) { thread in for index in 0..<10 { source.next(thread * 10 + index) } }
            let entries = seen.entries
            #expect(entries.count == 11 && entries.last == "C" && Set(entries).count == 11)
            handle.dispose()
        }
        #expect(log.entries.filter { $0 == "Da" }.count == 100)
    }

    // Covers: SW-211
    @Test func aValueFromInsideACallbackCounts() {
        let source = ManualSource<Int, NoError>("a", log)
        let handle = (source.signal() |> take(2)).start(
            next: { [log] value in
                log.add("N\(value)")
                if value == 1 { for extra in 2...4 { source.next(extra) } }
            }, completed: { [log] in log.add("C") })
        source.next(1)
        #expect(log.text == "Sa N1 N2 C Da")
        handle.dispose()
    }

    // Covers: SW-212, SW-213, SW-214, SW-215, SW-216, C-165
    @Test func takeUntilDoesAllFour() {
        let actions = [
            SignalTakeAction(passthrough: true, complete: false), SignalTakeAction(passthrough: false, complete: false),
            SignalTakeAction(passthrough: true, complete: true), SignalTakeAction(passthrough: false, complete: true),
        ]
        #expect(actions[2].passthrough && actions[2].complete)
        func run(_ values: [Int], _ end: SyncEnd<String> = .open) -> String {
            let log = Log()
            let handle = (sync("a", log, values, end) |> take(until: { actions[$0] })).start(log)
            defer { handle.dispose() }
            return log.text
        }
        #expect(run([0, 1, 0, 2, 0]) == "Sa N0 N0 N2 C Da")
        #expect(run([0, 3, 0]) == "Sa N0 C Da")
        #expect(run([0, 1], .completed) == "Sa N0 C Da")
        #expect(run([0], .failed("x")) == "Sa N0 Ex Da")
    }

    // Covers: SW-212, C-165
    @Test func takeUntilIsDisposedAndItsPredicateMayDispose() {
        let source = ManualSource<Int, NoError>("a", log)
        var handle: (any Disposable)?
        handle =
            (source.signal()
            |> take(until: { value in
                if value == 2 { handle?.dispose() }
                return SignalTakeAction(passthrough: true, complete: value == 2)
            })).start(log)
        source.next(1)
        source.next(2)
        #expect(log.text == "Sa N1 Da")
    }

    // Covers: SW-217, OC-94, MT-27, C-166
    @Test func takeLastEmitsTheLastAtCompletion() {
        #expect((sync("a", log, [1, 2, 3], SyncEnd<String>.completed) |> takeLast).trace() == "N3 C")
        #expect((sync("a", log, [], SyncEnd<String>.completed) |> takeLast).trace() == "C")
        #expect((sync("a", log, [1], SyncEnd<String>.failed("x")) |> takeLast).trace() == "Ex")
        let optionals: Signal<Int?, String> = sync("a", log, [1, nil], .completed)
        #expect((optionals |> takeLast).trace() == "Nnil C")
    }

    // Covers: SW-218, C-166
    @Test func lastEmitsNilWhenThereWasNone() {
        #expect((sync("a", log, [1, 2], SyncEnd<String>.completed) |> last).trace() == "NOptional(2) C")
        let none: Signal<Int, String> = .complete()
        #expect((none |> last).trace() == "Nnil C")
        #expect((sync("a", log, [1], SyncEnd<String>.failed("x")) |> last).trace() == "Ex")
    }

    /// Disposing from inside the last value leaves no completion behind it.
    // Covers: SW-217, SW-218, SW-164, B-1
    @Test func disposedInsideTheLastValue() {
        let source = ManualSource<Int, NoError>("a", log)
        for operation in 0..<3 {
            var handle: (any Disposable)?
            let next: (Int) -> Void = { [log] in
                log.add("N\($0)")
                handle?.dispose()
            }
            let completed: () -> Void = { [log] in log.add("C") }
            switch operation {
            case 0: handle = (source.signal() |> takeLast).start(next: next, completed: completed)
            case 1: handle = (source.signal() |> last).start(next: { next($0!) }, completed: completed)
            default:
                handle = (source.signal() |> reduceLeft(value: 0, f: { (_: Int, new: Int) in new })).start(
                    next: next, completed: completed)
            }
            source.next(1)
            source.complete()
        }
        #expect(log.text == "Sa N1 Da Sa N1 Da Sa N1 Da")
    }

    // Covers: SW-217, C-166
    @Test func theHeldValueIsReleasedWhenItIsReplacedAndWithTheSubscription() {
        let tracker = LifetimeTracker()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>()
        let handle = (source.signal() |> takeLast).start()
        source.next(tracker.make())
        source.next(tracker.make())
        #expect(tracker.live == 1)
        handle.dispose()
        #expect(tracker.live == 0)
    }

    // MARK: takeUntilReplacement

    // Covers: OC-95
    @Test func aReplacementTakesThePlace() {
        let original = ManualSource<Int, String>("o", log),
            replacement = ManualSource<Signal<Int, String>, String>("r", log)
        let x = ManualSource<Int, String>("x", log), y = ManualSource<Int, String>("y", log)
        let handle = (original.signal() |> takeUntilReplacement(replacement.signal())).start(log)
        original.next(1)
        replacement.next(x.signal())
        original.next(2)
        x.next(3)
        replacement.next(y.signal())
        replacement.complete()
        y.next(4)
        y.complete()
        #expect(log.text == "Sr So N1 Do Sx N3 Dx Sy Dr N4 C Dy")
        handle.dispose()
    }

    // Covers: OC-95
    @Test func endsOfTheOriginalAndOfTheReplacement() {
        func run(_ act: (ManualSource<Int, String>, ManualSource<Signal<Int, String>, String>) -> Void) -> String {
            let log = Log()
            let original = ManualSource<Int, String>("o", log),
                replacement = ManualSource<Signal<Int, String>, String>("r", log)
            let handle = (original.signal() |> takeUntilReplacement(replacement.signal())).start(log)
            act(original, replacement)
            handle.dispose()
            return log.text
        }
        #expect(run { original, _ in original.complete() } == "Sr So C Do Dr")
        #expect(run { original, _ in original.fail("x") } == "Sr So Ex Do Dr")
        #expect(run { _, replacement in replacement.fail("x") } == "Sr So Ex Do Dr")
        #expect(
            run { original, replacement in
                replacement.complete()
                original.next(1)
            } == "Sr So Dr N1 Do")
        #expect(run { _, _ in } == "Sr So Do Dr")
    }

    /// A replacement that is there at once: the originals start the first signal all the same, and its end cancels the replacement.
    // Covers: B-58, OC-95
    @Test func theOriginalIsNotStartedOnceReplaced() {
        let x = ManualSource<Int, String>("x", log)
        let original: Signal<Int, String> = sync("o", log, [1], .completed)
        let handle = (original |> takeUntilReplacement(.single(x.signal()))).start(log)
        x.next(2)
        #expect(log.text == "Sx N2")
        handle.dispose()
        #expect(log.text == "Sx N2 Dx")
    }

    // Covers: OC-95, B-49
    @Test func replacementsFromManyThreadsLeaveOneAlive() {
        for _ in 0..<100 {
            let log = Log()
            let replacement = ManualSource<Signal<Int, NoError>, NoError>("r", log),
                inner = ManualSource<Int, NoError>("i", log)
            let handle = (Signal<Int, NoError>.never() |> takeUntilReplacement(replacement.signal())).start(log)
            race(3) { _ in for _ in 0..<3 { replacement.next(inner.signal()) } }
            #expect(inner.subscribers.count == 1)
            handle.dispose()
            #expect(log.entries.filter { $0 == "Si" }.count == log.entries.filter { $0 == "Di" }.count)
        }
    }
}
