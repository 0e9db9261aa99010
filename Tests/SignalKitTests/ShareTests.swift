@testable import SignalKitCore
import Testing

@Suite struct ShareTests {
    enum Failure { case failed }

    /// Logs the values that a subscriber of that name receives.
    private func listen<E>(_ signal: Signal<Int, E>, _ name: String, _ log: Recorded<String>) -> Disposable {
        signal.start(
            next: { log.add("\(name)\($0)") }, error: { _ in log.add("\(name)E") }, completed: { log.add("\(name)C") })
    }

    @Test func replaysTheLatestValuesInOneRun() {
        for count in 0..<5 {
            let log = Recorded<String>()
            let source = ManualSource<Int, NoError>()
            let shared = source.signal() |> share(replay: count)
            let first = listen(shared, "a", log)
            for value in 1...3 { source.next(value) }
            let second = listen(shared, "b", log)
            source.next(4)
            let third = listen(shared, "c", log)
            let early = ["a1", "a2", "a3"] + (1...3).suffix(count).map { "b\($0)" }
            #expect(log.all == early + ["a4", "b4"] + (1...4).suffix(count).map { "c\($0)" })
            #expect(source.starts == 1)
            first.dispose()
            second.dispose()
            #expect(source.disposals == 0)
            third.dispose()
            #expect(source.disposals == 1)
            // A new run, which has nothing to replay.
            let again = Recorded<String>()
            let fourth = listen(shared, "d", again)
            #expect(again.all == [] && source.starts == 2)
            fourth.dispose()
        }
    }

    @Test func anEndStaysWithTheLatestValues() {
        for fails in [false, true] {
            let tracker = LifetimeTracker()
            do {
                let log = Recorded<String>()
                let source = ManualSource<Int, Failure>("", tracker: tracker)
                let shared = source.signal() |> share(replay: 2, keep: .forever)
                let first = listen(shared, "a", log)
                for value in 1...3 { source.next(value) }
                if fails { source.fail(.failed) } else { source.complete() }
                let end = fails ? "E" : "C"
                #expect(log.all == ["a1", "a2", "a3", "a" + end])
                for _ in 0..<2 {
                    let late = Recorded<String>()
                    _ = listen(shared, "b", late)
                    #expect(late.all == ["b2", "b3", "b" + end])
                }
                #expect(source.starts == 1 && source.disposals == 1)
                withExtendedLifetime(first) {}
            }
            #expect(tracker.live == 0)
        }
    }

    /// They are stored for later subscriptions. When none is possible, a retained subscription stores nothing.
    @Test func theEndAndTheValuesGoWithTheSharedSignal() {
        typealias Tracked = LifetimeTracker.Tracked
        let kinds: [(Signal<Tracked, Tracked>) -> Signal<Tracked, Tracked>] = [
            { $0 |> share() }, { $0 |> share(replay: 1) }, { $0 |> share(replay: 2, keep: .forever) },
            { $0 |> multicast },
        ]
        let remembered = [0, 1, 2, 0]
        for (kind, remembered) in zip(kinds, remembered) {
            for endsFirst in [true, false] {
                let tracker = LifetimeTracker()
                let source = ManualSource<Tracked, Tracked>()
                var shared: Signal<Tracked, Tracked>? = kind(source.signal())
                let run = shared!.start(next: { _ in }, error: { _ in })
                for id in 1...3 { source.next(tracker.make(id)) }
                if endsFirst {
                    source.fail(tracker.make())
                    #expect(tracker.live == remembered + 1)
                    var ends = 0
                    _ = shared!.start(error: { _ in ends += 1 })
                    #expect(ends == 1)
                }
                shared = nil
                if !endsFirst { source.fail(tracker.make()) }
                #expect(tracker.live == 0)
                withExtendedLifetime(run) {}
            }
        }
    }

    @Test func aSourceMayEndInsideItsStart() {
        let starts = Tally()
        let source = Signal<Int, NoError> { subscriber in
            starts.up()
            for value in 1...3 { subscriber.putNext(value) }
            subscriber.putCompletion()
            return EmptyDisposable
        }
        let log = Recorded<String>()
        let shared = source |> share(replay: 1)
        _ = listen(shared, "a", log)
        _ = listen(shared, "b", log)
        #expect(log.all == ["a1", "a2", "a3", "aC", "b3", "bC"])
        #expect(starts.value == 1)
        // One whose only listener goes inside the start.
        let again = source |> share(replay: 1)
        _ = listen(again |> take(1), "c", log)
        _ = listen(again |> take(1), "d", log)
        #expect(log.all.suffix(4) == ["c1", "cC", "d1", "dC"])
        #expect(starts.value == 3)
    }

    @Test func keptForATime() {
        let tracker = LifetimeTracker()
        do {
            let time = VirtualTime()
            let log = Recorded<String>()
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            let shared = source.signal() |> share(replay: 1, keep: .for(10, time.queue))
            let first = listen(shared, "a", log)
            time.advance(by: 100)
            first.dispose()
            time.advance(by: 9)
            source.next(1)
            // A subscription starts in time, and receives the values since then. The time starts again at its end.
            let second = listen(shared, "b", log)
            time.advance(by: 100)
            #expect(source.disposals == 0 && log.all == ["b1"])
            second.dispose()
            time.advance(by: 5)
            listen(shared, "c", log).dispose()
            time.advance(by: 9)
            #expect(source.disposals == 0)
            time.advance(by: 1)
            #expect(source.disposals == 1 && source.starts == 1)
            // Afterwards it starts again.
            let third = listen(shared, "d", log)
            #expect(log.all == ["b1", "c1"] && source.starts == 2)
            third.dispose()
            time.advance(by: 10)
            #expect(source.disposals == 2)
            #expect(time.pendingCount == 0)
        }
        #expect(tracker.live == 0)
    }

    @Test func theEndOfARunThatIsKeptCallsItsTimerOff() {
        let time = VirtualTime()
        let source = ManualSource<Int, NoError>()
        let shared = source.signal() |> share(keep: .for(10, time.queue))
        listen(shared, "a", Recorded()).dispose()
        #expect(time.pendingCount > 0)
        source.complete()
        #expect(time.pendingCount == 0)
        // The same for a source that is released without a terminal event: its objects are disposed.
        let other = source.signal() |> share(keep: .for(10, time.queue))
        listen(other, "a", Recorded()).dispose()
        #expect(source.disposals == 1 && time.pendingCount > 0)
        source.drop()
        #expect(source.disposals == 2 && time.pendingCount == 0)
    }

    @Test func keptForGood() {
        let tracker = LifetimeTracker()
        let log = Recorded<String>()
        let source = ManualSource<Int, NoError>("", tracker: tracker)
        do {
            let shared = source.signal() |> share(replay: 2, keep: .forever)
            listen(shared, "a", log).dispose()
            for value in 1...3 { source.next(value) }
            listen(shared, "b", log).dispose()
            #expect(log.all == ["b2", "b3"] && source.starts == 1 && source.disposals == 0)
        }
        // No subscription is possible now.
        #expect(source.disposals == 1)
        do {
            let run: Disposable
            do {
                let shared = source.signal() |> share(keep: .forever)
                run = listen(shared, "c", log)
            }
            #expect(source.disposals == 1)
            source.next(4)
            #expect(log.all.last == "c4")
            run.dispose()
        }
        #expect(source.disposals == 2)
        #expect(tracker.live == 0)
    }

    /// A signal that subscribes to itself is not retained by that, whether its subscription is retained or not.
    @Test func aRunIsNotItsOwnListener() {
        let tracker = LifetimeTracker()
        for kind in 0..<6 {
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            let time = VirtualTime()
            let keep: SharedRunLifetime = kind % 3 == 0 ? .whileUsed : kind % 3 == 1 ? .for(10, time.queue) : .forever
            do {
                let itself = ValuePipe<Signal<Int, NoError>>()
                let shared =
                    mergeSignals([source.signal(), itself.signal() |> switchToLatest]) |> share(replay: 1, keep: keep)
                // Through another shared run, too, which is kept as well.
                let own = kind < 3 ? shared : shared |> map { $0 + 1 } |> share(keep: keep)
                let run = listen(shared, "a", Recorded())
                itself.putNext(own |> filter { $0 > 100 })
                source.next(1)
                #expect(source.disposals == 0)
                run.dispose()
                #expect(source.disposals == (kind % 3 == 0 ? 1 : 0), "\(kind)")
                time.advance(by: 10)
                #expect(source.disposals == (kind % 3 == 2 ? 0 : 1), "\(kind)")
            }
            #expect(source.disposals == 1, "\(kind)")
            source.drop()
        }
        #expect(tracker.live == 0)
    }

    /// A signal that is the source of a retained one is retained with it.
    @Test func whatFeedsARunThatIsKeptGoesOn() {
        let time = VirtualTime()
        let source = ManualSource<Int, NoError>()
        let inner = source.signal() |> share()
        let outer = inner |> share(keep: .for(10, time.queue))
        listen(outer, "a", Recorded()).dispose()
        listen(inner, "b", Recorded()).dispose()
        #expect(source.disposals == 0)
        time.advance(by: 10)
        #expect(source.disposals == 1)
    }

    @Test func whoJoinsInsideACallbackGetsWhatHasBeenPutOnce() {
        let log = Recorded<String>()
        let source = ManualSource<Int, NoError>()
        let shared = source.signal() |> share(replay: 2)
        let joined = MetaDisposable()
        let first = shared.start(next: { value in
            log.add("a\(value)")
            if value == 2 {
                source.next(3)
                joined.set(self.listen(shared, "b", log))
            }
        })
        source.next(1)
        source.next(2)
        source.next(4)
        #expect(log.all == ["a1", "a2", "b2", "b3", "a3", "a4", "b4"])
        first.dispose()
        joined.dispose()
        #expect(source.disposals == 1)
    }

    @Test func replayedAndLiveValuesAreInOneOrderForAllThreads() {
        for _ in 0..<20 {
            let source = ManualSource<Int, NoError>()
            let shared = source.signal() |> share(replay: 3, keep: .forever)
            listen(shared, "a", Recorded()).dispose()
            let isBroken = Tally(), isDone = Tally()
            race(4) { index in
                if index == 0 {
                    for value in 1...500 { source.next(value) }
                    isDone.up()
                    return
                }
                repeat {
                    let last = Recorded<Int>()
                    shared.start(next: { value in
                        if let before = last.all.last, value != before + 1 { isBroken.up() }
                        last.add(value)
                    }).dispose()
                } while isDone.value == 0
            }
            #expect(isBroken.value == 0)
            let last = Recorded<String>()
            listen(shared, "", last).dispose()
            #expect(last.all == ["498", "499", "500"])
        }
    }

    @Test func stressJoinsLeavesAndLapses() {
        let tracker = LifetimeTracker()
        let live = Tally(), ended = Tally()
        do {
            let time = VirtualTime()
            let queue = time.queue
            let source = Signal<Int, NoError> { [tracked = tracker.make()] subscriber in
                tracked.touch()
                live.up()
                subscriber.putNext(1)
                return ActionDisposable { ended.up() }
            }
            let isDone = Tally()
            race(5) { index in
                if index == 4 {
                    while isDone.value < 4 { time.advance(by: 1) }
                    return
                }
                for round in 0..<100 {
                    let keep: SharedRunLifetime =
                        round % 3 == 0 ? .whileUsed : round % 3 == 1 ? .for(0.5, queue) : .forever
                    let shared = source |> share(replay: round % 4, keep: keep)
                    let held = tracker.make()
                    let inner = Tally()
                    race(2) { _ in
                        for _ in 0..<5 { shared.start(next: { _ in held.touch() }).dispose() }
                        inner.up()
                    }
                    #expect(inner.value == 2)
                }
                isDone.up()
            }
        }
        #expect(live.value > 0 && live.value == ended.value)
        #expect(eventually { tracker.live == 0 })
    }

    @Test func aTimeThatIsNoneIsNoTime() {
        for seconds in [-1.0, .nan, 0] {
            let time = VirtualTime()
            let source = ManualSource<Int, NoError>()
            let shared = source.signal() |> share(replay: -1, keep: .for(seconds, time.queue))
            let first = listen(shared, "a", Recorded())
            first.dispose()
            #expect(source.disposals == 0)
            time.advance(by: 0)
            #expect(source.disposals == 1, "\(seconds)")
        }
    }
}
