import Testing
@testable import SignalKitCore

/// Inner signals that run at the same time: what happens in which order at one moment, and under threads.
@Suite struct MergedTests {
    private let log = Log()
    private let outer: ManualSource<Signal<Int, String>, String>
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>, c: ManualSource<Int, String>

    init() {
        outer = ManualSource("o", log)
        (a, b, c) = (ManualSource("a", log), ManualSource("b", log), ManualSource("c", log))
    }

    @Test func noMoreThanTheLimitRunAtOnce() {
        let handle = (outer.signal() |> merged(limit: 2, waiting: 1, overflow: .fail("full"))).start(log)
        outer.next(a.signal())
        outer.next(b.signal())
        outer.next(c.signal())
        #expect(log.text == "So Sa Sb")
        b.next(1)
        a.next(2)
        a.complete()
        c.next(3)
        outer.complete()
        b.complete()
        c.complete()
        #expect(log.text == "So Sa Sb N1 N2 Sc Da N3 Do Db C Dc")
        handle.dispose()
    }

    @Test(arguments: [
        (OverflowPolicy<String>.dropNewest, "12", 3), (.dropOldest, "45", 3), (.keepLatest, "5", 4),
        (
            .fail("full"),
            "full", 1
        ),
    ]) func whatFindsNoRoomGoesByThePolicy(policy: OverflowPolicy<String>, expected: String, dropped: Int) {
        let counter = OverflowCounter(), seen = Log()
        let handle = (outer.signal() |> merged(limit: 1, waiting: 2, overflow: policy, counter: counter)).start(
            next: { seen.add("\($0)") }, error: { seen.add($0) })
        outer.next(a.signal())
        for value in 1...5 { outer.next(.single(value)) }
        a.complete()
        #expect(seen.entries.joined() == expected)
        #expect(counter.dropped == dropped)
        #expect(a.disposals == 1)
        handle.dispose()
    }

    @Test func nothingNeedWait() {
        for policy in [OverflowPolicy<String>.dropNewest, .dropOldest, .keepLatest] {
            let counter = OverflowCounter(), seen = Log(), outer = ManualSource<Signal<Int, String>, String>(),
                a = ManualSource<Int, String>()
            let handle =
                (outer.signal()
                |> merged(
                    limit: 1, waiting: 0, overflow: policy,
                    counter: counter)).start(seen)
            outer.next(a.signal())
            outer.next(.single(1))
            a.complete()
            outer.next(.single(2))
            outer.complete()
            #expect(seen.text == "N2 C" && counter.dropped == 1)
            handle.dispose()
        }
    }

    @Test func anErrorOfOneEndsAll() {
        let handle = (outer.signal() |> merged(limit: 2, waiting: nil)).start(log)
        outer.next(a.signal())
        outer.next(b.signal())
        outer.next(c.signal())
        b.fail("x")
        #expect(log.text == "So Sa Sb Ex Da Do Db")
        handle.dispose()
    }

    @Test func disposalInsideACallbackStartsNoOther() {
        var handle: (any Disposable)?
        handle = (outer.signal() |> merged(limit: 1, waiting: nil)).start(next: { [log] in
            log.add("N\($0)")
            handle?.dispose()
        })
        outer.next(a.signal { $0.putNext(1) })
        #expect(log.text == "So Sa N1 Do Da")
        a.next(2)
        outer.next(b.signal())
        handle?.dispose()
        #expect(log.text == "So Sa N1 Do Da")
        #expect(a.starts == 1 && b.starts == 0)
    }

    @Test func aSourceThatEndsInsideItsStart() {
        let inners = [sync("a", log, [1, 2], SyncEnd<String>.completed), sync("b", log, [3], .completed)]
        let text = (sync("o", log, inners, SyncEnd<String>.completed) |> merged(limit: 1, waiting: nil)).trace()
        #expect(text == "N1 N2 N3 C")
        #expect(log.text == "So Sa Da Sb Db Do")
        let failing: Signal<Signal<Int, String>, String> = sync(
            "o", Log(),
            [
                sync("a", Log(), [1], .failed("x")),
                a.signal(),
            ], .completed)
        #expect((failing |> merged(limit: 2, waiting: nil)).trace() == "N1 Ex")
        #expect(a.starts == 0)
    }

    /// Signals that complete inside their starts follow each other in a loop.
    @Test func manyThatWaitNeedNoStack() {
        let seen = Tally(), outer = outer, a = a
        onSmallStack {
            let handle = (outer.signal() |> merged(limit: 1, waiting: nil)).start(next: { _ in seen.up() })
            outer.next(a.signal())
            for _ in 0..<manyRounds { outer.next(deferred { .single(1) }) }
            a.complete()
            handle.dispose()
        }
        #expect(seen.value == manyRounds)
    }

    @Test func aSignalPutFromInsideTheStartOfAnotherRunsBesideIt() {
        let outer = outer, b = b
        let handle = (outer.signal() |> merged(limit: 2, waiting: nil)).start(log)
        outer.next(
            a.signal { subscriber in
                outer.next(b.signal { $0.putNext(1) })
                subscriber.putNext(2)
            })
        #expect(log.text == "So Sa Sb N1 N2")
        handle.dispose()
    }

    @Test func whatGoesWithoutAnEndLetsGo() {
        let tracker = LifetimeTracker()
        let outer = ManualSource<Signal<Int, String>, String>(tracker: tracker),
            inner = ManualSource<
                Int,
                String
            >(tracker: tracker)
        var handle: (any Disposable)?
        do {
            let probe = tracker.make()
            handle = (outer.signal() |> merged(limit: 2, waiting: nil)).start(next: { _ in probe.touch() })
        }
        outer.next(inner.signal())
        outer.next(inner.signal())
        outer.drop()
        inner.drop()
        handle = nil
        #expect(handle == nil && tracker.live == 0)
    }

    /// Several threads send signals, whose values other threads emit: one at a time, and all of them.
    @Test func threadsThatPutAndEmitAtOnce() {
        for limit in [1, 3, Int.max] {
            let tracker = LifetimeTracker(), seen = Seen(), perThread = 200
            do {
                let probe = tracker.make(), outer = Pipe<Signal<Int, NoError>>()
                let sources = (0..<2).map { _ in Pipe<Int>() }
                let handle = (outer.signal() |> merged(limit: limit, waiting: nil)).start(
                    next: { value in
                        probe.touch()
                        seen.enter()
                        _ = seen.add("\(value)")
                        seen.leave()
                    }, completed: { seen.end("C") })
                race(4) { thread in
                    if thread < 2 {
                        for value in 0..<perThread {
                            outer.putNext(value % 3 == 0 ? sources[thread].signal() |> take(1) : .single(value))
                        }
                    } else {
                        for value in 0..<perThread * 20 { sources[thread - 2].putNext(value) }
                    }
                }
                outer.complete()
                while !seen.hasEnded { for source in sources { source.putNext(0) } }
                handle.dispose()
            }
            #expect(!seen.overlapped && seen.faults == [] && seen.valueCount == 2 * perThread)
            #expect(eventually { tracker.live == 0 })
        }
    }

    @Test func disposalRacesWithStarts() {
        for _ in 0..<100 {
            let tracker = LifetimeTracker(), inner = ManualSource<Int, NoError>(tracker: tracker)
            do {
                let outer = Pipe<Signal<Int, NoError>>(), probe = tracker.make()
                let handle = (outer.signal() |> merged(limit: 2, waiting: nil)).start(next: { _ in probe.touch() })
                race(3) { thread in
                    switch thread {
                    case 0: for _ in 0..<10 { outer.putNext(inner.signal()) }
                    case 1: for value in 0..<10 { if value % 2 == 0 { inner.next(value) } else { inner.complete() } }
                    default: handle.dispose()
                    }
                }
            }
            #expect(inner.disposalsOfRuns.allSatisfy { $0 == 1 })
            #expect(eventually { tracker.live == 0 })
        }
    }

    // MARK: mapToFirst

    @Test func valuesAreDroppedWhileOneRuns() {
        let source = ManualSource<Int, String>("s", log), log = log, a = a
        let handle =
            (source.signal()
            |> mapToFirst { (value: Int) -> Signal<Int, String> in
                log.add("f\(value)")
                return a.signal()
            }).start(log)
        source.next(1)
        source.next(2)
        a.next(10)
        a.complete()
        source.next(3)
        source.complete()
        a.next(30)
        a.complete()
        #expect(log.text == "Ss f1 Sa N10 Da f3 Sa Ds N30 C Da")
        handle.dispose()
    }
}
