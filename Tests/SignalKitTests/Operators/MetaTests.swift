import Testing
@testable import SignalKitCore

@Suite struct MetaTests {
    private let log = Log()
    private let outer: ManualSource<Signal<Int, String>, String>
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>

    init() {
        outer = ManualSource("o", log)
        a = ManualSource("a", log)
        b = ManualSource("b", log)
    }

    // MARK: switchToLatest

    // Covers: SW-168, OC-77, MT-20, C-145
    @Test func switchToLatestStartsTheNewBeforeItDisposesTheOld() {
        let handle = (outer.signal() |> switchToLatest).start(log)
        let old = a
        outer.next(old.signal())
        old.next(1)
        let subscriber = old.subscribers[0]
        outer.next(b.signal())
        subscriber.putNext(2)
        b.next(3)
        outer.complete()
        b.next(4)
        b.complete()
        #expect(log.text == "So Sa N1 Sb Da N3 Do N4 C Db")
        handle.dispose()
    }

    // Covers: SW-168, C-145
    @Test func switchToLatestEndsInEveryOrder() {
        for order in ["inner", "outer", "alone"] {
            let log = Log()
            let outer = ManualSource<Signal<Int, String>, String>("o", log), inner = ManualSource<Int, String>("i", log)
            _ = (outer.signal() |> switchToLatest).start(log)
            if order != "alone" { outer.next(inner.signal()) }
            if order == "inner" { inner.complete() }
            outer.complete()
            inner.complete()
            #expect(log.text == ["inner": "So Si Di C Do", "outer": "So Si Do C Di", "alone": "So C Do"][order])
        }
    }

    // Covers: SW-168, C-145, C-24
    @Test func errorsDisposeTheInnerThenTheOuter() {
        for failing in ["inner", "outer"] {
            let log = Log()
            let outer = ManualSource<Signal<Int, String>, String>("o", log), inner = ManualSource<Int, String>("i", log)
            _ = (outer.signal() |> switchToLatest).start(log)
            outer.next(inner.signal())
            if failing == "inner" { inner.fail("x") } else { outer.fail("x") }
            #expect(log.text == "So Si Ex Di Do")
        }
        let failed: Signal<Signal<Int, String>, String> = .single(.fail("y"))
        #expect((failed |> switchToLatest).trace() == "Ey")
    }

    // Covers: SW-168, C-145, C-23
    @Test func switchToLatestOfSynchronousSignals() {
        let inners: [Signal<Int, String>] = (1...3).map { sync("i\($0)", log, [$0], .completed) }
        let handle = (sync("o", log, inners, SyncEnd<String>.completed) |> switchToLatest).start(log)
        #expect(log.text == "So Si1 N1 Di1 Si2 N2 Di2 Si3 N3 Di3 C Do")
        handle.dispose()
        let open: Signal<Int, String> = sync("s", log, [7], .open)
        let second = Log()
        let outer = ManualSource<Signal<Int, String>, String>("o", second)
        let disposed = (outer.signal() |> switchToLatest).start(second)
        outer.next(ManualSource<Int, String>("a", second).signal())
        outer.next(open)
        #expect(second.text == "So Sa N7 Da")
        disposed.dispose()
        #expect(second.text == "So Sa N7 Da Do")
    }

    // Covers: SW-168, C-145
    @Test func disposalIsOfTheInnerThenOfTheOuter() {
        let handle = (outer.signal() |> switchToLatest).start(log)
        outer.next(a.signal())
        handle.dispose()
        #expect(log.text == "So Sa Da Do")
        let idle = Log()
        (ManualSource<Signal<Int, String>, String>("o", idle).signal() |> switchToLatest).start(idle).dispose()
        #expect(idle.text == "So Do")
    }

    /// Reference trace: an outer value from inside an inner's callback is handled before that returns.
    // Covers: SW-168, C-173
    @Test func aNewInnerFromInsideTheOldOnesCallback() {
        let next = b
        let handle = (outer.signal() |> switchToLatest).start(next: { [log, outer] value in
            log.add("N\(value)")
            if value == 1 { outer.next(next.signal()) }
        })
        let inner: Signal<Int, String> = sync("x", log, [1, 2], .open)
        outer.next(inner)
        next.next(3)
        #expect(log.text == "So Sx N1 Sb Dx N3")
        handle.dispose()
        #expect(log.text == "So Sx N1 Sb Dx N3 Db Do")
    }

    /// The originals let the older of the two stay, because its handle was stored last.
    // Covers: B-49, SW-168
    @Test func anInnerStartedFromInsideTheStartOfAnotherStays() {
        let source = a
        let handle = (outer.signal() |> switchToLatest).start(
            next: { [log, outer] value in
                log.add("N\(value)")
                if value == 1 { outer.next(source.signal()) }
            }, completed: { [log] in log.add("C") })
        outer.next(sync("x", log, [1], .completed))
        source.next(5)
        outer.complete()
        source.complete()
        #expect(log.text == "So Sx N1 Sa Dx N5 Do C Da")
        handle.dispose()
    }

    /// A replaced inner that completes late, from inside its own disposal or on another thread, does not end the result.
    // Covers: B-50, SW-168
    @Test func theCompletionOfAReplacedInnerDoesNotCount() {
        var late: Subscriber<Int, String>?
        let stubborn = Signal<Int, String> { subscriber in
            late = subscriber
            return EmptyDisposable
        }
        let hub = InnerHub<Int, String>(
            CallbackSink({ [log] in log.add("N\($0)") }, nil, { [log] in log.add("C") }), .latest)
        hub.addInlet()
        for inner in [stubborn, b.signal()] { hub.submit { [unowned(unsafe) hub] in hub.arrived(inner) } }
        // The notification of an inner signal that completes after its successor was started.
        hub.submit { hub.ended(.completed, of: 1) }
        late?.putCompletion()
        hub.submit { hub.ended(.completed, at: 0) }
        b.next(1)
        #expect(log.text == "Sb N1")
        b.complete()
        #expect(log.text == "Sb N1 C Db")
        hub.removeInlet()
    }

    /// Reference traces, corrected by B-52: the inner is disposed first, because its subscription is known before it emits.
    // Covers: SW-168, SW-169, B-52, C-174
    @Test func takeBehindASynchronousInner() {
        for isQueue in [false, true] {
            let log = Log()
            let outer = ManualSource<Signal<Int, String>, String>("o", log)
            let inner: Signal<Int, String> = sync("s", log, [1, 2], .open)
            let signal = isQueue ? outer.signal() |> queue : outer.signal() |> switchToLatest
            let handle = (signal |> take(1)).start(log)
            outer.next(inner)
            #expect(log.text == "So Ss N1 C Do Ds")
            outer.next(sync("t", log, [1], .open))
            #expect(log.text == "So Ss N1 C Do Ds")
            handle.dispose()
        }
    }

    // MARK: mapTo…

    // Covers: SW-171, OC-80, MT-23, C-146
    @Test func mapToSignalFollowsTheLatest() {
        let source = ManualSource<Int, String>("o", log)
        let inners = [a, b]
        let handle = (source.signal() |> mapToSignal { inners[$0].signal() }).start(log)
        source.next(0)
        source.next(1)
        b.next(5)
        source.fail("x")
        #expect(log.text == "So Sa Sb Da N5 Ex Db Do")
        handle.dispose()
    }

    /// The transforms of an unstoppable source still run. Nothing is started or delivered.
    /// Covers: SW-171, C-146, B-52
    @Test func nothingIsStartedAfterASynchronousInnersError() {
        let source: Signal<Int, String> = sync("o", log, [1, 2, 3], .completed)
        let handle =
            (source
            |> mapToSignal { [log] (value: Int) -> Signal<Int, String> in
                value == 1 ? .fail("x") : sync("i\(value)", log, [value], .completed)
            }).start(log)
        #expect(log.text == "So Ex Do")
        handle.dispose()
    }

    // Covers: SW-172, C-146
    @Test func mapToSignalPromotingErrorLetsTheInnersFail() {
        let source = ManualSource<Int, NoError>("o", log)
        let handle =
            (source.signal()
            |> mapToSignalPromotingError { (value: Int) -> Signal<Int, String> in
                value == 2 ? .fail("x") : .single(value)
            }).start(log)
        source.next(1)
        source.next(2)
        #expect(log.text == "So N1 Ex Do")
        handle.dispose()
    }

    // MARK: queue

    // Covers: SW-169, OC-78, C-147, C-25
    @Test func queueRunsOneAfterAnother() {
        let handle = (outer.signal() |> queue).start(log)
        outer.next(a.signal())
        outer.next(b.signal())
        outer.next(sync("c", log, [9], .completed))
        a.next(1)
        outer.complete()
        a.complete()
        b.next(2)
        b.complete()
        #expect(log.text == "So Sa N1 Do Sb Da N2 Sc N9 C Dc Db")
        handle.dispose()
    }

    // Covers: SW-169, C-147, C-26, C-27
    @Test func queueStopsAtAnErrorAndAtDisposal() {
        let handle = (outer.signal() |> queue).start(log)
        outer.next(a.signal())
        outer.next(b.signal())
        outer.next(sync("c", log, [9], .completed))
        a.complete()
        b.fail("x")
        #expect(log.text == "So Sa Sb Da Ex Db Do")
        handle.dispose()

        let second = Log()
        let source = ManualSource<Signal<Int, String>, String>("o", second),
            inner = ManualSource<Int, String>("a", second)
        let disposed = (source.signal() |> queue).start(second)
        source.next(inner.signal())
        source.next(sync("c", second, [9], .completed))
        disposed.dispose()
        inner.complete()
        #expect(second.text == "So Sa Da Do")
    }

    /// An ended signal is disposed before all its successors that complete inside their starts.
    /// Covers: SW-169, C-147, C-20
    @Test func queueDisposesTheOneBeforeTheNextButOne() {
        let handle = (outer.signal() |> queue).start(log)
        outer.next(a.signal())
        for (name, value) in [("x", 1), ("y", 2), ("z", 3)] { outer.next(sync(name, log, [value], .completed)) }
        outer.complete()
        a.complete()
        #expect(log.text == "So Sa Do Sx N1 Dx Da Sy N2 Dy Sz N3 C Dz")
        handle.dispose()
    }

    // Covers: SW-169, C-147
    @Test func queueCompletesWhenIdle() {
        let handle = (outer.signal() |> queue).start(log)
        outer.next(a.signal())
        a.complete()
        outer.complete()
        #expect(log.text == "So Sa Da C Do")
        handle.dispose()
    }

    /// The originals started the second, overwrote its handle with that of the first, and never continued.
    /// Covers: B-49, SW-169
    @Test func anInnerQueuedFromInsideTheStartOfASynchronousOneRuns() {
        let source = a
        let handle = (outer.signal() |> queue).start(
            next: { [log, outer] value in
                log.add("N\(value)")
                if value == 1 { outer.next(source.signal()) }
            }, completed: { [log] in log.add("C") })
        outer.next(sync("x", log, [1], .completed))
        source.next(2)
        outer.complete()
        source.complete()
        #expect(log.text == "So Sx N1 Dx Sa N2 Do C Da")
        handle.dispose()
    }

    /// Asynchronous, synchronous, asynchronous: the completion of the second must not cancel the third.
    // Covers: B-49, OC-78
    @Test func aSynchronousInnerBetweenTwoOthers() {
        let handle = (outer.signal() |> queue).start(log)
        outer.next(a.signal())
        outer.next(sync("s", log, [5], .completed))
        outer.next(b.signal())
        a.complete()
        b.next(6)
        b.complete()
        outer.complete()
        #expect(
            log.text == "So Sa Ss N5 Ds Sb Da N6 Db C Do" || log.text == "So Sa Ss N5 Ds Da Sb N6 Db C Do"
                || log.text == "So Sa Ss N5 Ds Sb N6 Db Da C Do")
        #expect(log.text.hasSuffix("N6 Db C Do"))
        handle.dispose()
    }

    // Covers: SW-173, OC-81, C-147
    @Test func mapToQueueCallsTheTransformAtOnce() {
        let source = ManualSource<Int, String>("o", log)
        var asked: [Int] = []
        let inner = a
        let handle =
            (source.signal()
            |> mapToQueue { (value: Int) -> Signal<Int, String> in
                asked.append(value)
                return inner.signal()
            }).start(log)
        source.next(1)
        source.next(2)
        #expect(asked == [1, 2])
        #expect(log.text == "So Sa")
        inner.complete()
        #expect(log.text == "So Sa Sa Da")
        handle.dispose()
    }

    // Covers: SW-173, C-30
    @Test func mapToQueueOverAThousandInnersThroughAQueue() {
        let queue = Queue(name: "inners")
        var sum = 0
        let done = Log()
        let source: Signal<Int, NoError> = sync("o", log, Array(1...1000), .completed)
        let handle = (source |> mapToQueue { .single($0) |> deliverOn(queue) }).start(
            next: { sum += $0 }, completed: { done.add("C") })
        #expect(eventually { done.text == "C" })
        #expect(sum == 500_500)
        handle.dispose()
    }

    // MARK: throttled

    // Covers: SW-170, OC-79, C-148
    @Test func throttledKeepsOnlyTheLatestThatWaits() {
        let handle = (outer.signal() |> throttled).start(log)
        outer.next(a.signal())
        outer.next(sync("x", log, [1], .completed))
        outer.next(sync("y", log, [2], .completed))
        a.complete()
        #expect(log.text == "So Sa Sy N2 Dy Da")
        outer.next(sync("z", log, [3], .completed))
        outer.complete()
        #expect(log.text == "So Sa Sy N2 Dy Da Sz N3 Dz C Do")
        handle.dispose()
    }

    // Covers: SW-174, OC-82, C-148
    @Test func mapToThrottledCallsTheTransformForEveryValue() {
        let source = ManualSource<Int, String>("o", log)
        var asked: [Int] = []
        let inner = a
        let handle =
            (source.signal()
            |> mapToThrottled { (value: Int) -> Signal<Int, String> in
                asked.append(value)
                return value == 0 ? inner.signal() : .single(value)
            }).start(log)
        for value in 0...3 { source.next(value) }
        #expect(asked == [0, 1, 2, 3])
        inner.complete()
        #expect(log.text == "So Sa N3 Da")
        handle.dispose()
    }

    /// The deinit of an object that a dropped inner signal retains may emit a value.
    /// Covers: SW-170, B-3, C-184
    @Test func aDroppedInnerMayEmitWhenItIsReleased() {
        let tracker = LifetimeTracker()
        let source = outer
        let handle = (outer.signal() |> throttled).start(log)
        outer.next(a.signal())
        func held() -> Signal<Int, String> {
            let probe = tracker.make(onDeinit: { source.next(.single(7)) })
            return Signal { subscriber in
                probe.touch()
                subscriber.putCompletion()
                return EmptyDisposable
            }
        }
        outer.next(held())
        outer.next(.single(1))
        #expect(tracker.live == 0)
        a.complete()
        #expect(log.text == "So Sa N7 Da")
        handle.dispose()
    }

    // MARK: then

    // Covers: SW-175, OC-83, MT-12, C-149
    @Test func thenStartsTheSecondBeforeItDisposesTheFirst() {
        let handle = (a.signal() |> then(b.signal())).start(log)
        a.next(1)
        a.complete()
        b.next(2)
        b.complete()
        #expect(log.text == "Sa N1 Sb Da N2 C Db")
        handle.dispose()
        #expect(log.text == "Sa N1 Sb Da N2 C Db")
    }

    // Covers: SW-175, C-149, C-19
    @Test func thenOfSynchronousSignalsErrorsAndDisposal() {
        let both: Signal<Int, String> = sync("a", log, [1], .completed) |> then(sync("b", log, [2], .completed))
        #expect(both.trace() == "N1 N2 C")
        #expect(log.text == "Sa Da Sb Db")

        let second = Log()
        let failing: Signal<Int, String> =
            sync("a", second, [1], .failed("x")) |> then(sync("b", second, [2], .completed))
        _ = failing.start(second)
        #expect(second.text == "Sa N1 Ex Da")

        let third = Log()
        let x = ManualSource<Int, String>("x", third), y = ManualSource<Int, String>("y", third)
        let handle = (x.signal() |> then(y.signal())).start(third)
        x.complete()
        handle.dispose()
        #expect(third.text == "Sx Sy Dx Dy")
        let first = (x.signal() |> then(y.signal())).start(third)
        first.dispose()
        #expect(third.text == "Sx Sy Dx Dy Sx Dx")
    }

    // Covers: SW-175, C-149
    @Test func longerChains() {
        let chain: Signal<Int, String> = (1...50).reduce(Signal.single(0)) { $0 |> then(.single($1)) }
        #expect(chain.trace() == (0...50).map { "N\($0)" }.joined(separator: " ") + " C")
    }

    /// The originals started the second although downstream had completed, and then disposed it: `S(a) N C S(b) D(a) D(b)`.
    // Covers: B-52, SW-175, C-174
    @Test func thenDoesNotStartTheSecondForNobody() {
        let handle = (sync("a", log, [1], SyncEnd<String>.completed) |> then(b.signal()) |> take(1)).start(log)
        #expect(log.text == "Sa N1 C Da")
        handle.dispose()
    }

    // Covers: B-69, SW-175, SW-203
    @Test func aFinishedFirstStageIsLetGo() {
        let tracker = LifetimeTracker()
        func first<E>(_ end: @escaping (Subscriber<Int, E>) -> Void) -> Signal<Int, E> {
            let subscribers = ManualSource<Int, E>()
            return Signal { subscriber in
                let probe = tracker.make()
                end(subscriber)
                return ActionDisposable { withExtendedLifetime((probe, subscribers)) {} }
            }
        }
        let rest = b
        let handle = (first { $0.putCompletion() } |> then(rest.signal())).start(log)
        #expect(tracker.live == 0)
        let caught = (first { $0.putError("x") } |> `catch` { (_: String) in rest.signal() }).start(log)
        #expect(tracker.live == 0)
        handle.dispose()
        caught.dispose()
    }

    // MARK: deferred

    // Covers: SW-51, OC-84, C-150
    @Test func deferredAsksForEachSubscription() {
        var count = 0
        let signal = deferred { () -> Signal<Int, String> in
            count += 1
            return count == 3 ? .fail("x") : .single(count)
        }
        #expect(count == 0)
        #expect([signal.trace(), signal.trace(), signal.trace()] == ["N1 C", "N2 C", "Ex"])
    }

    // MARK: Threads

    // Covers: SW-169, C-179
    @Test func queueFromManyThreadsRunsEachOnceAndNeverTwoAtOnce() {
        let source = ManualSource<Int, NoError>()
        var running = 0, overlaps = 0
        var got: [Int] = []
        let handle =
            (source.signal()
            |> mapToQueue { (value: Int) -> Signal<Int, NoError> in
                Signal { subscriber in
                    running += 1
                    if running != 1 { overlaps += 1 }
                    subscriber.putNext(value)
                    running -= 1
                    subscriber.putCompletion()
                    return EmptyDisposable
                }
            }).start(next: { got.append($0) })
        race(4) { thread in for index in 0..<500 { source.next(thread * 500 + index) } }
        handle.dispose()
        #expect(overlaps == 0)
        #expect(got.sorted() == Array(0..<2_000))
    }

    /// A signal that is replaced immediately may be dropped. The latest one ends the result, and every started one is
    /// disposed.
    /// Covers: SW-171, B-49, B-50, C-180, C-182
    @Test func switchToLatestFromManyThreadsEndsOnOneLiveInner() {
        for _ in 0..<200 {
            let log = Log()
            let source = ManualSource<Int, NoError>("o", log)
            let inner = ManualSource<Int, NoError>("i", log)
            let handle = (source.signal() |> mapToSignal { _ in inner.signal() }).start(
                next: { log.add("N\($0)") }, completed: { log.add("C") })
            race(3) { thread in for index in 0..<4 { source.next(thread * 4 + index) } }
            #expect(inner.subscribers.count == 1)
            source.complete()
            inner.next(77)
            inner.complete()
            let entries = log.entries
            #expect(entries.filter { $0 == "N77" }.count == 1)
            #expect(entries.filter { $0 == "C" }.count == 1)
            #expect(entries.filter { $0 == "Si" }.count == entries.filter { $0 == "Di" }.count)
            handle.dispose()
        }
    }
}
