import Foundation
import Testing
@testable import SignalKitCore

/// The grammar of events and the exactly-once disposal (SPEC C.6).
@Suite struct SubscriberTests {
    /// One subscription to a source, with a log of all events.
    private final class Run {
        let log = Log()
        let source: ManualSource<Int, String>
        let handle: Disposable
        /// Kept although the source drops it at its disposal.
        let subscriber: Subscriber<Int, String>

        init(
            _ operators: (Signal<Int, String>) -> Signal<Int, String> = { $0 },
            onNext: @escaping (Run?, Int) -> Void = { _, _ in }, onEnd: @escaping (Run?) -> Void = { _ in }
        ) {
            let log = log
            source = ManualSource("", log)
            weak var run: Run?
            handle = operators(source.signal()).start(
                next: {
                    log.add("N\($0)")
                    onNext(run, $0)
                },
                error: {
                    log.add("E\($0)")
                    onEnd(run)
                    log.add("e")
                },
                completed: {
                    log.add("C")
                    onEnd(run)
                    log.add("c")
                })
            subscriber = source.subscribers[0]
            run = self
        }
    }

    // Covers: SW-18
    @Test func valuesArriveInOrder() {
        let run = Run()
        for value in 1...3 { run.subscriber.putNext(value) }
        #expect(run.log.text == "S N1 N2 N3")
        run.handle.dispose()
    }

    // Covers: SW-19, SW-20, B-2
    @Test(arguments: [false, true]) func afterTheEndEverythingIsDroppedAndTheSourceDisposedOnce(byError: Bool) {
        let run = Run()
        if byError { run.subscriber.putError("x") } else { run.subscriber.putCompletion() }
        let ended = byError ? "S Ex e D" : "S C c D"
        #expect(run.log.text == ended)
        run.subscriber.putNext(1)
        run.subscriber.putError("y")
        run.subscriber.putCompletion()
        run.handle.dispose()
        #expect(run.log.text == ended)
        #expect(!run.subscriber.isActive)
    }

    @Test(arguments: [false, true]) func whoAsksIsToldOfTheTearDownBeforeTheSourceIsDisposed(byError: Bool) {
        let run = Run()
        run.subscriber.onDispose { run.log.add("t") }
        run.subscriber.onDispose { run.log.add("u") }
        if byError { run.subscriber.putError("x") } else { run.handle.dispose() }
        #expect(run.log.text == (byError ? "S Ex e t u D" : "S t u D"))
        run.subscriber.onDispose { run.log.add("late") }
        #expect(run.log.text.hasSuffix("D late"))
        run.handle.dispose()
        #expect(run.log.text.hasSuffix("D late"))
    }

    @Test func disposalReachesAGeneratorThatHasNotReturned() {
        let log = Log(), entered = DispatchSemaphore(value: 0), woken = DispatchSemaphore(value: 0),
            left = DispatchSemaphore(value: 0)
        let blocking = Signal<Int, NoError> { subscriber in
            subscriber.onDispose { woken.signal() }
            entered.signal()
            woken.wait()
            log.add("woken")
            return ActionDisposable {
                log.add("D")
                left.signal()
            }
        }
        let handle = (blocking |> runOn(Queue(name: "blocked"))).start()
        entered.wait()
        handle.dispose()
        left.wait()
        #expect(log.text == "woken D")
    }

    /// A transparent operator used to dispose its source a second time.
    // Covers: B-2
    @Test(arguments: [false, true]) func throughOperatorsTheSourceIsDisposedOnceAfterTheCallback(byError: Bool) {
        let run = Run { $0 |> map { $0 } |> filter { _ in true } |> distinctUntilChanged |> take(10) }
        if byError { run.subscriber.putError("x") } else { run.subscriber.putCompletion() }
        run.handle.dispose()
        #expect(run.log.text == (byError ? "S Ex e D" : "S C c D"))
    }

    // Covers: SW-24
    @Test func disposalStopsDeliveryAndDisposesOnce() {
        let run = Run()
        run.subscriber.putNext(1)
        run.handle.dispose()
        run.handle.dispose()
        run.subscriber.putNext(2)
        run.subscriber.putCompletion()
        #expect(run.log.text == "S N1 D")
    }

    // Covers: SW-7, SW-10
    @Test(arguments: [false, true], [false, true]) func anEndInsideTheGeneratorDisposesWhatItReturnsBeforeStartReturns(
        byError: Bool, strict: Bool
    ) {
        let log = Log()
        let signal = Signal<Int, String> { subscriber in
            subscriber.putNext(1)
            if byError { subscriber.putError("x") } else { subscriber.putCompletion() }
            subscriber.putNext(2)
            log.add("G")
            return ActionDisposable { log.add("D") }
        }
        let next: (Int) -> Void = { log.add("N\($0)") }, error: (String) -> Void = { log.add("E\($0)") },
            completed = { log.add("C") }
        let handle =
            strict
            ? signal.startStrict(next: next, error: error, completed: completed)
            : signal.start(next: next, error: error, completed: completed)
        #expect(log.text == (byError ? "N1 Ex G D" : "N1 C G D"))
        handle.dispose()
        #expect(log.text == (byError ? "N1 Ex G D" : "N1 C G D"))
    }

    @Test func withoutCallbacksTheEndStillDisposes() {
        let log = Log(), source = ManualSource<Int, String>("", log)
        let handle = source.signal().start()
        source.complete()
        let other = source.signal().start(next: { log.add("N\($0)") })
        source.fail("x")
        #expect(log.text == "S D S D")
        handle.dispose()
        other.dispose()
        #expect(log.text == "S D S D")
    }

    @Test func disposalFromInsideNext() {
        let run = Run(onNext: { run, _ in
            run!.handle.dispose()
            run!.log.add("n")
        })
        run.subscriber.putNext(1)
        run.subscriber.putNext(2)
        #expect(run.log.text == "S N1 D n")
    }

    /// The originals disposed the source twice.
    // Covers: B-2
    @Test(arguments: [false, true]) func disposalFromInsideTheTerminalCallbackDisposesOnce(byError: Bool) {
        let run = Run(onEnd: { $0!.handle.dispose() })
        if byError { run.subscriber.putError("x") } else { run.subscriber.putCompletion() }
        #expect(run.log.text == (byError ? "S Ex D e" : "S C D c"))
    }

    @Test func completionFromInsideNextNests() {
        let run = Run(onNext: { run, _ in
            run!.subscriber.putCompletion()
            run!.subscriber.putNext(2)
            run!.log.add("n")
        })
        run.subscriber.putNext(1)
        #expect(run.log.text == "S N1 C c D n")
    }

    @Test func whatIsPutFromInsideCompletedIsDropped() {
        let run = Run(onEnd: { run in
            run!.subscriber.putNext(1)
            run!.subscriber.putCompletion()
        })
        run.subscriber.putCompletion()
        #expect(run.log.text == "S C c D")
    }

    /// In the originals values and even ends leaked out of a disposal, and the source was disposed again.
    // Covers: B-1, B-2
    @Test(arguments: ["next", "error", "completion"]) func whatASourceEmitsInsideItsOwnDisposalGoesNowhere(
        event: String
    ) {
        let log = Log()
        var disposals = 0
        let signal = Signal<Int, String> { subscriber in
            ActionDisposable {
                disposals += 1
                switch event {
                case "next": subscriber.putNext(99)
                case "error": subscriber.putError("x")
                default: subscriber.putCompletion()
                }
            }
        }
        for piped in [signal, signal |> map { $0 + 1 }, signal |> distinctUntilChanged] {
            disposals = 0
            let handle = piped.start(
                next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
            handle.dispose()
            #expect(log.text == "")
            #expect(disposals == 1)
        }
    }

    // Covers: B-2
    @Test func disposalFromInsideTheSourcesDisposalDoesNothing() {
        final class Custom: Disposable {
            var handle: Disposable?
            var count = 0
            func dispose() {
                count += 1
                handle?.dispose()
            }
        }
        let custom = Custom()
        let signal = Signal<Int, NoError> { subscriber in
            custom.count = 0
            return custom
        }
        let handle = signal.start()
        custom.handle = handle
        handle.dispose()
        #expect(custom.count == 1)
        custom.handle = nil
    }

    // Covers: SW-22, B-17
    @Test func descriptions() {
        func text(_ next: Bool, _ error: Bool, _ completed: Bool, _ disposable: Bool, _ terminated: Bool) -> String {
            func has(_ it: Bool) -> String { it ? "hasValue" : "nil" }
            return
                "Subscriber { next: \(has(next)), error: \(has(error)), completed: \(has(completed)), disposable: \(has(disposable)), terminated: \(terminated) }"
        }
        let dead = text(false, false, false, false, true)
        let holds = "SubscriberDisposable { disposable: hasValue }", empty = "SubscriberDisposable { disposable: nil }"

        // In the generator, live, inside a callback, disposed.
        var subscriber: Subscriber<Int, String>!
        var seen: [String] = []
        let signal = Signal<Int, String> {
            subscriber = $0
            seen.append($0.description)
            return ActionDisposable {}
        }
        let handle = signal.start(
            next: { _ in seen.append(subscriber.description) }, error: { _ in seen.append(subscriber.description) })
        #expect(seen == [text(true, true, false, false, false)])
        #expect(subscriber.description == text(true, true, false, true, false))
        subscriber.putNext(1)
        #expect(seen.last == text(true, true, false, true, false))
        #expect("\(handle)" == holds)
        handle.dispose()
        #expect("\(handle)" == empty)
        #expect("\(subscriber!)" == dead)

        // Inside the terminal callback and after it: the handle still has its state.
        let other = signal.start(error: { _ in seen.append(subscriber.description) })
        subscriber.putError("x")
        #expect(seen.last == dead)
        #expect(subscriber.description == dead)
        #expect("\(other)" == holds)
        other.dispose()
        #expect("\(other)" == empty)

        // A dropped handle; an end inside the generator; a source that holds nothing.
        _ = signal.start(completed: {})
        #expect(subscriber.description == text(false, false, true, true, false))
        subscriber.putCompletion()
        #expect(subscriber.description == dead)
        let ended = Signal<Int, String> {
            $0.putCompletion()
            subscriber = $0
            return EmptyDisposable
        }.start()
        #expect(subscriber.description == dead)
        #expect("\(ended)" == holds)
        let never = Signal<Int, String>.never().start()
        #expect("\(never)" == holds)
        never.dispose()
        #expect("\(never)" == empty)

        // On its own.
        let alone = Subscriber<Int, String>(next: { _ in })
        #expect(alone.description == text(true, false, false, false, false))
        alone.putCompletion()
        #expect(alone.description == dead)
    }

    /// The parts of a description are consistent, also while another thread ends the subscription.
    /// Covers: B-17
    @Test func aDescriptionIsConsistentWhileAnotherThreadTerminates() {
        for _ in 0..<200 {
            let source = ManualSource<Int, NoError>()
            let handle = source.signal().start(next: { _ in }, completed: {})
            let subscriber = source.subscribers[0]
            race(2) { thread in
                if thread == 0 { return subscriber.putCompletion() }
                for _ in 0..<20 {
                    let text = subscriber.description
                    let live =
                        text
                        == "Subscriber { next: hasValue, error: nil, completed: hasValue, disposable: hasValue, terminated: false }"
                    let dead =
                        text
                        == "Subscriber { next: nil, error: nil, completed: nil, disposable: nil, terminated: true }"
                    if !live && !dead { Issue.record("\(text)") }
                    _ = "\(handle)"
                }
            }
        }
    }

    @Test func aDroppedHandleCancelsNothing() {
        for byError in [false, true] {
            let log = Log(), source = ManualSource<Int, String>("", log)
            _ = source.signal().start(
                next: { log.add("N\($0)") }, error: { _ in log.add("E") }, completed: { log.add("C") })
            source.next(1)
            if byError { source.fail("x") } else { source.complete() }
            #expect(log.text == (byError ? "S N1 E D" : "S N1 C D"))
        }
    }

    @Test func theHandleDisposesTheSourceAfterTheSubscriberIsGone() {
        let log = Log(), source = ManualSource<Int, String>("", log)
        let handle = source.signal().start(next: { log.add("N\($0)") })
        source.drop()
        #expect(log.text == "S")
        handle.dispose()
        handle.dispose()
        #expect(log.text == "S D")
        let never = Signal<Int, String> { _ in ActionDisposable { log.add("d") } }.start()
        never.dispose()
        never.dispose()
        #expect(log.text == "S D d")
    }

    // Covers: SW-16, SW-17, SW-18, SW-19, SW-20
    @Test func aSubscriberOfItsOwn() {
        let log = Log()
        let a = Subscriber<Int, String>(
            next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
        a.putNext(1)
        a.putCompletion()
        a.putNext(2)
        let b = Subscriber<Int, String>(
            next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
        b.putError("x")
        b.putCompletion()
        #expect(log.text == "N1 C Ex")
        let c = Subscriber<Int, String>()
        c.putNext(1)
        #expect(c.isActive)
        c.putError("x")
        #expect(!c.isActive)
    }

    // MARK: Threads

    // Covers: SW-18
    @Test func twoThousandValuesAtOnceAreTwoThousandCallbacks() {
        let count = Tally(), source = ManualSource<Int, NoError>()
        let handle = source.signal().start(next: { _ in count.up() })
        let subscriber = source.subscribers[0]
        race(8) { _ in for value in 0..<250 { subscriber.putNext(value) } }
        #expect(count.value == 2_000)
        handle.dispose()
    }

    // Covers: B-2, B-4, B-10
    @Test func manyEndsAtOnceAreOneEndAndOneDisposal() {
        for _ in 0..<50 {
            let ends = Tally(), disposals = Tally()
            let source = Subscribing()
            let handle = source.signal(disposals).start(error: { _ in ends.up() }, completed: { ends.up() })
            race(16) { thread in
                switch thread % 3 {
                case 0: source.subscriber!.putCompletion()
                case 1: source.subscriber!.putError("x")
                default: handle.dispose()
                }
            }
            #expect(ends.value <= 1)
            #expect(disposals.value == 1)
            source.subscriber = nil
        }
    }

    @Test func manyEndsWithoutDisposalAreExactlyOneEnd() {
        for _ in 0..<50 {
            let ends = Tally(), disposals = Tally()
            let source = Subscribing()
            let handle = source.signal(disposals).start(error: { _ in ends.up() }, completed: { ends.up() })
            race(16) { thread in
                if thread % 2 == 0 { source.subscriber!.putCompletion() } else { source.subscriber!.putError("x") }
            }
            #expect(ends.value == 1)
            #expect(disposals.value == 1)
            withExtendedLifetime(handle) {}
        }
    }

    @Test func manyDisposalsAreOneDisposal() {
        for _ in 0..<50 {
            let disposals = Tally()
            let handle = Subscribing().signal(disposals).start()
            race(16) { _ in handle.dispose() }
            #expect(disposals.value == 1)
        }
    }

    /// The source's disposable arrives on one thread while others end, dispose, and release the subscriber.
    /// Covers: B-2, B-4
    @Test func theLateDisposableIsDisposedExactlyOnce() {
        for round in 0..<300 {
            let tracker = LifetimeTracker()
            let disposals = Tally(), ends = Tally()
            do {
                let object = tracker.make()
                let gate = Gate(CallbackSink<Int, String>({ _ in object.touch() }, { _ in ends.up() }, { ends.up() }))
                race(4) { thread in
                    switch thread {
                    case 0:
                        gate.assign(
                            ActionDisposable { [object] in
                                object.touch(); disposals.up()
                            })
                    case 1: gate.end(.completed)
                    case 2: if round % 2 == 0 { gate.dispose() } else { gate.end(.error("x")) }
                    default: gate.next(1)
                    }
                }
                #expect(disposals.value == 1)
                #expect(ends.value <= 1)
                #expect(round % 2 == 0 || ends.value == 1)
            }
            #expect(tracker.live == 0)
        }
    }

    @Test func theSubscriberGoesWhileTheHandleIsDisposed() {
        for _ in 0..<300 {
            let tracker = LifetimeTracker()
            let disposals = Tally()
            do {
                let object = tracker.make()
                let gate = Gate(CallbackSink<Int, String>({ _ in object.touch() }, nil, nil))
                gate.assign(ActionDisposable { disposals.up() })
                gate.keepAlive(tracker.make())
                race(3) { thread in
                    switch thread {
                    case 0: gate.dispose()
                    case 1: gate.abandon()
                    default: gate.dispose()
                    }
                }
                #expect(disposals.value == 1)
            }
            #expect(tracker.live == 0)
        }
    }

    // Covers: B-6
    @Test func afterDisposalHasReturnedNewValuesGoNowhere() {
        let count = Tally(), source = ManualSource<Int, NoError>()
        let handle = source.signal().start(next: { _ in count.up() })
        let subscriber = source.subscribers[0]
        handle.dispose()
        race(8) { _ in for value in 0..<25 { subscriber.putNext(value) } }
        #expect(count.value == 0)
    }

    /// A plain chain does not queue: two threads run the callback at once. That is the contract, and what `serialized` is for.
    // Covers: B-5
    @Test func aPlainChainLetsTwoThreadsInAtOnce() {
        let source = ManualSource<Int, NoError>()
        let both = DispatchSemaphore(value: 0), met = Tally()
        let handle = source.signal().start(next: { value in
            // Each waits for the other: this returns only if both are inside.
            both.signal()
            if both.wait(timeout: .now() + 300) == .success { met.up() }
            both.signal()
        })
        let subscriber = source.subscribers[0]
        race(2) { _ in subscriber.putNext(1) }
        #expect(met.value == 2)
        handle.dispose()
    }
}

/// A source that keeps its subscriber and counts its disposals.
private final class Subscribing: @unchecked Sendable {
    var subscriber: Subscriber<Int, String>?

    func signal(_ disposals: Tally) -> Signal<Int, String> {
        Signal {
            self.subscriber = $0
            return Custom(disposals)
        }
    }

    /// Unlike `ActionDisposable`, not idempotent.
    private final class Custom: Disposable {
        let disposals: Tally
        init(_ disposals: Tally) { self.disposals = disposals }
        func dispose() { disposals.up() }
    }
}

/// A closure of an operator disposes its own subscription: the present value is dropped.
@Suite struct DisposalOnTheWayTests {
    // Covers: B-1
    @Test func aRunThatAnOperatorDisposesGetsNothingMore() {
        let tracker = LifetimeTracker()
        do {
            let pipe = ValuePipe<Int>(), promise = ValuePromise<Int>(1)
            for source in [pipe.signal(), promise.get() |> take(100), promise.get()] {
                let run = MetaDisposable()
                var received = 0, mapped = 0
                let object = tracker.make()
                run.set(
                    (source
                        |> map { value -> Int in
                            mapped += 1
                            if mapped == 2 { run.dispose() }
                            return value
                        }).start(next: { _ in withExtendedLifetime(object) { received += 1 } }))
                pipe.putNext(1)
                promise.set(2)
                pipe.putNext(3)
                promise.set(4)
                #expect(mapped == 2 && received == 1)
            }
        }
        #expect(tracker.live == 0)
    }
}
