import Testing
@testable import SignalKitCore

/// A source combined with another, zip and race: the order at one time, and threads.
@Suite struct JoiningTests {
    private let log = Log()
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>

    init() { (a, b) = (ManualSource("a", log), ManualSource("b", log)) }

    // MARK: withLatestFrom

    @Test func theOtherIsStartedFirst() {
        let handle = (a.signal() |> withLatestFrom(b.signal(), { $0 * 100 + $1 })).start(log)
        a.next(1)
        b.next(1)
        b.next(2)
        a.next(2)
        b.complete()
        a.next(3)
        a.complete()
        #expect(log.text == "Sb Sa N202 Db N302 C Da")
        handle.dispose()
    }

    @Test func itFailsWithEither() {
        for (first, second) in [(a, b), (b, a)] {
            let before = log.entries.count
            let handle = (first.signal() |> withLatestFrom(second.signal(), { $0 + $1 })).start(log)
            a.fail("x")
            #expect(log.entries.dropFirst(before).contains("Ex"))
            #expect(a.disposals == a.starts && b.disposals == b.starts)
            handle.dispose()
        }
        let failing: Signal<Int, String> = .fail("y")
        #expect((a.signal() |> withLatestFrom(failing, { $0 + $1 })).trace() == "Ey")
        #expect(a.starts == 2)
    }

    @Test func theFunctionIsLetGoWithTheRun() {
        let tracker = LifetimeTracker()
        let one = ManualSource<Int, String>(tracker: tracker),
            two = ManualSource<
                LifetimeTracker.Tracked,
                String
            >(tracker: tracker)
        let handle: any Disposable
        do {
            let probe = tracker.make()
            handle = (one.signal() |> withLatestFrom(two.signal(), { _, _ in probe.touch() })).start(next: {})
        }
        two.next(tracker.make())
        one.next(1)
        one.complete()
        #expect(tracker.live == 0)
        handle.dispose()
    }

    // MARK: until a signal

    @Test func takeEndsWithTheSignal() {
        let handle = (a.signal() |> take(untilSignal: b.signal())).start(log)
        a.next(1)
        b.next(0)
        #expect(log.text == "Sb Sa N1 C Da Db")
        handle.dispose()
        #expect((a.signal() |> take(untilSignal: sync("x", Log(), [1], SyncEnd<String>.open))).trace() == "C")
        #expect(a.starts == 1)
    }

    @Test func whatTheSignalDoesWithoutAValueMeansNothing() {
        let handle = (a.signal() |> take(untilSignal: b.signal())).start(log)
        b.complete()
        a.next(1)
        a.complete()
        #expect(log.text == "Sb Sa Db N1 C Da")
        handle.dispose()
    }

    @Test func skipBeginsWithTheSignal() {
        let handle = (a.signal() |> skip(untilSignal: b.signal())).start(log)
        a.next(1)
        b.next(0)
        a.next(2)
        a.complete()
        #expect(log.text == "Sb Sa Db N2 C Da")
        handle.dispose()
        #expect(
            (sync("x", Log(), [1, 2], SyncEnd<String>.completed)
                |> skip(
                    untilSignal: sync(
                        "y", Log(), [1],
                        .completed))).trace() == "N1 N2 C")
        #expect(
            (sync("x", Log(), [1, 2], SyncEnd<String>.completed)
                |> skip(
                    untilSignal: sync(
                        "y", Log(), [Int](),
                        .completed))).trace() == "C")
    }

    // MARK: sample

    @Test func eachValueIsSampledOnce() {
        let handle = (a.signal() |> sample(on: b.signal())).start(log)
        b.next(0)
        a.next(1)
        a.next(2)
        b.next(0)
        b.next(0)
        a.next(3)
        a.complete()
        #expect(log.text == "Sb Sa N2 N3 C Da Db")
        handle.dispose()
    }

    @Test func anErrorDropsWhatWaits() {
        let handle = (a.signal() |> sample(on: b.signal())).start(log)
        a.next(1)
        b.fail("x")
        #expect(log.text == "Sb Sa Ex Da Db")
        handle.dispose()
    }

    // MARK: zip

    @Test func valuesWaitForTheirCounterparts() {
        let handle = (zip(a.signal(), b.signal(), limit: 2, overflow: .fail("full")) |> map { $0 * 10 + $1 }).start(log)
        a.next(1)
        a.next(2)
        b.next(5)
        b.next(6)
        b.next(7)
        a.complete()
        #expect(log.text == "Sa Sb N15 N26 C Da Db")
        handle.dispose()
    }

    @Test(arguments: [true, false]) func itCompletesWhenNoPairCanFollow(asTuples: Bool) {
        let pairs =
            asTuples
            ? zip(a.signal(), b.signal(), limit: nil) |> map { [$0, $1] } : zip([a.signal(), b.signal()], limit: nil)
        let handle = pairs.start(log)
        a.next(1)
        a.complete()
        b.next(2)
        #expect(log.text == "Sa Sb Da N[1, 2] C Db")
        handle.dispose()
        #expect(
            zip(
                [sync("x", Log(), [1, 2], SyncEnd<String>.completed), .complete(), a.signal()],
                limit: nil
            ).trace() == "C")
        #expect(a.starts == 1)
        #expect(zip([Signal<Int, String>](), limit: nil).trace() == "C")
    }

    @Test(arguments: [true, false]) func itGoesOnAsLongAsValuesWaitOfWhatHasCompleted(isFirst: Bool) {
        let (early, late) = isFirst ? (a, b) : (b, a)
        let handle = (zip(a.signal(), b.signal(), limit: nil) |> map { $0 + $1 }).start(log)
        for value in 1...2 { early.next(value) }
        early.complete()
        for value in [10, 20] { late.next(value) }
        #expect(log.text == (isFirst ? "Sa Sb Da N11 N22 C Db" : "Sa Sb Db N11 N22 C Da"))
        handle.dispose()
    }

    @Test(arguments: [0, 1]) func whatWaitsGoesWithADisposal(source: Int) {
        let tracker = LifetimeTracker()
        let sources = [ManualSource<LifetimeTracker.Tracked, NoError>(), ManualSource()]
        let signals = sources.map { $0.signal() }
        let handles = [
            (zip(signals[0], signals[1], limit: nil) |> map { _ in }).start(),
            (zip(signals, limit: nil) |> map { _ in }).start(),
        ]
        sources[source].next(tracker.make())
        #expect(tracker.live == 1)
        for handle in handles { handle.dispose() }
        #expect(tracker.live == 0)
        withExtendedLifetime(handles) {}
    }

    @Test(arguments: [
        (OverflowPolicy<String>.dropNewest, [1, 2], 3), (.dropOldest, [4, 5], 3), (.keepLatest, [5], 4),
        (.fail("full"), [], 1),
    ]) func oneThatRunsAheadGoesByThePolicy(policy: OverflowPolicy<String>, expected: [Int], dropped: Int) {
        let counter = OverflowCounter()
        for (form, firsts) in [
            zip(a.signal(), b.signal(), limit: 2, overflow: policy, counter: counter) |> map { $0.0 },
            zip(b.signal(), a.signal(), limit: 2, overflow: policy, counter: counter) |> map { $0.1 },
            zip([a.signal(), b.signal()], limit: 2, overflow: policy, counter: counter) |> map { $0[0] },
        ].enumerated() {
            let seen = Log()
            let handle = firsts.start(seen)
            for value in 1...5 { a.next(value) }
            for value in 1...2 { b.next(value) }
            #expect(seen.text == (expected.isEmpty ? "Efull" : expected.map { "N\($0)" }.joined(separator: " ")))
            #expect(counter.dropped == dropped * (form + 1))
            handle.dispose()
            #expect(a.disposals == form + 1 && b.disposals == form + 1)
        }
    }

    // MARK: race

    @Test func theFirstToSendAnythingWins() {
        for event in ["N", "E", "C"] {
            let log = Log(), a = ManualSource<Int, String>("a", log), b = ManualSource<Int, String>("b", log)
            let handle = race([a.signal(), b.signal()]).start(log)
            if event == "N" { b.next(1) } else if event == "E" { b.fail("x") } else { b.complete() }
            a.next(2)
            #expect(log.text == (event == "N" ? "Sa Sb Da N1" : event == "E" ? "Sa Sb Da Ex Db" : "Sa Sb Da C Db"))
            handle.dispose()
            #expect(a.disposals == 1 && b.disposals == 1)
        }
        #expect(race([Signal<Int, String>]()).trace() == "C")
    }

    @Test func thoseBehindAWinnerAreNotStarted() {
        let handle = race([a.signal { $0.putNext(1) }, b.signal()]).start(log)
        a.next(2)
        a.complete()
        #expect(log.text == "Sa N1 N2 C Da")
        handle.dispose()
        #expect(b.starts == 0)
    }

    @Test func onlyOneWinsAmongThreads() {
        for _ in 0..<200 {
            let sources = (0..<3).map { _ in Pipe<Int>() }, seen = Recorded<Int>()
            let handle = race(sources.map { $0.signal() }).start(next: { seen.add($0) })
            race(3) { thread in for _ in 0..<20 { sources[thread].putNext(thread) } }
            #expect(Set(seen.all).count == 1)
            handle.dispose()
        }
    }

    // MARK: Threads

    private typealias Join = @Sendable (Signal<Item, NoError>, Signal<Item, NoError>) -> Signal<Item, NoError>
    private static let joins: [Join] = [
        { $0 |> withLatestFrom($1, { a, _ in a }) }, { $0 |> sample(on: $1) }, { $0 |> skip(untilSignal: $1) },
        { $0 |> take(untilSignal: $1 |> filter { $0.id == 150 }) }, { zip($0, $1, limit: nil) |> map { $0.0 } },
        { zip([$0, $1], limit: 3, overflow: .dropOldest) |> map { $0[1] } }, { race([$0, $1]) },
    ]

    @Test(arguments: joins.indices) func bothEmitAtOnce(_ index: Int) {
        let tracker = LifetimeTracker(), seen = Seen()
        do {
            let one = Pipe<Item>(), two = Pipe<Item>(), probe = tracker.make()
            let handle = Self.joins[index](one.signal(), two.signal()).start(
                next: { value in
                    probe.touch()
                    seen.enter()
                    _ = seen.add("\(value.id)")
                    seen.leave()
                }, completed: { seen.end("C") })
            race(2) { thread in for id in 0..<300 { (thread == 0 ? one : two).putNext(tracker.make(id)) } }
            race(2) { thread in (thread == 0 ? one : two).complete() }
            #expect(seen.hasEnded)
            if index == 4 { #expect(seen.valueCount == 300) }
            handle.dispose()
        }
        #expect(!seen.overlapped && seen.valuesAfterTheEnd == 0 && seen.faults == [])
        #expect(eventually { tracker.live == 0 })
    }

    /// Values that come from inside a callback come after it, and disposal from there is heeded.
    @Test(arguments: joins.indices) func fromInsideACallback(_ index: Int) {
        let tracker = LifetimeTracker(), seen = Seen()
        do {
            let one = Pipe<Item>(), two = Pipe<Item>()
            var handle: (any Disposable)?
            handle = Self.joins[index](one.signal(), two.signal()).start(next: { value in
                seen.enter()
                let place = seen.add("\(value.id)")
                if place < 2 {
                    one.putNext(tracker.make(place + 10))
                    two.putNext(tracker.make(place + 20))
                } else {
                    handle?.dispose()
                    seen.isDisposed = true
                    one.putNext(tracker.make())
                }
                seen.leave()
            })
            two.putNext(tracker.make(1))
            for id in 0..<5 {
                one.putNext(tracker.make(id))
                two.putNext(tracker.make(id))
            }
            #expect(seen.valueCount == 3)
            handle = nil
        }
        #expect(!seen.overlapped && seen.faults == [])
        #expect(tracker.live == 0)
    }
}
