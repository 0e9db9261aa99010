import SignalKitCore
import Testing

@Suite struct PromiseTests {
    @Test func aPromiseThatFollowsItselfIsNotKeptByThat() {
        weak var kept: Promise<Int>?
        for kind in 0..<3 {
            do {
                let promise = Promise<Int>(1)
                kept = promise
                let own = promise.get()
                promise.set(
                    kind == 0 ? own : kind == 1 ? own |> map { $0 } : mergeSignals([own |> take(1), own, .never()]))
            }
            #expect(kept == nil, "\(kind)")
        }
    }

    typealias Tracked = LifetimeTracker.Tracked

    // Covers: SW-52, SW-53, SW-54, SW-57, SW-58, C-129
    @Test func valueFirstThenUpdatesAndNoEnd() {
        let log = Recorded<Int>()
        let ends = Tally()
        let empty = Promise<Int>()
        _ = empty.get().start(next: { log.add($0) }, completed: { ends.up() })
        #expect(log.all == [])

        let promise = Promise(1)
        let subscription = promise.get().start(next: { log.add($0) }, completed: { ends.up() })
        #expect(log.all == [1])
        promise.set(
            Signal { subscriber in
                subscriber.putNext(2)
                subscriber.putNext(3)
                subscriber.putCompletion()
                return EmptyDisposable
            })
        #expect(log.all == [1, 2, 3])
        #expect(ends.value == 0)
        // The value survives the completion of the source.
        _ = promise.get().start(next: { log.add($0 * 10) })
        #expect(log.all == [1, 2, 3, 30])
        subscription.dispose()
        promise.set(.single(4))
        #expect(log.all.filter { $0 == 4 } == [])
    }

    /// A pipe that its signals and its held subscriptions keep.
    @Test func aSourceThatHasEndedIsLetGo() {
        let tracker = LifetimeTracker()
        let promise = Promise<Int>()
        do {
            let pipe = Pipe<Tracked>(replay: true)
            promise.set(pipe.signal() |> map { $0.id })
            pipe.putNext(tracker.make(1))
            #expect(tracker.live == 1)
            pipe.complete()
        }
        #expect(tracker.live == 0)
    }

    // Covers: SW-57, C-129, B-25
    @Test func setForgetsTheValue() {
        let log = Recorded<Int>()
        let promise = Promise(1)
        promise.set(.never())
        _ = promise.get().start(next: { log.add($0) })
        promise.set(.complete())
        _ = promise.get().start(next: { log.add($0) })
        #expect(log.all == [])
    }

    // Covers: SW-57, C-129
    @Test func newSourceStartsBeforeTheOldOneIsDisposed() {
        let log = Recorded<String>()
        func source(_ name: String, _ value: Int) -> Signal<Int, NoError> {
            Signal { subscriber in
                log.add("S\(name)")
                subscriber.putNext(value)
                return ActionDisposable { log.add("D\(name)") }
            }
        }
        let promise = Promise<Int>()
        let subscription = promise.get().start(next: { log.add("N\($0)") })
        promise.set(source("a", 1))
        promise.set(source("b", 2))
        #expect(log.all == ["Sa", "N1", "Sb", "N2", "Da"])
        subscription.dispose()
    }

    // Covers: SW-58, C-130
    @Test func leaversAreSkippedAndJoinersGetTheValueOnce() {
        let log = Recorded<String>()
        let promise = Promise<Int>()
        let second = MetaDisposable()
        let joined = MetaDisposable()
        let first = promise.get().start(next: { value in
            log.add("a\(value)")
            second.dispose()
            if value == 1 { joined.set(promise.get().start(next: { log.add("c\($0)") })) }
        })
        second.set(promise.get().start(next: { log.add("b\($0)") }))
        promise.set(.single(1))
        #expect(log.all == ["a1", "c1"])
        promise.set(.single(2))
        #expect(log.all == ["a1", "c1", "a2", "c2"])
        first.dispose()
        joined.dispose()
    }

    // Covers: SW-55, C-131
    @Test func firstAccessStartsTheInitializerOnce() {
        let probe = ManualSource<Int, NoError>()
        let log = Recorded<Int>()
        let promise = Promise(initializeOnFirstAccess: probe.signal())
        let signal = promise.get()
        #expect(probe.starts == 0)
        let first = signal.start(next: { log.add($0) })
        let second = signal.start(next: { log.add($0 * 10) })
        #expect(probe.starts == 1)
        probe.next(1)
        #expect(log.all == [1, 10])
        first.dispose()
        second.dispose()
        let third = signal.start(next: { log.add($0 * 100) })
        #expect(probe.starts == 1)
        #expect(log.all == [1, 10, 100])
        third.dispose()

        let none = Promise<Int>(initializeOnFirstAccess: nil)
        _ = none.get().start(next: { log.add($0) })
        #expect(log.count == 3)
    }

    // Covers: B-21
    @Test func explicitSetCancelsTheInitializer() {
        let probe = ManualSource<Int, NoError>()
        let log = Recorded<Int>()
        let promise = Promise(initializeOnFirstAccess: probe.signal())
        promise.set(.single(5))
        let subscription = promise.get().start(next: { log.add($0) })
        #expect(probe.starts == 0)
        #expect(log.all == [5])
        subscription.dispose()
    }

    // Covers: SW-56, C-132
    @Test func deinitCallsTheHookThenDisposesTheSource() {
        let log = Recorded<String>()
        let probe = Signal<Int, NoError> { _ in ActionDisposable { log.add("source") } }
        var promise: Promise<Int>? = Promise()
        promise?.onDeinit = { log.add("hook") }
        promise?.set(probe)
        #expect(promise?.onDeinit != nil)
        promise = nil
        #expect(log.all == ["hook", "source"])
    }

    // Covers: SW-58, C-132
    @Test func signalsAndHeldSubscriptionsKeepThePromise() {
        var promise: Promise<Int>? = Promise(1)
        weak let weakPromise = promise
        var signal: Signal<Int, NoError>? = promise!.get()
        promise = nil
        #expect(weakPromise != nil)
        var subscription: Disposable? = (signal! |> map { $0 + 1 }).start(next: { _ in })
        signal = nil
        #expect(weakPromise != nil)
        subscription!.dispose()
        #expect(weakPromise == nil)
        subscription = nil
    }

    /// A join may have to stop its sources: it keeps them, until it is disposed or has ended.
    @Test(arguments: [true, false]) func aJoinKeepsThePromisesThatItListensTo(isDisposed: Bool) {
        let third = ManualSource<Int, String>(), log = Recorded<[Int]>()
        weak var weakPromise: Promise<Int>?, weakOther: ValuePromise<Int>?
        let subscription: Disposable
        do {
            let promise = Promise(1), other = ValuePromise(2)
            (weakPromise, weakOther) = (promise, other)
            let first = promise.get() |> castError(String.self), second = other.get() |> castError(String.self)
            subscription = combineLatest([first, second, third.signal()]).start(next: { log.add($0) })
            third.next(3)
            promise.set(.single(4))
            other.set(5)
        }
        #expect(log.all == [[1, 2, 3], [4, 2, 3], [4, 5, 3]])
        #expect(weakPromise != nil && weakOther != nil)
        if isDisposed { subscription.dispose() } else { third.fail("x") }
        #expect(weakPromise == nil && weakOther == nil)
    }

    // Covers: B-22
    @Test func droppedHandleDoesNotKeepThePromise() {
        let tracker = LifetimeTracker()
        let probe = ManualSource<Int, NoError>()
        weak var weakPromise: Promise<Int>?
        do {
            let promise = Promise<Int>()
            weakPromise = promise
            promise.set(probe.signal())
            let tracked = tracker.make()
            _ = (promise.get() |> map { $0 + 1 } |> filter { _ in true }).start(next: { _ in tracked.touch() })
            #expect(tracker.live == 1)
        }
        #expect(weakPromise == nil)
        #expect(probe.disposals == 1)
        #expect(tracker.live == 0)
    }

    // Covers: C-132
    @Test func subscribersLiveOnAfterADroppedHandle() {
        let log = Recorded<Int>()
        let promise = Promise<Int>()
        _ = promise.get().start(next: { log.add($0) })
        promise.set(.single(1))
        #expect(log.all == [1])
    }

    // Covers: B-20, C-133
    @Test func nestedSetWinsOverTheOuterOne() {
        let log = Recorded<Int>()
        let disposed = Recorded<String>()
        let promise = Promise<Int>()
        let inner = ManualSource<Int, NoError>()
        let subscription = promise.get().start(next: { value in
            log.add(value)
            if value == 1 { promise.set(inner.signal()) }
        })
        promise.set(
            Signal { subscriber in
                subscriber.putNext(1)
                #expect(!subscriber.isActive)
                subscriber.putNext(2)
                return ActionDisposable { disposed.add("outer") }
            })
        #expect(disposed.all == ["outer"])
        inner.next(10)
        #expect(log.all == [1, 10])
        #expect(inner.disposals == 0)
        subscription.dispose()
    }

    // Covers: B-19
    @Test func replacedSourceIsRefusedFromTheMomentOfSet() {
        let log = Recorded<Int>()
        let old = ManualSource<Int, NoError>()
        let promise = Promise<Int>()
        promise.set(old.signal())
        let subscription = promise.get().start(next: { log.add($0) })
        promise.set(
            Signal { subscriber in
                // The old source is still subscribed while the new one starts; what it emits now must not count.
                #expect(old.disposals == 0)
                subscriber.putNext(2)
                old.next(1)
                return EmptyDisposable
            })
        #expect(log.all == [2])
        let late = Recorded<Int>()
        _ = promise.get().start(next: { late.add($0) })
        #expect(late.all == [2])
        subscription.dispose()
    }

    // Covers: B-19, C-182
    @Test func concurrentSetsAgreeOnTheLast() {
        for _ in 0..<60 {
            let promise = Promise<Int>()
            let seen = Recorded<Int>()
            let live = Tally()
            let ended = Tally()
            let subscription = promise.get().start(next: { seen.add($0) })
            race(8) { index in
                promise.set(
                    Signal { subscriber in
                        live.up()
                        subscriber.putNext(index)
                        return ActionDisposable { ended.up() }
                    })
            }
            // One source is left, and it is the one whose value everybody sees last.
            #expect(live.value - ended.value == 1)
            let late = Recorded<Int>()
            _ = promise.get().start(next: { late.add($0) })
            #expect(late.count == 1)
            #expect(seen.all.last == late.all.last)
            subscription.dispose()
        }
    }

    // Covers: B-24
    @Test func reentrantValuesAreQueued() {
        let log = Recorded<String>()
        let promise = Promise<Int>()
        let first = promise.get().start(next: { value in
            log.add("a\(value)")
            if value == 1 { promise.set(.single(2)) }
        })
        let second = promise.get().start(next: { log.add("b\($0)") })
        promise.set(.single(1))
        #expect(log.all == ["a1", "b1", "a2", "b2"])
        first.dispose()
        second.dispose()
    }

    // Covers: B-3, C-132, C-184
    @Test func replacedValueGoesBeforeAnybodyIsTold() {
        let tracker = LifetimeTracker()
        let log = Recorded<Int>()
        let promise = Promise<Tracked>()
        let probe = ManualSource<Tracked, NoError>()
        promise.set(probe.signal())
        probe.next(tracker.make(1))
        #expect(tracker.live == 1)
        let subscription = promise.get().start(next: { _ in log.add(tracker.live) })
        probe.next(tracker.make(2))
        #expect(log.all == [1, 1])
        // By set: before the new source starts.
        promise.set(
            Signal { _ in
                log.add(tracker.live)
                return EmptyDisposable
            })
        #expect(log.all == [1, 1, 0])
        subscription.dispose()
    }

    // Covers: B-3, C-184
    @Test func deinitOfAReplacedValueMayUseThePromise() {
        let tracker = LifetimeTracker()
        let log = Recorded<Int>()
        #expect(
            finishes {
                let promise = Promise<Tracked>()
                let reenter: @Sendable () -> Void = { _ = promise.get().start(next: { log.add($0.id) }) }
                promise.set(.single(tracker.make(1, onDeinit: reenter)))
                promise.set(.single(tracker.make(2)))
                promise.set(.never())
            })
        // The first is released when the second `set` removes it: there is no value then, and the subscriber receives
        // the second.
        #expect(log.all == [2])
        #expect(tracker.live == 0)
    }

    // Covers: C-182, B-18, B-22, B-25
    @Test func setSubscribeDisposeStress() {
        let tracker = LifetimeTracker()
        for _ in 0..<30 {
            let promise = Promise<Tracked>()
            race(6) { index in
                for round in 0..<40 {
                    if index < 2 {
                        promise.set(.single(tracker.make(round)))
                    } else {
                        let held = tracker.make()
                        let subscription = promise.get().start(next: { _ in held.touch() })
                        if round % 3 != 0 { subscription.dispose() }
                    }
                }
            }
        }
        #expect(eventually { tracker.live == 0 })
    }
}

@Suite struct VariableTests {
    enum Failure { case failed }

    // Covers: OC-27, OC-28, OC-29
    @Test func followsItsSourceAndIgnoresItsEnd() {
        let log = Recorded<Int?>()
        let variable = Variable<Int?>()
        let subscription = variable.signal().start(next: { log.add($0) })
        #expect(log.count == 0)
        variable.set(
            Signal<Int?, Failure> { subscriber in
                subscriber.putNext(nil)
                subscriber.putNext(1)
                subscriber.putError(.failed)
                return EmptyDisposable
            })
        #expect(log.all == [nil, 1])
        // nil is a value like any other, and the value survives the end of its source.
        variable.set(Signal<Int?, NoError>.single(nil))
        let late = Recorded<Int?>()
        _ = variable.signal().start(next: { late.add($0) })
        #expect(late.all == [nil])
        subscription.dispose()
    }

    // Covers: B-26
    @Test func setLetsTheValueGo() {
        let tracker = LifetimeTracker()
        let variable = Variable<LifetimeTracker.Tracked>()
        variable.set(Signal<LifetimeTracker.Tracked, NoError>.single(tracker.make()))
        #expect(tracker.live == 1)
        variable.set(Signal<LifetimeTracker.Tracked, NoError>.never())
        #expect(tracker.live == 0)
    }

    // Covers: OC-29
    @Test func goingDisposesTheSource() {
        let probe = ManualSource<Int, NoError>()
        var variable: Variable<Int>? = Variable()
        variable!.set(probe.signal())
        let subscription = variable!.signal().start(next: { _ in })
        variable = nil
        #expect(probe.disposals == 0)
        subscription.dispose()
        #expect(probe.disposals == 1)
    }
}
