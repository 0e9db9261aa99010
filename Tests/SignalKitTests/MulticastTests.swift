import SignalKitCore
import Testing

@Suite struct MulticastTests {
    enum Failure { case failed }

    // Covers: SW-69, SW-70, SW-71, B-31, C-136
    @Test func oneRunAKey() {
        let log = Recorded<String>()
        let shared = Multicast<Int>()
        let a = ManualSource<Int, NoError>()
        let b = ManualSource<Int, NoError>()
        let first = shared.get(key: "a", signal: a.signal()).start(next: { log.add("1:\($0)") })
        let second = shared.get(key: "a", signal: a.signal()).start(next: { log.add("2:\($0)") })
        let other = shared.get(key: "b", signal: b.signal()).start(next: { log.add("3:\($0)") })
        #expect(a.starts == 1 && b.starts == 1)
        a.next(1)
        b.next(2)
        #expect(log.all == ["1:1", "2:1", "3:2"])
        for subscription in [first, second, other] { subscription.dispose() }
        #expect(a.disposals == 1 && b.disposals == 1)
    }

    // Covers: B-32, C-183
    @Test func lastLeaverDisposesAndTheNextStartsAnew() {
        let shared = Multicast<Int>()
        let source = ManualSource<Int, NoError>()
        let signal = shared.get(key: "a", signal: source.signal())
        let first = signal.start(next: { _ in })
        let second = signal.start(next: { _ in })
        first.dispose()
        first.dispose()
        #expect(source.disposals == 0)
        second.dispose()
        #expect(source.disposals == 1)
        let log = Recorded<Int>()
        let third = signal.start(next: { log.add($0) })
        #expect(source.starts == 2)
        source.next(3)
        #expect(log.all == [3])
        third.dispose()
        #expect(source.disposals == 2)
    }

    // Covers: B-33
    @Test func completionReachesEverybodyAndAFreshRunFollows() {
        let log = Recorded<String>()
        let shared = Multicast<Int>()
        let source = ManualSource<Int, NoError>()
        let signal = shared.get(key: "a", signal: source.signal())
        let again = MetaDisposable()
        let first = signal.start(
            next: { _ in },
            completed: {
                log.add("1C")
                // Started inside the end: the record is already removed, so this is a separate subscription.
                again.set(signal.start(next: { log.add("3:\($0)") }))
            })
        let second = signal.start(next: { _ in }, completed: { log.add("2C") })
        source.complete()
        #expect(log.all == ["1C", "2C"])
        #expect(source.starts == 2)
        // The end of the first run has not evicted the second one.
        let joined = signal.start(next: { log.add("4:\($0)") })
        #expect(source.starts == 2)
        source.next(1)
        #expect(log.all == ["1C", "2C", "3:1", "4:1"])
        for subscription in [first, second, joined] { subscription.dispose() }
        again.dispose()
        #expect(source.disposals == 2)
    }

    // Covers: SW-71, B-32
    @Test func whenTheSourceGoesAwayTheKeyIsFree() {
        let tracker = LifetimeTracker()
        let shared = Multicast<Int>()
        let source = ManualSource<Int, NoError>()
        let signal = shared.get(key: "a", signal: source.signal())
        let first = signal.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        source.drop()
        #expect(tracker.live == 0)
        let second = signal.start(next: { _ in })
        #expect(source.starts == 2)
        // The first subscription's objects are disposed by its last subscriber.
        #expect(source.disposals == 0)
        first.dispose()
        #expect(source.disposals == 1)
        second.dispose()
        #expect(source.disposals == 2)
    }

    // Covers: SW-72, SW-73, SW-74, SW-75, SW-76, C-119
    @Test func multicastPromiseIsAHolder() {
        let log = Recorded<Int>()
        let promise = MulticastPromise<Int>()
        #expect(promise.value == nil)
        promise.lock.locked {
            promise.value = 1
            promise.subscribers.add { log.add($0) }
        }
        for subscriber in promise.subscribers.copyItems() { subscriber(promise.value!) }
        #expect(log.all == [1])
    }

    // Covers: OC19-3, B-34
    @Test func operatorSharesAndRestarts() {
        let log = Recorded<String>()
        let source = ManualSource<Int, Failure>()
        let shared = source.signal() |> multicast
        let first = shared.start(next: { log.add("1:\($0)") })
        let second = shared.start(next: { log.add("2:\($0)") })
        #expect(source.starts == 1)
        source.next(1)
        first.dispose()
        second.dispose()
        #expect(source.disposals == 1)
        let third = shared.start(next: { log.add("3:\($0)") }, error: { _ in log.add("3E") })
        #expect(source.starts == 2)
        source.next(2)
        source.fail(.failed)
        // A later subscription receives the error.
        _ = shared.start(next: { _ in }, error: { _ in log.add("4E") })
        #expect(source.starts == 2)
        #expect(log.all == ["1:1", "2:1", "3:2", "3E", "4E"])
        third.dispose()
        #expect(source.disposals == 2)
    }

    /// The first subscriber is disposed last. The rest belongs to the signal itself, through operators or through
    /// another shared signal.
    @Test func aRunIsNotItsOwnListener() {
        let tracker = LifetimeTracker()
        for kind in 0..<4 {
            let source = ManualSource<Int, NoError>()
            do {
                let table = Multicast<Int>()
                let never = Signal<Int, NoError>.never()
                let own = table.get(key: "a", signal: never)
                let other = table.get(key: "b", signal: never)
                let whole: Signal<Int, NoError>
                switch kind {
                case 0: whole = mergeSignals([source.signal(), own])
                case 1: whole = source.signal() |> mapToSignal { _ in own }
                case 2:
                    whole = mergeSignals([
                        source.signal(),
                        own |> map { $0 + 1 } |> filter { $0 < 5 } |> deliverOn(.concurrentDefaultQueue()),
                    ])
                default: whole = mergeSignals([source.signal(), other |> take(3)])
                }
                let shared = table.get(key: "a", signal: whole)
                let through = table.get(key: "b", signal: shared |> filter { $0 > 100 })
                let first = kind == 3 ? through.start() : never.start()
                let second = shared.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
                if kind == 1 { source.next(1) }
                first.dispose()
                #expect(source.disposals == 0)
                second.dispose()
                #expect(source.starts == 1 && source.disposals == 1, "\(kind)")
            }
            #expect(tracker.live == 0, "\(kind)")
        }
    }

    // Covers: B-34
    @Test func abandonedDuringASynchronousStart() {
        let disposals = Tally()
        let source = Signal<Int, Failure> { subscriber in
            subscriber.putNext(1)
            #expect(!subscriber.isActive)
            return ActionDisposable { disposals.up() }
        }
        let log = Recorded<Int>()
        _ = (source |> multicast |> take(1)).start(next: { log.add($0) })
        #expect(log.all == [1])
        #expect(disposals.value == 1)
    }

    // Covers: OC19-3, C-182
    @Test func stressJoinsAndLeaves() {
        let tracker = LifetimeTracker()
        let live = Tally()
        let ended = Tally()
        do {
            let shared = Multicast<Int>()
            let source = Signal<Int, NoError> { [tracked = tracker.make()] subscriber in
                tracked.touch()
                live.up()
                subscriber.putNext(1)
                return ActionDisposable { ended.up() }
            }
            let viaOperator = source |> multicast
            race(6) { index in
                for round in 0..<300 {
                    let signal = index % 2 == 0 ? shared.get(key: "\(round % 2)", signal: source) : viaOperator
                    let held = tracker.make()
                    signal.start(next: { _ in held.touch() }).dispose()
                }
            }
        }
        #expect(live.value > 0)
        #expect(live.value == ended.value)
        #expect(eventually { tracker.live == 0 })
    }
}

@Suite struct MulticastSignalManagerTests {
    enum Failure { case failed }

    // Covers: OC19-4
    @Test func sharedSignalsByKey() {
        let manager = MulticastSignalManager<Int, Failure>()
        let source = ManualSource<Int, Failure>()
        let produced = Tally()
        func get(_ key: String?) -> Signal<Int, Failure> {
            manager.multicastedSignal(forKey: key) {
                produced.up()
                return source.signal()
            }
        }
        let log = Recorded<String>()
        let first = get("a").start(next: { log.add("1:\($0)") })
        let second = get("a").start(next: { log.add("2:\($0)") })
        #expect(produced.value == 1 && source.starts == 1)
        source.next(1)
        #expect(log.all == ["1:1", "2:1"])
        first.dispose()
        second.dispose()
        // The key is forgotten with its run.
        let third = get("a").start(next: { _ in })
        #expect(produced.value == 2 && source.starts == 2)
        third.dispose()
        let unshared = get(nil).start(next: { _ in })
        #expect(produced.value == 3 && source.starts == 3)
        unshared.dispose()
    }

    // Covers: OC19-4
    @Test func nothingIsKeptBeyondTheRunAndTheManager() {
        let tracker = LifetimeTracker()
        func tracked() -> Signal<Int, Failure> {
            let object = tracker.make()
            return Signal { subscriber in
                object.touch()
                subscriber.putNext(1)
                subscriber.putCompletion()
                return EmptyDisposable
            }
        }
        do {
            let manager = MulticastSignalManager<Int, Failure>()
            _ = manager.multicastedSignal(forKey: "a", producer: tracked).start(next: { _ in })
            #expect(tracker.live == 0)
            // Never started: it is released with the manager.
            _ = manager.multicastedSignal(forKey: "a", producer: tracked)
            manager.startStandaloneSignalIfNotRunning(forKey: "b", producer: tracked)
            #expect(tracker.live == 1)
        }
        #expect(tracker.live == 0)
    }

    // Covers: OC19-4
    @Test func theEndForgetsTheKey() {
        let manager = MulticastSignalManager<Int, Failure>()
        let source = ManualSource<Int, Failure>()
        let ends = Recorded<String>()
        _ = manager.multicastedSignal(forKey: "a") { source.signal() }.start(error: { _ in ends.add("E") })
        source.fail(.failed)
        _ = manager.multicastedSignal(forKey: "a") { source.signal() }.start(completed: { ends.add("C") })
        source.complete()
        #expect(ends.all == ["E", "C"])
        #expect(source.starts == 2)
    }

    // Covers: B-35
    @Test func producersMayUseTheManager() {
        let log = Recorded<String>()
        #expect(
            finishes {
                let manager = MulticastSignalManager<Int, Failure>()
                let inner = MetaDisposable()
                let signal = manager.multicastedSignal(forKey: "a") {
                    log.add("P")
                    manager.startStandaloneSignalIfNotRunning(forKey: "b") { .complete() }
                    // The key that is being produced: a signal that waits for it, and no second producer.
                    inner.set(
                        manager.multicastedSignal(forKey: "a") {
                            log.add("second producer")
                            return .never()
                        }.start(next: { log.add("inner \($0)") }))
                    return .single(1)
                }
                _ = signal.start(next: { log.add("outer \($0)") })
                inner.dispose()
            })
        #expect(log.all.filter { $0 == "P" }.count == 1)
        #expect(!log.all.contains("second producer"))
        #expect(log.all.contains("inner 1"))
    }

    // Covers: OC19-5
    @Test func standaloneRuns() {
        var manager: MulticastSignalManager<Int, Failure>? = MulticastSignalManager()
        let source = ManualSource<Int, Failure>()
        func run(_ key: String?) { manager!.startStandaloneSignalIfNotRunning(forKey: key) { source.signal() } }
        run(nil)
        #expect(source.starts == 0)
        run("a")
        run("a")
        #expect(source.starts == 1)
        source.complete()
        run("a")
        #expect(source.starts == 2)
        source.fail(.failed)
        run("a")
        #expect(source.starts == 3)
        let before = source.disposals
        manager = nil
        #expect(source.disposals == before + 1)
    }

    // Covers: OC19-6, OC19-7
    @Test func pipesByKey() {
        let tracker = LifetimeTracker()
        let log = Recorded<String>()
        do {
            let manager = MulticastSignalManager<Int, Failure>()
            manager.putNext(0, toMulticastedPipeForKey: "a")
            let a = manager.multicastedPipe(forKey: "a")
            let first = a.start(next: { [tracked = tracker.make()] in
                tracked.touch()
                log.add("1:\($0)")
            })
            let second = a.start(next: { log.add("2:\($0)") })
            let other = manager.multicastedPipe(forKey: "b").start(next: { log.add("3:\($0)") })
            manager.putNext(1, toMulticastedPipeForKey: "a")
            first.dispose()
            second.dispose()
            manager.putNext(2, toMulticastedPipeForKey: "a")
            // The bag was dropped when it became empty; the same signal makes a new one.
            let third = a.start(next: { log.add("4:\($0)") })
            manager.putNext(3, toMulticastedPipeForKey: "a")
            third.dispose()
            other.dispose()
            _ = a.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        }
        #expect(log.all == ["1:1", "2:1", "4:3"])
        #expect(tracker.live == 0)
    }

    // Covers: OC19-6
    @Test func pipeSignalKeepsTheManager() {
        var manager: MulticastSignalManager<Int, Failure>? = MulticastSignalManager()
        weak let weakManager = manager
        var signal: Signal<Int, NoError>? = manager!.multicastedPipe(forKey: "a")
        manager = nil
        #expect(weakManager != nil)
        withExtendedLifetime(signal) {}
        signal = nil
        #expect(weakManager == nil)
    }

    /// The operator retains the subscription instead of its handle.
    @Test func aPipesRunInAJoinKeepsTheManager() {
        var manager: MulticastSignalManager<Int, Failure>? = MulticastSignalManager()
        weak let weakManager = manager
        let run = combineLatest([manager!.multicastedPipe(forKey: "a"), manager!.multicastedPipe(forKey: "b")]).start()
        manager = nil
        #expect(weakManager != nil)
        run.dispose()
        #expect(weakManager == nil)
    }
}

@Suite struct SignalQueueTests {
    enum Failure { case failed }

    // Covers: OC-85, OC-86
    @Test func oneAtATimeInOrder() {
        let log = Recorded<String>()
        let queue = SignalQueue()
        let a = ManualSource<Int, Failure>()
        let b = ManualSource<String, NoError>()
        _ = queue.enqueue(a.signal()).start(next: { log.add("a\($0)") }, error: { _ in log.add("aE") })
        _ = queue.enqueue(b.signal()).start(next: { log.add("b\($0)") }, completed: { log.add("bC") })
        #expect(a.starts == 1 && b.starts == 0)
        a.next(1)
        // An error ends its signal, not the queue.
        a.fail(.failed)
        #expect(b.starts == 1)
        b.next("x")
        b.complete()
        #expect(log.all == ["a1", "aE", "bx", "bC"])
    }

    // Covers: OC-86
    @Test func disposalOfTheRunningOneMovesOn() {
        let queue = SignalQueue()
        let a = ManualSource<Int, NoError>()
        let b = ManualSource<Int, NoError>()
        let first = queue.enqueue(a.signal()).start(next: { _ in })
        let second = queue.enqueue(b.signal()).start(next: { _ in })
        first.dispose()
        #expect(a.disposals == 1 && b.starts == 1)
        second.dispose()
    }

    // Covers: B-59
    @Test func disposedWhileWaitingIsNotRun() {
        let tracker = LifetimeTracker()
        let queue = SignalQueue()
        let a = ManualSource<Int, NoError>()
        let b = ManualSource<Int, NoError>()
        let c = ManualSource<Int, NoError>()
        let first = queue.enqueue(a.signal()).start(next: { _ in })
        let second = queue.enqueue(b.signal()).start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        let third = queue.enqueue(c.signal()).start(next: { _ in })
        #expect(tracker.live == 1)
        second.dispose()
        #expect(tracker.live == 0)
        a.complete()
        #expect(b.starts == 0 && c.starts == 1)
        first.dispose()
        third.dispose()
    }

    // Covers: OC-85, B-51
    @Test func synchronousSignalsDoNotGrowTheStack() {
        let queue = SignalQueue()
        let gate = ManualSource<Int, NoError>()
        let sum = Tally()
        _ = queue.enqueue(gate.signal()).start(next: { _ in })
        for _ in 0..<100_000 { _ = queue.enqueue(Signal<Int, NoError>.single(1)).start(next: { _ in sum.up() }) }
        #expect(sum.value == 0)
        gate.complete()
        #expect(sum.value == 100_000)
    }

    // Covers: OC-85
    @Test func goingDisposesTheRunningOneAndDropsTheRest() {
        let tracker = LifetimeTracker()
        let a = ManualSource<Int, NoError>()
        let b = ManualSource<Int, NoError>()
        var queue: SignalQueue? = SignalQueue()
        let signal = queue!.enqueue(b.signal())
        for source in [a, b] {
            _ = queue!.enqueue(source.signal()).start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        }
        #expect(tracker.live == 2)
        queue = nil
        #expect(a.disposals == 1 && b.starts == 0)
        #expect(tracker.live == 0)
        // A released queue does nothing.
        _ = signal.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(tracker.live == 0 && b.starts == 0)
    }

    // Covers: OC-86, C-182
    @Test func stress() {
        let tracker = LifetimeTracker()
        let running = Tally()
        let ended = Tally()
        let overlaps = Tally()
        do {
            let queue = SignalQueue()
            race(6) { index in
                for round in 0..<200 {
                    let held = tracker.make()
                    let signal = Signal<Int, NoError> { subscriber in
                        if running.up() - ended.value > 1 { overlaps.up() }
                        subscriber.putNext(round)
                        ended.up()
                        if round % 2 == 0 { subscriber.putCompletion() }
                        return EmptyDisposable
                    }
                    let subscription = queue.enqueue(signal).start(next: { _ in held.touch() })
                    if (round + index) % 2 == 0 || round % 2 == 1 { subscription.dispose() }
                }
            }
        }
        #expect(overlaps.value == 0)
        #expect(running.value > 0)
        #expect(eventually { tracker.live == 0 })
    }
}
