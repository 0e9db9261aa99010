@testable import SignalKitCore
import Testing

/// Members that leave their containers when they are over.
@Suite struct MembershipTests {
    /// A subscription of each kind, and the action that ends it.
    private static let kinds: [(String, (Signal<Int, NoError>) -> Disposable)] = [
        ("plain", { $0.start() }),
        ("strict", { $0.startStrict() }),
        ("waitable", { $0.startWaitable() }),
        ("strict waitable", { $0.startWaitable().strict() }),
        ("joined", { mergeSignals([$0, .complete()]).start() }),
        ("succession", { ($0 |> then(.complete())).start() }),
        ("on a queue", { ($0 |> deliverOn(.concurrentDefaultQueue()) |> serialized).start() }),
        ("delayed", { ($0 |> runOn(.concurrentDefaultQueue())).start() }),
        ("timeout", { ($0 |> timeout(1000, queue: .concurrentDefaultQueue(), alternate: .never())).start() }),
        ("torn down", { ($0 |> afterDisposed {}).start() }),
        (
            "created",
            { source in
                Signal<Int, NoError> { subscriber in source.start(completed: { subscriber.putCompletion() }) }.start()
            }
        ),
    ]

    /// Starts a subscription of each kind, which only a set and a dictionary retain, and checks that it leaves them
    /// when it is `over`.
    private func runsLeave(when over: (ValuePipe<Int>, Disposable?) -> Void) {
        for (name, start) in MembershipTests.kinds {
            let pipe = ValuePipe<Int>(), set = DisposableSet(), dict = DisposableDict<Int>()
            weak var run: Disposable?
            do {
                let started = start(pipe.signal())
                set.add(started)
                dict.set(started, forKey: 1)
                run = started
            }
            #expect(run != nil, "\(name): is held")
            over(pipe, run)
            #expect(eventually { run == nil }, "\(name): is gone")
            withExtendedLifetime((set, dict)) {}
        }
    }

    @Test func whatHasEndedLeaves() { runsLeave { pipe, _ in pipe.complete() } }
    @Test func whatHasBeenDisposedLeaves() { runsLeave { _, run in run?.dispose() } }

    @Test func whatIsOverAlreadyIsNotAdded() {
        let set = DisposableSet(), dict = DisposableDict<Int>(), before = LifetimeTracker()
        weak var run: AnyObject?
        do {
            let started = Signal<Int, NoError>.single(1).start()
            set.add(started)
            let object = before.make()
            dict.set(ActionDisposable { object.touch() }, forKey: 1)
            dict.set(started, forKey: 1)
            run = started
        }
        #expect(run == nil)
        #expect(before.live == 0) // it was replaced all the same
        withExtendedLifetime((set, dict)) {}
    }

    /// A promise's run keeps the promise, also in a set, until it is disposed.
    @Test func aRunThatStandsInFrontOfAnotherLeavesWithIt() {
        let set = DisposableSet()
        weak var promise: Promise<Int>?
        let run: Disposable
        do {
            let made = Promise<Int>(1)
            promise = made
            run = made.get().start()
            set.add(run)
        }
        #expect(promise != nil)
        run.dispose()
        #expect(promise == nil)
        withExtendedLifetime(set) {}
    }

    /// The objects of a source that was released without a terminal event are disposed with the set. A released pipe
    /// leaves nothing.
    @Test func whatIsAbandonedStaysIfThereIsSomethingToDispose() {
        let set = DisposableSet()
        var disposals = 0
        do { set.add(Signal<Int, NoError> { _ in ActionDisposable { disposals += 1 } }.start()) }
        weak var silent: AnyObject?
        do {
            let started = ValuePipe<Int>().signal().start()
            set.add(started)
            silent = started
        }
        #expect(silent == nil)
        #expect(disposals == 0)
        set.dispose()
        #expect(disposals == 1)
    }

    @Test func aRunInTwoSetsLeavesBothAndEachDisposesTheRest() {
        let log = Log(), pipe = ValuePipe<Int>(), other = ValuePipe<Int>(), first = DisposableSet(),
            second = DisposableSet()
        weak var run: AnyObject?
        do {
            let ending = pipe.signal().start()
            run = ending
            for set in [first, second] {
                set.add(ActionDisposable { log.add("a") })
                set.add(ending)
                set.add(ending)
                set.add((other.signal() |> afterDisposed { log.add("b") }).start())
                set.add(ActionDisposable { log.add("c") })
            }
            second.remove(ending)
        }
        pipe.complete()
        #expect(run == nil)
        first.dispose()
        #expect(log.text == "a b c")
        second.dispose()
        #expect(log.text == "a b c a b c")
    }

    @Test func manyMembersInAnyOrder() {
        let set = DisposableSet(), number = 20_000
        let tallies = (0..<number).map { _ in Once() }
        for tally in tallies { set.add(tally) }
        // Every other one, from places all over the list.
        for index in 0..<number where (index * 7919) % number % 2 == 0 { set.remove(tallies[(index * 7919) % number]) }
        for index in 0..<number where index % 4 == 0 { set.add(tallies[index]) }
        set.dispose()
        for (index, tally) in tallies.enumerated() { #expect(tally.times == (index % 4 == 2 ? 0 : 1)) }
    }

    /// A run may be over between coming into the table and into the list.
    @Test func whatLeavesBeforeItIsListedLeavesTheOthersThere() {
        let list = MemberList<Int>(), run = Signal<Int, NoError>.single(1).start() as! Subscription
        let others = [Once(), Once()]
        #expect(list.add(1, others[0]))
        #expect(list.add(2, run, run: run))
        #expect(list.add(3, others[1]))
        #expect(list.items == [1, 3])
        #expect(list.takeAll() == [1, 3])
    }

    private final class Once: Disposable {
        var times = 0
        func dispose() { times += 1 }
    }

    /// Runs end while they are added, removed, replaced, and while their containers are disposed: nothing stays, each source is disposed once.
    @Test func endsAndContainersRace() {
        for round in 0..<200 {
            let pipes = (0..<8).map { _ in ValuePipe<Int>() }
            let sets = [DisposableSet(), DisposableSet()], dict = DisposableDict<Int>()
            let torn = Tally()
            let runs = Recorded<Weak<AnyObject>>()
            race(4) { thread in
                switch thread {
                case 0, 1:
                    for index in 0..<8 {
                        let run = (pipes[index].signal() |> afterDisposed { torn.up() }).start()
                        runs.add(Weak(run))
                        sets[thread].add(run)
                        sets[0].add(run)
                        dict.set(run, forKey: index % 3)
                        if index % 4 == 0 { sets[thread].remove(run) }
                    }
                case 2: for pipe in pipes { pipe.complete() }
                default:
                    if round % 2 == 0 { sets[0].dispose() }
                    if round % 3 == 0 { dict.dispose() }
                    sets[1].removeLast()
                }
            }
            for pipe in pipes { pipe.complete() }
            #expect(torn.value == 16)
            #expect(runs.all.allSatisfy { $0.value == nil })
            withExtendedLifetime((sets, dict)) {}
        }
    }

    /// Leaving releases a subscription, and objects that its `deinit` may use: no lock is held.
    @Test func whatGoesWithAMemberMayUseTheContainer() {
        let set = DisposableSet(), pipe = ValuePipe<Int>()
        final class Guard {
            let set: DisposableSet
            init(_ set: DisposableSet) { self.set = set }
            deinit { set.add(EmptyDisposable) }
        }
        let hasEnded = finishes {
            do {
                nonisolated(unsafe) let held = Guard(set)
                set.add(pipe.signal().start(next: { _ in withExtendedLifetime(held) {} }))
            }
            pipe.complete()
        }
        #expect(hasEnded)
    }
}
