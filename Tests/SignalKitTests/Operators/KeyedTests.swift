import Testing
@testable import SignalKitCore

/// A signal for each key, the latest one.
@Suite struct MapPerKeyTests {
    private let log = Log(), tracker = LifetimeTracker()
    private let source: ManualSource<String, String>

    init() { source = ManualSource("o", log) }

    /// A separate source for each value of each letter: `a1`, `a2` …
    private final class Inners: @unchecked Sendable {
        private let log: Log
        private var made: [String: ManualSource<String, String>] = [:]
        init(_ log: Log) { self.log = log }

        subscript(name: String) -> ManualSource<String, String> {
            if made[name] == nil { made[name] = ManualSource(name, log) }
            return made[name]!
        }
    }

    private func run(
        _ inners: Inners, limit: Int = 10, overflow: OverflowPolicy<String> = .fail("full"),
        counter: OverflowCounter? = nil
    ) -> any Disposable {
        (source.signal()
            |> mapToSignal(per: { $0.first! }, limit: limit, overflow: overflow, counter: counter) {
                inners[$0].signal()
            })
            .start(log)
    }

    @Test func aNewValueReplacesTheSignalOfItsKeyAlone() {
        let inners = Inners(log), handle = run(inners)
        for name in ["a1", "b1", "a2"] { source.next(name) }
        #expect(log.text == "So Sa1 Sb1 Sa2 Da1")
        inners["a1"].next("old")
        inners["b1"].next("x")
        inners["a2"].next("y")
        source.complete()
        inners["b1"].complete()
        inners["a2"].complete()
        #expect(log.text == "So Sa1 Sb1 Sa2 Da1 Nx Ny Do Db1 C Da2")
        handle.dispose()
    }

    @Test func aKeyIsFreeWhenItsSignalHasCompleted() {
        let inners = Inners(log), handle = run(inners, limit: 1)
        source.next("a1")
        inners["a1"].complete()
        source.next("b1")
        source.complete()
        inners["b1"].complete()
        #expect(log.text == "So Sa1 Da1 Sb1 Do C Db1")
        handle.dispose()
    }

    @Test(arguments: [
        (OverflowPolicy<String>.dropNewest, "So Sa1 Sb1 Sa2 Da1 Na2 Nb1", 1),
        (.dropOldest, "So Sa1 Sb1 Sa2 Da1 Sc1 Db1 Na2 Nc1", 1),
        (.keepLatest, "So Sa1 Sb1 Sa2 Da1 Sc1 Db1 Da2 Nc1", 2),
        (.fail("full"), "So Sa1 Sb1 Sa2 Da1 Efull Db1 Da2 Do", 1),
    ]) func oneKeyMoreThanThereMayBe(policy: OverflowPolicy<String>, expected: String, dropped: Int) {
        let inners = Inners(log), counter = OverflowCounter(),
            handle = run(inners, limit: 2, overflow: policy, counter: counter)
        for name in ["a1", "b1", "a2", "c1"] { source.next(name) }
        for name in ["a1", "a2", "b1", "c1"] { inners[name].next(name) }
        #expect(log.text == expected)
        #expect(counter.dropped == dropped)
        handle.dispose()
    }

    /// The newest value uses the space of the oldest, and a dropped one does not delay the end.
    @Test func whatHasMadeWayIsOver() {
        let inners = Inners(log), handle = run(inners, limit: 1, overflow: .dropOldest)
        for name in ["a1", "b1", "a2"] { source.next(name) }
        source.complete()
        inners["a2"].complete()
        #expect(log.text == "So Sa1 Sb1 Da1 Sa2 Db1 Do C Da2")
        handle.dispose()
    }

    @Test func anErrorEndsAllAndThatOfAReplacedOneNothing() {
        let inners = Inners(log), handle = run(inners)
        for name in ["a1", "b1"] { source.next(name) }
        let replaced = inners["a1"].subscribers[0]
        source.next("a2")
        replaced.putError("late")
        inners["a2"].fail("x")
        #expect(log.text == "So Sa1 Sb1 Sa2 Da1 Ex Db1 Do Da2")
        handle.dispose()
    }

    /// The one that is being started is replaced from inside: it is stopped there, and its values do not count.
    @Test func theSameKeyWhileItsSignalIsBeingStarted() {
        let source = source, log = log, second = ManualSource<String, String>("2", log)
        let handle =
            (source.signal()
            |> mapToSignal(per: { $0.first! }, limit: 1, overflow: .fail("full")) { (name: String) in
                if name == "a2" { return second.signal() }
                return Signal { subscriber in
                    log.add("S1")
                    subscriber.putNext("before")
                    source.next("a2")
                    subscriber.putNext("after")
                    subscriber.putError("after")
                    return ActionDisposable { log.add("D1") }
                }
            }).start(log)
        source.next("a1")
        second.next("x")
        #expect(log.text == "So S1 Nbefore S2 D1 Nx")
        source.complete()
        second.complete()
        #expect(log.text == "So S1 Nbefore S2 D1 Nx Do C D2")
        handle.dispose()
    }

    /// The old one is disposed after the new one has been started: what it emits until then does not count.
    @Test func whatTheOldOneEmitsWhileTheNewOneStarts() {
        for late: @Sendable (ManualSource<String, String>) -> Void in [
            { $0.next("old") }, { $0.complete() }, { $0.fail("old") },
        ] {
            let source = ManualSource<String, String>(), log = Log()
            let old = ManualSource<String, String>("1", log), new = ManualSource<String, String>("2", log)
            let handle =
                (source.signal()
                |> mapToSignal(per: { $0.first! }, limit: nil) { name in
                    name == "a1" ? old.signal() : new.signal { _ in late(old) }
                }).start(log)
            source.next("a1")
            source.next("a2")
            source.complete()
            new.next("x")
            new.complete()
            #expect(log.entries.filter { $0 != "D1" } == ["S1", "S2", "Nx", "C", "D2"])
            #expect(old.disposals == 1)
            handle.dispose()
        }
    }

    @Test func disposalInsideACallback() {
        let inners = Inners(log), log = log
        nonisolated(unsafe) var handle: (any Disposable)?
        handle = (source.signal() |> mapToSignal(per: { $0.first! }, limit: nil) { inners[$0].signal() }).start(next: {
            value in
            log.add("N\(value)")
            handle?.dispose()
        })
        for name in ["a1", "b1"] { source.next(name) }
        inners["a1"].next("x")
        source.next("a2")
        #expect(log.text == "So Sa1 Sb1 Nx Da1 Db1 Do")
        handle = nil
    }

    @Test func mereValuesNeedNoPlace() {
        let text =
            (sync("o", log, [1, 2, 3], SyncEnd<String>.completed)
            |> mapToSignal(per: { $0 % 2 }, limit: 1, overflow: .fail("full")) {
                .single($0 * 10)
            }).trace()
        #expect(text == "N10 N20 N30 C")
    }

    @Test func manyThatEndAtOnceNeedNoStack() {
        let seen = Tally()
        onSmallStack {
            let source = ManualSource<Int, NoError>()
            let handle =
                (source.signal()
                |> mapToSignal(per: { $0 % 7 }, limit: 7, overflow: .dropNewest) { value in deferred { .single(value) }
                })
                .start(next: { _ in seen.up() })
            for value in 0..<manyRounds { source.next(value) }
            handle.dispose()
        }
        #expect(seen.value == manyRounds)
    }

    @Test func whatGoesWithoutAnEndLetsGo() {
        let outer = ManualSource<Int, String>(tracker: tracker), inner = ManualSource<Int, String>(tracker: tracker)
        var handle: (any Disposable)?
        do {
            let probe = tracker.make()
            handle = (outer.signal() |> mapToSignal(per: { $0 }, limit: nil) { _ in inner.signal() }).start(next: { _ in
                probe.touch()
            })
        }
        for value in [1, 2, 1] { outer.next(value) }
        outer.drop()
        inner.drop()
        handle = nil
        #expect(handle == nil && tracker.live == 0)
    }

    /// Two threads emit values of the same keys, and other threads emit into their signals: one event at a time, and
    /// none of a replaced signal after the first event of its replacement.
    @Test func threadsThatBringTheSameKeys() {
        for overflow in [OverflowPolicy<NoError>.dropNewest, .dropOldest, .keepLatest] {
            let tracker = LifetimeTracker(), seen = Seen(), rounds = 300
            do {
                let outer = Pipe<Int>(), ticks = ValuePipe<Int>(), probe = tracker.make()
                let handle =
                    (outer.signal()
                    |> mapToSignal(per: { $0 % 3 }, limit: 2, overflow: overflow) { (value: Int) in
                        ticks.signal() |> map { _ in value } |> take(2)
                    }).start(
                        next: { value in
                            probe.touch()
                            seen.enter()
                            _ = seen.add("\(value)")
                            seen.leave()
                        }, completed: { seen.end("C") })
                race(4) { thread in
                    for round in 0..<rounds {
                        if thread < 2 { outer.putNext(round * 2 + thread) } else { ticks.putNext(round) }
                    }
                }
                outer.complete()
                while !seen.hasEnded { ticks.putNext(0) }
                handle.dispose()
            }
            #expect(!seen.overlapped && seen.faults == [] && seen.valuesAfterTheEnd == 0)
            #expect(eventually { tracker.live == 0 })
        }
    }

    @Test func disposalRacesWithStarts() {
        for _ in 0..<100 {
            let tracker = LifetimeTracker(), inner = ManualSource<Int, NoError>(tracker: tracker)
            do {
                let outer = Pipe<Int>(), probe = tracker.make()
                let handle =
                    (outer.signal()
                    |> mapToSignal(per: { $0 % 3 }, limit: 2, overflow: .dropOldest) { _ in inner.signal() })
                    .start(next: { _ in probe.touch() })
                race(4) { thread in
                    switch thread {
                    case 0, 1: for value in 0..<10 { outer.putNext(value) }
                    case 2: for value in 0..<10 { if value % 2 == 0 { inner.next(value) } else { inner.complete() } }
                    default: handle.dispose()
                    }
                }
            }
            #expect(inner.disposalsOfRuns.allSatisfy { $0 == 1 })
            #expect(eventually { tracker.live == 0 })
        }
    }
}

/// Groups, each with its own pipeline.
@Suite struct GroupedTests {
    private let log = Log(), tracker = LifetimeTracker()
    private let source: ManualSource<Int, String>

    init() { source = ManualSource("o", log) }

    private typealias Values = Signal<Int, String>

    private func run(
        limit: Int = 10, overflow: OverflowPolicy<String> = .fail("full"), counter: OverflowCounter? = nil,
        _ pipeline: @escaping @Sendable (Int, Signal<Int, String>) -> Signal<String, String>
    ) -> any Disposable {
        let log = log
        return
            (source.signal()
            |> grouped(by: { $0 / 10 }, limit: limit, overflow: overflow, counter: counter) { key, values in
                log.add("G\(key)")
                return pipeline(key, values)
            }).start(log)
    }

    /// All values of a group, at its end.
    @Sendable private static func sums(_ key: Int, _ values: Values) -> Signal<String, String> {
        values |> reduceLeft(value: 0, f: { $0 + $1 }) |> map { "\(key):\($0)" }
    }

    @Test func eachKeyHasAPipeline() {
        let handle = run { key, values in values |> map { "\(key):\($0)" } }
        for value in [1, 11, 2] { source.next(value) }
        source.complete()
        #expect(log.text == "So G0 N0:1 G1 N1:11 N0:2 C Do")
        handle.dispose()
    }

    @Test func theEndOfTheSourceCompletesTheGroups() {
        let handle = run(GroupedTests.sums)
        for value in [1, 11, 2, 12] { source.next(value) }
        #expect(log.text == "So G0 G1")
        source.complete()
        #expect(log.text == "So G0 G1 N0:3 N1:23 C Do")
        handle.dispose()
    }

    @Test func aPipelineThatGoesOnHoldsUpTheEnd() {
        let after = ManualSource<String, String>("a", log)
        let handle = run { _, values in values |> filter { _ in false } |> map { "\($0)" } |> then(after.signal()) }
        source.next(1)
        source.complete()
        #expect(log.text == "So G0 Sa Do")
        after.next("x")
        after.complete()
        #expect(log.text == "So G0 Sa Do Nx C Da")
        handle.dispose()
    }

    @Test func errorsEndAll() {
        let failing = run { key, values in
            values |> mapToSignal { $0 == 12 ? .fail("x") : .single("\($0)") }
        }
        for value in [1, 11, 12, 2] { source.next(value) }
        #expect(log.text == "So G0 N1 G1 N11 Ex Do")
        failing.dispose()
        let outer = ManualSource<Int, String>(), seen = Log()
        let handle = (outer.signal() |> grouped(by: { $0 }, limit: nil) { _, values in values |> GroupedTests.caught })
            .start(seen)
        outer.next(1)
        outer.fail("o")
        #expect(seen.text == "N1 Eo")
        handle.dispose()
    }

    @Sendable private static func caught(_ values: Values) -> Values { values |> `catch` { _ in .single(-1) } }

    /// The next value of the key makes another group.
    @Test func aPipelineThatEndsFreesItsKey() {
        let handle = run(limit: 1) { key, values in values |> take(2) |> map { "\(key):\($0)" } }
        for value in [1, 2, 3, 4, 11] { source.next(value) }
        #expect(log.text == "So G0 N0:1 N0:2 G0 N0:3 N0:4 G1 N1:11")
        handle.dispose()
    }

    @Test func aPipelineThatEndsInsideItsStart() {
        let handle = run(limit: 1) { key, _ in .single("\(key)") }
        for value in [1, 2, 11] { source.next(value) }
        source.complete()
        #expect(log.text == "So G0 N0 G0 N0 G1 N1 C Do")
        handle.dispose()
    }

    /// A separate subscriber of a group is notified of its end.
    @Test func theSignalOfAGroupCompletes() {
        let log = log, kept = Recorded<Values>()
        let handle = run { key, values in
            _ = values.start(next: { log.add("n\($0)") }, completed: { log.add("c\(key)") })
            kept.add(values)
            return values |> take(1) |> map { "\($0)" }
        }
        source.next(1)
        #expect(log.text == "So G0 n1 N1 c0")
        #expect(kept.all[0].trace() == "C")
        handle.dispose()
    }

    @Test(arguments: [
        (OverflowPolicy<String>.dropNewest, "So G0 G1 N0:3 N1:11 C Do", 1),
        (.dropOldest, "So G0 G1 N0:1 G2 N1:11 G0 N2:21 N0:2 C Do", 2),
        (.keepLatest, "So G0 G1 N0:1 N1:11 G2 G0 N2:21 N0:2 C Do", 2), (.fail("full"), "So G0 G1 Efull Do", 1),
    ]) func oneGroupMoreThanThereMayBe(policy: OverflowPolicy<String>, expected: String, dropped: Int) {
        let counter = OverflowCounter(), handle = run(limit: 2, overflow: policy, counter: counter, GroupedTests.sums)
        for value in [1, 11, 21, 2] { source.next(value) }
        source.complete()
        #expect(log.text == expected)
        #expect(counter.dropped == dropped)
        handle.dispose()
    }

    /// Values that callbacks of a pipeline send arrive in its group after the present value.
    @Test func emissionFromInside() {
        let source = source, log = log
        let handle = (source.signal() |> grouped(by: { $0 / 10 }, limit: nil) { _, values in values }).start(next: {
            value in
            log.add("N\(value)")
            if value == 1 { [11, 2].forEach { source.next($0) } }
            log.add("/\(value)")
        })
        source.next(1)
        #expect(log.text == "So N1 /1 N11 /11 N2 /2")
        handle.dispose()
    }

    /// The group's pipeline exists before values are sent from inside its start.
    @Test func theSameKeyWhileItsPipelineIsBeingStarted() {
        let source = source
        let handle = run { key, values in
            values |> map { "\($0)" }
                |> beforeStarted {
                    if key == 0 { [2, 11].forEach { source.next($0) } }
                }
        }
        source.next(1)
        source.complete()
        #expect(log.text == "So G0 N1 N2 G1 N11 C Do")
        handle.dispose()
    }

    @Test func disposalInside() {
        for place in ["key", "pipeline", "start", "value"] {
            let source = ManualSource<Int, String>(tracker: tracker), log = Log(), container = MetaDisposable()
            let dispose = { (here: String) in if here == place { container.dispose() } }
            container.set(
                (source.signal()
                    |> grouped(
                        by: { (value: Int) -> Int in
                            dispose("key")
                            return value
                        }, limit: nil
                    ) { [tracker] _, values in
                        dispose("pipeline")
                        let probe = tracker.make()
                        return values
                            |> map { (value: Int) -> Int in
                                probe.touch(); return value
                            } |> beforeStarted { dispose("start") }
                    }).start(
                        next: { value in
                            log.add("N\(value)")
                            dispose("value")
                        }, completed: { log.add("C") }))
            source.next(1)
            source.next(1)
            #expect(log.text == (place == "value" ? "N1" : ""))
            #expect(source.disposals == 1)
            #expect(tracker.live == 0, "\(place)")
        }
    }

    @Test func whatGoesWithoutAnEndLetsGo() {
        let outer = ManualSource<Int, String>(tracker: tracker), after = ManualSource<Int, String>(tracker: tracker)
        var handle: (any Disposable)?
        do {
            let probe = tracker.make()
            handle =
                (outer.signal()
                |> grouped(by: { $0 }, limit: nil) { key, values in
                    key == 1
                        ? values
                            |> map { value in
                                probe.touch(); return value
                            } : values |> take(1) |> then(after.signal())
                }).start(next: { _ in probe.touch() })
        }
        for value in [1, 2, 3] { outer.next(value) }
        outer.drop()
        after.drop()
        handle = nil
        #expect(handle == nil && tracker.live == 0)
    }

    /// The disposable and the source are released: everything is released, although pipelines would continue.
    @Test func aRunThatNobodyHolds() {
        let outer = ManualSource<Int, String>(tracker: tracker)
        do {
            let probe = tracker.make()
            _ =
                (outer.signal()
                |> grouped(by: { $0 }, limit: nil) { _, values in
                    values
                        |> map { value in
                            probe.touch(); return value
                        } |> distinctUntilChanged
                }).start(next: { _ in probe.touch() })
        }
        for value in [1, 2] { outer.next(value) }
        outer.drop()
        #expect(tracker.live == 0)
    }

    /// Two threads bring values of the same keys: those of one thread reach their group in order, each once.
    @Test func threadsThatBringTheSameKeys() {
        let tracker = LifetimeTracker(), seen = Seen(), perThread = 1_000
        do {
            let outer = Pipe<Int>(), probe = tracker.make()
            let handle =
                (outer.signal()
                |> grouped(by: { $0 % 5 }, limit: nil) { _, values in
                    values
                        |> map { (value: Int) -> Int in
                            probe.touch(); return value
                        } |> take(7)
                }).start(
                    next: { value in
                        seen.enter()
                        _ = seen.add("\(value)")
                        seen.leave()
                    }, completed: { seen.end("C") })
            race(3) { thread in for value in 0..<perThread { outer.putNext(value * 3 + thread) } }
            outer.complete()
            #expect(eventually { seen.hasEnded })
            handle.dispose()
        }
        #expect(
            !seen.overlapped && seen.faults == [] && seen.valueCount == 3 * perThread && seen.valuesAfterTheEnd == 0)
        let values = seen.text.split(separator: " ").compactMap { Int($0) }
        for thread in 0..<3 {
            let own = values.filter { $0 % 3 == thread }
            #expect(own == own.sorted())
        }
        #expect(eventually { tracker.live == 0 })
    }

    @Test func disposalRacesWithGroups() {
        for _ in 0..<100 {
            let tracker = LifetimeTracker()
            do {
                let outer = Pipe<Int>(), probe = tracker.make()
                let handle =
                    (outer.signal()
                    |> grouped(by: { $0 % 3 }, limit: 2, overflow: .dropOldest) { _, values in
                        values
                            |> map { (value: Int) -> Int in
                                probe.touch(); return value
                            } |> take(2)
                    }).start(next: { _ in probe.touch() })
                race(3) { thread in
                    if thread < 2 { for value in 0..<20 { outer.putNext(value) } } else { handle.dispose() }
                }
            }
            #expect(eventually { tracker.live == 0 })
        }
    }
}
