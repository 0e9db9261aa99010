import Testing
@testable import SignalKitCore

@Suite struct BoundedDeliveryTests {
    private let time = VirtualTime()
    private let log = Log()
    private let counter = OverflowCounter()

    /// Ten values in succession, with a limit of four.
    @Test func whatBecomesOfTheRest() {
        let rows: [(OverflowPolicy<String>, String, Int)] = [
            (.suspend, "N1 N2 N3 N4 N5 N6 N7 N8 N9 N10 C", 0),
            (.dropOldest, "N7 N8 N9 N10 C", 6),
            (.dropNewest, "N1 N2 N3 N4 C", 6),
            (.keepLatest, "N9 N10 C", 8),
            (.fail("full"), "N1 N2 N3 N4 Efull", 1),
        ]
        for (policy, expected, dropped) in rows {
            let log = Log(), counter = OverflowCounter()
            let source = sync("s", Log(), Array(1...10), SyncEnd<String>.completed)
            let run = (source |> deliverOn(time.queue, limit: 4, overflow: policy, counter: counter)).start(log)
            time.run()
            #expect(log.text == expected)
            #expect(counter.dropped == dropped)
            run.dispose()
        }
    }

    /// A sequence stops at the pause, so `start` returns. It continues when half of the values were delivered.
    @Test(
        arguments: [
            (1, 1, false), (2, 2, false), (3, 3, false), (8, 8, false), (8, 6, true), (2, 1, true), (1, 1, true),
        ]) func aFullBufferPausesASequence(limit: Int, produced: Int, hasSecond: Bool)
    {
        let log = Log(), counted = Tally(), second: OverflowPolicy<NoError>? = hasSecond ? .dropOldest : nil
        let source = Signal<Int, NoError>.sequence(
            (1...20).lazy.map {
                counted.up()
                return $0
            })
        let run = (source |> deliverOn(time.queue, limit: limit, overflow: .pause(then: second), counter: counter))
            .start(log)
        #expect(counted.value == produced)
        #expect(log.text == "")
        time.run()
        #expect(log.text == (1...20).map { "N\($0) " }.joined() + "C")
        #expect(counter.exceeded == 0 && counter.dropped == 0)
        run.dispose()
    }

    /// A pause passes an operator that combines signals, and a late start.
    @Test func aPausePassesOtherStages() {
        let counted = Tally()
        let numbers = Signal<Int, NoError>.sequence(
            (1...50).lazy.map {
                counted.up()
                return $0
            })
        let late = numbers |> delay(1, queue: time.queue) |> afterDisposed {}
        let both = mergeSignals([numbers, late]) |> scan(0) { $0 + $1 }
        let sum = Tally()
        let run = (both |> deliverOn(time.queue, limit: 4, overflow: .pause(), counter: counter)).start(next: { _ in
            sum.up()
        })
        #expect(counted.value == 4)
        time.run()
        #expect(sum.value == 100 && counter.exceeded == 0)
        run.dispose()
    }

    /// What cannot be paused exceeds the limit.
    @Test func aPipeExceedsTheLimit() {
        let pipe = ValuePipe<Int>(), log = Log()
        let run = (pipe.signal() |> deliverOn(time.queue, limit: 4, overflow: .pause(), counter: counter)).start(log)
        for i in 1...6 { pipe.putNext(i) }
        time.run()
        #expect(log.text == "N1 N2 N3 N4 N5 N6")
        #expect(counter.exceeded == 2)
        run.dispose()
    }

    @Test func aDisposedSequenceIsLetGo() {
        let tracker = LifetimeTracker()
        for delivered in 0..<4 {
            let source = Signal<LifetimeTracker.Tracked, NoError>.sequence((0..<50).lazy.map { _ in tracker.make() })
            let count = Tally(), run = MetaDisposable()
            run.set(
                (source |> deliverOn(time.queue, limit: 3, overflow: .pause())).start(next: { _ in
                    count.up()
                    if count.value == delivered { run.dispose() }
                }))
            if delivered == 0 { run.dispose() }
            time.run()
            #expect(count.value == delivered && tracker.live == 0)
        }
    }

    @Test func theOrderOfTheEnd() {
        let source = ManualSource<Int, String>("a", log)
        let run = (source.signal() |> deliverOn(time.queue, limit: 2, overflow: .fail("full"))).start(log)
        for i in 1...3 { source.next(i) }
        // The source is stopped immediately, and the error follows the pending values.
        #expect(log.text == "Sa Da")
        time.run()
        #expect(log.text == "Sa Da N1 N2 Efull")
        run.dispose()
        #expect(log.text == "Sa Da N1 N2 Efull")
    }

    @Test func inlineWhereItIsCurrent() {
        let source = ManualSource<Int, String>("a", log)
        let run = (source.signal() |> deliverOn(time.queue, limit: 1, overflow: .dropNewest, counter: counter)).start(
            log)
        time.queue.sync { for i in 1...3 { source.next(i) } }
        #expect(log.text == "Sa N1 N2 N3" && counter.dropped == 0)
        source.complete()
        run.dispose()
        time.run()
        #expect(log.text == "Sa N1 N2 N3 Da")
    }

    @Test func theQueueIsSharedAfterEachTurn() {
        let queue = time.queue
        let run =
            (sync("s", Log(), Array(1...4), SyncEnd<String>.completed)
            |> deliverOn(queue, limit: 4, overflow: .dropNewest)).start(next: { [log] value in
                log.add("N\(value)")
                if value == 1 { queue.justDispatch { log.add("other") } }
            })
        time.run()
        #expect(log.text == "N1 N2 N3 N4 other")
        run.dispose()
    }

    @Test func everythingIsLetGo() {
        let tracker = LifetimeTracker()
        for end in ["dispose", "abandon", "complete"] {
            let source = ManualSource<LifetimeTracker.Tracked, NoError>()
            let run = (source.signal() |> deliverOn(time.queue, limit: 3, overflow: .dropOldest)).start(next: {
                [probe = tracker.make()] _ in probe.touch()
            })
            for _ in 0..<5 { source.next(tracker.make()) }
            #expect(tracker.live == 4)
            switch end {
            case "dispose": run.dispose()
            case "abandon": source.drop()
            default: source.complete()
            }
            if end != "dispose" { time.run() }
            #expect(tracker.live == 0)
            run.dispose()
            time.run()
        }
    }

    /// Emitters that are faster than the queue are held up; nothing is lost, and disposal frees them.
    @Test func emittersAreSuspended() {
        let queue = Queue(name: "slow")
        let pipe = ValuePipe<Int>()
        let received = Tally(), done = Tally()
        let run = (pipe.signal() |> deliverOn(queue, limit: 2, overflow: .suspend, counter: counter)).start(next: { _ in
            received.up()
        })
        startThread {
            race(3) { _ in for i in 0..<1_000 { pipe.putNext(i) } }
            done.up()
        }
        #expect(eventually { done.value == 1 && received.value == 3_000 })
        #expect(counter.dropped == 0)
        let blocked = Tally(), before = counter.suspended
        queue.justDispatch { _ = eventually(timeout: 600) { blocked.value == 1 } }
        startThread {
            for i in 0..<10 { pipe.putNext(i) }
            done.up()
        }
        #expect(eventually { counter.suspended > before || done.value == 2 })
        run.dispose()
        #expect(eventually { done.value == 2 })
        blocked.up()
        queue.sync {}
        #expect(received.value == 3_000)
    }

    /// A program that sends values waits for the resumption.
    @Test(arguments: [false, true]) func aPipeTellsOfPauses(replay: Bool) {
        let time = VirtualTime(), tracker = LifetimeTracker()
        let pipe = ValuePipe<Int>(replay: replay)
        let received = Tally(), resumed = Tally()
        let run = (pipe.signal() |> deliverOn(time.queue, limit: 2, overflow: .pause(), counter: counter)).start(
            next: { _ in received.up() })
        pipe.putNext(0)
        #expect(!pipe.isPaused)
        pipe.putNext(1)
        #expect(pipe.isPaused)
        let token = tracker.make()
        pipe.onResume(time.queue) { [token] in
            token.touch()
            resumed.up()
        }
        #expect(resumed.value == 0)
        time.run()
        #expect(!pipe.isPaused && resumed.value == 1 && received.value == 2 && counter.exceeded == 0)
        pipe.putNext(2)
        pipe.putNext(3)
        #expect(pipe.isPaused)
        pipe.onResume(time.queue) { resumed.up() }
        run.dispose()
        time.run()
        #expect(!pipe.isPaused && resumed.value == 2)
    }

    @Test func theEndOfAPipeIsAResumption() {
        let time = VirtualTime(), tracker = LifetimeTracker()
        let resumed = Tally()
        func pause(_ signal: Signal<Int, NoError>) -> Disposable {
            (signal |> deliverOn(time.queue, limit: 1, overflow: .pause())).start()
        }
        do {
            let pipe = Pipe<Int>(), token = tracker.make()
            let run = pause(pipe.signal())
            pipe.putNext(0)
            #expect(pipe.isPaused)
            pipe.onResume(time.queue) { [token] in
                token.touch()
                resumed.up()
            }
            pipe.complete()
            #expect(!pipe.isPaused)
            time.run()
            #expect(resumed.value == 1)
            run.dispose()
        }
        // A pipe that is released drops the function.
        var released: FalliblePipe<Int, NoError>? = FalliblePipe<Int, NoError>()
        let run = pause(released!.signal())
        released!.putNext(0)
        let token = tracker.make()
        released!.onResume(time.queue) { [token] in
            token.touch()
            resumed.up()
        }
        released = nil
        time.run()
        #expect(resumed.value == 1)
        run.dispose()
    }

    /// More emitting threads than the limit: the end also wakes threads that never get space.
    @Test func theEndFreesAllWhoAreSuspended() {
        let queue = Queue(name: "end"), mayGoOn = Tally(), done = Tally()
        let source = ManualSource<Int, NoError>("a", log)
        let run = (source.signal() |> deliverOn(queue, limit: 1, overflow: .suspend, counter: counter)).start(log)
        queue.justDispatch { _ = eventually { mayGoOn.value == 1 } }
        source.next(1)
        for _ in 0..<4 {
            startThread {
                source.next(2)
                done.up()
            }
        }
        #expect(eventually { counter.suspended == 4 })
        source.complete()
        mayGoOn.up()
        #expect(eventually { done.value == 4 })
        #expect(log.text == "Sa Da N1 C")
        run.dispose()
    }

    @Test func racesOfEmissionAndDisposal() {
        let tracker = LifetimeTracker()
        let queue = Queue(name: "races")
        for round in 0..<100 {
            let source = ManualSource<LifetimeTracker.Tracked, NoError>()
            let policy: OverflowPolicy<NoError> = round % 2 == 0 ? .suspend : .dropOldest
            let run = (source.signal() |> deliverOn(queue, limit: 1, overflow: policy)).start(next: { $0.touch() })
            race(3) { thread in
                switch thread {
                case 0: for _ in 0..<5 { source.next(tracker.make()) }
                case 1: source.complete()
                default: run.dispose()
                }
            }
        }
        queue.sync {}
        #expect(eventually { tracker.live == 0 })
    }
}
