@testable import SignalKitCore
import Testing

/// Shared runs that are held, that feed each other, and that end while listeners come and go.
@Suite struct SharedRunTests {
    /// Each link is held from the time at which the one that it feeds has ended.
    @Test func aChainOfHeldRunsEndsLinkByLink() {
        let tracker = LifetimeTracker()
        let keeps: [Double?] = [nil, 3, 10]
        for first in keeps {
            for second in keeps {
                for third in keeps {
                    let time = VirtualTime()
                    let source = ManualSource<Int, NoError>("", tracker: tracker)
                    var links = [source.signal()]
                    for keep in [first, second, third] {
                        let lifetime = keep.map { SharedRunLifetime.for($0, time.queue) } ?? .whileUsed
                        links.append(links.last! |> share(replay: 1, keep: lifetime))
                    }
                    let kept = [first, second, third].reduce(0) { $0 + ($1 ?? 0) }
                    for round in 1...2 {
                        let run = links[3].start(next: { _ in })
                        source.next(1)
                        time.advance(by: 100)
                        run.dispose()
                        #expect(source.starts == round)
                        if kept > 0 {
                            #expect(source.disposals == round - 1)
                            time.advance(by: kept - 0.5)
                            #expect(source.disposals == round - 1)
                            time.advance(by: 0.5)
                        }
                        #expect(source.disposals == round, "\([first, second, third])")
                    }
                    #expect(time.pendingCount == 0)
                }
            }
        }
        #expect(tracker.live == 0)
    }

    /// The time of a signal that is only a source of another starts when that ends, as with subscribers.
    @Test func whatOnlyFedARunIsHeldWhenThatIsLeft() {
        let tracker = LifetimeTracker()
        do {
            let time = VirtualTime()
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            let inner = source.signal() |> share(keep: .for(10, time.queue))
            let outer = inner |> share()
            let direct = inner.start(next: { _ in }), through = outer.start(next: { _ in })
            direct.dispose()
            time.advance(by: 100)
            #expect(source.disposals == 0 && time.pendingCount == 0)
            through.dispose()
            #expect(source.disposals == 0 && time.pendingCount > 0)
            time.advance(by: 5)
            // Somebody comes to the other run: that is somebody for this one.
            outer.start(next: { _ in }).dispose()
            time.advance(by: 9)
            #expect(source.disposals == 0 && source.starts == 1)
            time.advance(by: 1)
            #expect(source.disposals == 1 && time.pendingCount == 0)
        }
        #expect(tracker.live == 0)
    }

    /// A permanently retained signal retains its sources, until its own signal is released.
    @Test func aChainWithOneThatIsHeldForGood() {
        let tracker = LifetimeTracker()
        let time = VirtualTime()
        let source = ManualSource<Int, NoError>("", tracker: tracker)
        do {
            let inner = source.signal() |> share(keep: .for(10, time.queue))
            do {
                let outer = inner |> share(keep: .forever) |> share(keep: .for(3, time.queue))
                outer.start(next: { _ in }).dispose()
                inner.start(next: { _ in }).dispose()
                time.advance(by: 100)
                #expect(source.disposals == 0 && time.pendingCount == 0)
            }
            #expect(source.disposals == 0 && time.pendingCount > 0)
            time.advance(by: 10)
            #expect(source.disposals == 1)
        }
        #expect(tracker.live == 0)
    }

    /// The time of an idle subscription expires before its source has been started.
    @Test func whoLeavesBeforeTheStartLeavesNothingBehind() {
        final class Leaving: Sink<Int, NoError> {
            let time: VirtualTime
            init(_ time: VirtualTime) { self.time = time }
            override func attached(_ upstream: Subscription) {
                upstream.dispose()
                time.advance(by: 1)
            }
        }
        let tracker = LifetimeTracker()
        do {
            let time = VirtualTime()
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            let shared = source.signal() |> share(keep: .for(1, time.queue))
            shared.attach(Leaving(time))
            #expect(source.starts == source.disposals)
            #expect(time.pendingCount == 0)
            let before = source.starts
            let run = shared.start(next: { _ in })
            #expect(source.starts == before + 1)
            run.dispose()
        }
        #expect(tracker.live == 0)
    }

    /// Two threads that detect an idle subscription report it in any order.
    @Test func theLatestTimeCounts() {
        let time = VirtualTime()
        let log = Recorded<UInt>()
        let hold = Hold((10, time.queue))
        hold.begin { log.add($0) }
        hold.idle(since: 2)
        hold.idle(since: 1)
        time.advance(by: 10)
        #expect(log.all == [2] && time.pendingCount == 0)
        hold.idle(since: 3)
        time.advance(by: 5)
        hold.idle(since: 3)
        time.advance(by: 4)
        #expect(log.all == [2])
        time.advance(by: 1)
        #expect(log.all == [2, 3] && time.pendingCount == 0)
    }

    /// Its remaining objects may be released under a lock.
    @Test func aHoldThatIsOverKeepsNothing() {
        let hold: Hold
        weak var queue: Queue?
        let tracker = LifetimeTracker()
        do {
            let time = VirtualTime(), other = time.makeQueue()
            queue = other
            hold = Hold((10, other))
            hold.begin { [tracked = tracker.make()] _ in tracked.touch() }
            hold.idle(since: 1)
            #expect(queue != nil && tracker.live == 1)
            hold.end()
            hold.idle(since: 2)
            #expect(time.pendingCount == 0)
        }
        #expect(queue == nil && tracker.live == 0)
        withExtendedLifetime(hold) {}
    }

    /// The source releases its subscriber right after the end, which is pending behind a value for a new subscriber.
    @Test func anEndThatWaitsIsTold() {
        let source = ManualSource<Int, NoError>()
        let shared = source.signal() |> share(replay: 1)
        let log = Recorded<String>()
        let first = shared.start(next: { log.add("a\($0)") }, completed: { log.add("aC") })
        source.next(1)
        let second = shared.start(
            next: { value in
                log.add("b\(value)")
                if value < 3 { source.next(value + 1) } else { source.complete() }
            }, completed: { log.add("bC") })
        #expect(log.all == ["a1", "b1", "a2", "b2", "a3", "b3", "aC", "bC"])
        withExtendedLifetime((first, second)) {}
    }

    /// A source that is released without a terminal event leaves no cycle: only the handles retain the rest.
    @Test func whatTheSourceLeavesGoesWithTheHandles() {
        let tracker = LifetimeTracker()
        for disposes in [false, true] {
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            var runs: [Disposable] = []
            do {
                let shared = source.signal() |> share(replay: 1)
                runs = (0..<2).map { _ in shared.start(next: { [tracked = tracker.make()] _ in tracked.touch() }) }
            }
            source.next(1)
            source.drop()
            if disposes {
                runs[0].dispose()
                #expect(source.disposals == 0)
                runs[1].dispose()
            }
            #expect(source.disposals == (disposes ? 1 : 0))
            runs = []
            #expect(tracker.live == 0 && source.disposals == (disposes ? 1 : 0))
        }
    }

    /// A subscriber that is disposed while the source ends does not take the terminal event from the others. A new
    /// subscriber then does not restart the source.
    @Test func stressTheEndAmongThoseWhoComeAndGo() {
        let tracker = LifetimeTracker()
        for round in 0..<1000 {
            let source = ManualSource<Int, NoError>("", tracker: tracker)
            let shared = source.signal() |> share(replay: 1)
            let ends = Tally(), late = Tally()
            let stays = shared.start(
                next: { _ in },
                completed: { [tracked = tracker.make()] in
                    tracked.touch()
                    ends.up()
                })
            let leaving = (0..<20).map { _ in shared.start(next: { _ in }) }
            race(3) { index in
                switch index {
                case 0: source.complete()
                case 1: for one in leaving { one.dispose() }
                default: for _ in 0..<20 { _ = shared.start(next: { _ in }, completed: { late.up() }) }
                }
            }
            #expect(ends.value == 1 && late.value == 20 && source.starts == 1, "\(round)")
            withExtendedLifetime(stays) {}
        }
        #expect(tracker.live == 0)
    }
}
