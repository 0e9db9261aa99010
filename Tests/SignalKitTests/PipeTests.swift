import SignalKitCore
import Testing

@Suite struct PipeTests {
    @Test func aValuePipeCanReplay() {
        let log = Recorded<String>()
        var pipe: ValuePipe<Int>? = ValuePipe(replay: true)
        let signal = pipe!.signal()
        _ = signal.start(next: { log.add("a\($0)") })
        pipe!.putNext(1)
        _ = signal.start(next: { log.add("b\($0)") }, completed: { log.add("b.") })
        pipe!.putNext(2)
        pipe!.complete()
        _ = signal.start(next: { log.add("c\($0)") }, completed: { log.add("c.") })
        #expect(log.all == ["a1", "b1", "a2", "b2", "b.", "c2", "c."])
        pipe = nil
    }

    // Covers: SW-65, SW-66, SW-67, SW-68, C-29, C-135
    @Test func everybodyWhoListensReceives() {
        let log = Recorded<String>()
        let pipe = ValuePipe<Int>()
        pipe.putNext(0)
        let first = pipe.signal().start(next: { log.add("a\($0)") })
        let second = pipe.signal().start(next: { log.add("b\($0)") })
        pipe.putNext(1)
        first.dispose()
        pipe.putNext(2)
        second.dispose()
        pipe.putNext(3)
        #expect(log.all == ["a1", "b1", "b2"])
    }

    // Covers: SW-68, C-135
    @Test func leaversAreSkippedAndJoinersWaitForTheNextValue() {
        let log = Recorded<String>()
        let pipe = ValuePipe<Int>()
        let second = MetaDisposable()
        let joined = MetaDisposable()
        let first = pipe.signal().start(next: { value in
            log.add("a\(value)")
            second.dispose()
            if value == 1 { joined.set(pipe.signal().start(next: { log.add("c\($0)") })) }
        })
        second.set(pipe.signal().start(next: { log.add("b\($0)") }))
        pipe.putNext(1)
        pipe.putNext(2)
        #expect(log.all == ["a1", "a2", "c2"])
        first.dispose()
        joined.dispose()
    }

    // Covers: B-24
    @Test func reentrantValuesAreQueued() {
        let log = Recorded<String>()
        let pipe = ValuePipe<Int>()
        let first = pipe.signal().start(next: { value in
            log.add("a\(value)")
            if value == 1 { pipe.putNext(2) }
        })
        let second = pipe.signal().start(next: { log.add("b\($0)") })
        pipe.putNext(1)
        #expect(log.all == ["a1", "b1", "a2", "b2"])
        first.dispose()
        second.dispose()
    }

    // Covers: SW-67, C-135, B-30
    @Test func nobodyKeepsThePipe() {
        let tracker = LifetimeTracker()
        var pipe: ValuePipe<Int>? = ValuePipe()
        weak let weakPipe = pipe
        let signal = pipe!.signal()
        let held = signal.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        _ = signal.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(tracker.live == 2)
        pipe = nil
        #expect(weakPipe == nil)
        #expect(tracker.live == 0)
        // After its death a start is silent and keeps nothing.
        let late = signal.start(
            next: { [tracked = tracker.make()] _ in tracked.touch() }, completed: { Issue.record("silent") })
        #expect(tracker.live == 0)
        held.dispose()
        late.dispose()
    }

    // Covers: B-30
    @Test func explicitCompletion() {
        let log = Recorded<String>()
        let pipe = ValuePipe<Int>()
        let first = pipe.signal().startStrict(
            next: { value in
                log.add("a\(value)")
                // The end waits for the value that is being delivered.
                if value == 1 { pipe.complete() }
            }, completed: { log.add("aC") })
        let second = pipe.signal().start(next: { log.add("b\($0)") }, completed: { log.add("bC") })
        pipe.putNext(1)
        pipe.putNext(2)
        pipe.complete()
        #expect(log.all == ["a1", "b1", "aC", "bC"])
        _ = pipe.signal().start(next: { log.add("c\($0)") }, completed: { log.add("cC") })
        #expect(log.all.last == "cC")
        withExtendedLifetime((first, second)) {}
    }

    // Covers: SW-68, C-135
    @Test func concurrentPutsAllArrive() {
        let pipe = ValuePipe<Int>()
        let logs = [Recorded<Int>(), Recorded<Int>()]
        let subscriptions = logs.map { log in pipe.signal().start(next: { log.add($0) }) }
        race(4) { index in
            for value in 0..<250 { pipe.putNext(index * 250 + value) }
        }
        #expect(logs[0].all.sorted() == Array(0..<1000))
        // One order for all, and each thread's values in its own order.
        #expect(logs[0].all == logs[1].all)
        for index in 0..<4 {
            #expect(logs[0].all.filter { $0 / 250 == index } == Array(index * 250..<(index + 1) * 250))
        }
        for subscription in subscriptions { subscription.dispose() }
    }

    // Covers: C-182, C-184, B-3
    @Test func stress() {
        let tracker = LifetimeTracker()
        for _ in 0..<20 {
            let pipe = ValuePipe<LifetimeTracker.Tracked>()
            race(6) { index in
                for round in 0..<60 {
                    if index < 2 {
                        let putsAgain: @Sendable () -> Void = { pipe.putNext(tracker.make()) }
                        pipe.putNext(tracker.make(round, onDeinit: round % 10 == 0 ? putsAgain : nil))
                    } else {
                        let held = tracker.make()
                        let subscription = pipe.signal().start(next: { _ in held.touch() })
                        if round % 4 != 0 { subscription.dispose() }
                    }
                }
            }
        }
        #expect(eventually { tracker.live == 0 })
    }
}

@Suite struct ReplayPipeTests {
    // Covers: OC-30, OC-31, OC-32, OC-33
    @Test func replayIsOptional() {
        let log = Recorded<String>()
        let plain = Pipe<Int?>()
        plain.putNext(1)
        let first = plain.signal().start(next: { log.add("a\($0 ?? -1)") })
        #expect(log.count == 0)
        let replaying = Pipe<Int?>(replay: true)
        let empty = replaying.signalProducer().start(next: { log.add("b\($0 ?? -1)") })
        #expect(log.count == 0)
        replaying.sink(nil)
        replaying.sink(2)
        let second = replaying.signalProducer().start(next: { log.add("c\($0 ?? -1)") })
        #expect(log.all == ["b-1", "b2", "c2"])
        for subscription in [first, empty, second] { subscription.dispose() }
        replaying.putNext(3)
        #expect(log.count == 3)
    }

    /// A call retains its pipe, whether it sends a value or the completion. So the pipe is released when the call
    /// returns. (In C a release inside the call is immediate.)
    @Test(arguments: [false, true]) func letGoInTheMidstOfACall(ends: Bool) {
        let log = Recorded<String>()
        let held = Atomic<ValuePipe<Int>?>(value: ValuePipe(replay: true))
        let signal = held.with { $0! }.signal()
        let begin: @Sendable (String) -> Void = { name in
            _ = signal.start(next: { log.add("\(name)\($0)") }, completed: { log.add("\(name).") })
        }
        let letGo: @Sendable () -> Void = {
            _ = held.swap(nil)
            begin("late")
        }
        _ = signal.start(next: { if $0 == 2 { letGo() } }, completed: letGo)
        held.with { $0! }.putNext(1)
        if ends { held.with { $0! }.complete() } else { held.with { $0! }.putNext(2) }
        begin("afterwards")
        #expect(log.all == (ends ? ["late1", "late.", "afterwards."] : ["late2"]))
    }

    // Covers: OC-32, OC-33, B-30
    @Test func signalsOutliveThePipe() {
        let tracker = LifetimeTracker()
        let log = Recorded<Int>()
        var pipe: Pipe<Int>? = Pipe(replay: true)
        weak let weakPipe = pipe
        var sink: ((Int) -> Void)? = pipe!.sink
        var signal: Signal<Int, NoError>? = pipe!.signal()
        pipe = nil
        #expect(weakPipe == nil)
        sink?(1)
        let held = signal!.start(next: { [tracked = tracker.make()] in
            tracked.touch()
            log.add($0)
        })
        sink?(2)
        #expect(log.all == [1, 2])
        held.dispose()
        // A subscription that nobody disposed goes with the last that could feed it: no cycle is left behind.
        _ = signal!.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(tracker.live == 1)
        sink = nil
        signal = nil
        #expect(tracker.live == 0)
    }

    // Covers: B-30
    @Test func noCycleIsLeftBehind() {
        let tracker = LifetimeTracker()
        do {
            let pipe = Pipe<Int>(replay: true)
            _ = pipe.signal().start(next: { [tracked = tracker.make()] _ in tracked.touch() })
            pipe.putNext(1)
            #expect(tracker.live == 1)
        }
        #expect(tracker.live == 0)
    }

    // Covers: B-27
    @Test func valueIsRememberedBeforeItIsDelivered() {
        let log = Recorded<String>()
        let pipe = Pipe<Int>(replay: true)
        let joined = MetaDisposable()
        pipe.putNext(1)
        let first = pipe.signal().start(next: { value in
            log.add("a\(value)")
            if value == 2 {
                joined.set(pipe.signal().start(next: { log.add("b\($0)") }))
                pipe.putNext(3)
            }
        })
        pipe.putNext(2)
        #expect(log.all == ["a1", "a2", "b2", "a3", "b3"])
        _ = pipe.signal().start(next: { log.add("c\($0)") })
        #expect(log.all.last == "c3")
        first.dispose()
        joined.dispose()
    }

    // Covers: B-28
    /// A value that holds a signal of the pipe's goes with the pipe, whether it has been completed or not.
    @Test func aValueDoesNotKeepAPipe() {
        final class Holder { var signal: Signal<Holder, NoError>? }
        for completes in [false, true] {
            weak var held: Holder?
            let signal: Signal<Holder, NoError>
            do {
                let pipe = ValuePipe<Holder>(replay: true), holder = Holder()
                signal = pipe.signal()
                holder.signal = signal
                held = holder
                pipe.putNext(holder)
                if completes { pipe.complete() }
            }
            #expect(held == nil)
            let log = Log()
            _ = signal.start(next: { _ in log.add("N") }, completed: { log.add("C") })
            #expect(log.text == (completes ? "C" : ""))
        }
    }

    @Test func replayMayUseThePipe() {
        let log = Recorded<Int>()
        #expect(
            finishes {
                let pipe = Pipe<Int>(replay: true)
                pipe.putNext(1)
                let subscription = pipe.signal().start(next: { value in
                    log.add(value)
                    if value == 1 {
                        pipe.putNext(2)
                        _ = pipe.signal().start(next: { log.add($0 * 10) })
                    }
                })
                subscription.dispose()
            })
        #expect(log.all == [1, 20, 2])
    }

    // Covers: B-29
    @Test func joinersGetEachValueOnceAndInOrder() {
        for _ in 0..<40 {
            let pipe = Pipe<Int>(replay: true)
            pipe.putNext(0)
            let logs = (0..<3).map { _ in (0..<4).map { _ in Recorded<Int>() } }
            race(4) { index in
                if index == 0 {
                    for value in 1...100 { pipe.putNext(value) }
                } else {
                    for log in logs[index - 1] { _ = pipe.signal().start(next: { log.add($0) }) }
                }
            }
            for log in logs.joined() {
                let seen = log.all
                // From wherever it joined up to the last, without a gap, a repetition or a step back.
                #expect(seen == Array(seen[0]...100))
            }
        }
    }

    // Covers: OC-31
    @Test func completionAfterReplay() {
        let log = Recorded<String>()
        let pipe = Pipe<Int>(replay: true)
        pipe.putNext(1)
        pipe.complete()
        pipe.putNext(2)
        let late = pipe.signal().startStrict(next: { log.add("\($0)") }, completed: { log.add("C") })
        #expect(log.all == ["1", "C"])
        withExtendedLifetime(late) {}
    }

    @Test func aPipeCanFail() {
        let log = Recorded<String>()
        let pipe = FalliblePipe<Int, String>(replay: true)
        func listen(_ name: String) -> any Disposable {
            pipe.signal().start(
                next: { log.add("\(name)\($0)") }, error: { log.add(name + $0) }, completed: { log.add(name + ".") })
        }
        let first = pipe.signal().start(
            next: { value in
                log.add("a\(value)")
                if value == 1 {
                    pipe.putError("x") // after the values put before
                    pipe.putNext(2)
                }
            }, error: { log.add("a" + $0) })
        let second = listen("b")
        pipe.putNext(1)
        pipe.complete()
        let late = listen("c")
        #expect(log.all == ["a1", "b1", "ax", "bx", "c1", "cx"])
        for handle in [first, second, late] { handle.dispose() }
    }

    @Test func aPipeThatCanFailCompletes() {
        let log = Recorded<String>(), pipe = FalliblePipe<Int, String>()
        _ = pipe.signal().start(next: { log.add("\($0)") }, error: { log.add($0) }, completed: { log.add(".") })
        pipe.putNext(1)
        pipe.complete()
        pipe.putError("x")
        #expect(log.all == ["1", "."])
    }
}
