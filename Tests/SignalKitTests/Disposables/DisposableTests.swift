import Foundation
import Testing
import SignalKitCore

/// The containers (SPEC C.1, C.4 and C.8).
@Suite struct DisposableTests {
    private let tracker = LifetimeTracker()
    private let log = Log()

    /// Logs its name when disposed, each time; holds a tracked object.
    private final class Probe: Disposable {
        let name: String
        let log: Log
        let object: LifetimeTracker.Tracked
        var onDispose: (() -> Void)?

        init(_ name: String, _ log: Log, _ object: LifetimeTracker.Tracked) {
            self.name = name
            self.log = log
            self.object = object
        }

        func dispose() {
            log.add(name)
            let action = onDispose
            onDispose = nil
            action?()
        }
    }

    private func probe(_ name: String, onDispose: (() -> Void)? = nil) -> Probe {
        let probe = Probe(name, log, tracker.make())
        probe.onDispose = onDispose
        return probe
    }

    // Covers: SW-23, SW-24, SW-29
    @Test func theEmptyDisposableIsOneObject() {
        let other: Disposable = EmptyDisposable
        #expect(other === EmptyDisposable)
        other.dispose()
        other.dispose()
    }

    // MARK: ActionDisposable

    // Covers: SW-30, SW-31, SW-32
    @Test func anActionRunsOnceAndIsFreed() {
        var runs = 0
        let disposable: ActionDisposable
        do {
            let object = tracker.make()
            disposable = ActionDisposable {
                object.touch()
                runs += 1
            }
        }
        #expect(tracker.live == 1)
        disposable.dispose()
        #expect(runs == 1)
        #expect(tracker.live == 0)
        disposable.dispose()
        #expect(runs == 1)
    }

    // Covers: SW-30, SW-31
    @Test func anActionDoesNotRunAtDeallocation() {
        do {
            let object = tracker.make()
            _ = ActionDisposable { [log] in
                object.touch()
                log.add("ran")
            }
        }
        #expect(log.text == "")
        #expect(tracker.live == 0)
    }

    // Covers: SW-32
    @Test func anActionThatDisposesItselfRunsOnce() {
        var disposable: ActionDisposable?
        disposable = ActionDisposable { [log] in
            log.add("a")
            disposable?.dispose()
        }
        disposable?.dispose()
        #expect(log.text == "a")
        disposable = nil
    }

    // Covers: SW-32
    @Test func anActionRunsOnceWhateverTheNumberOfThreads() {
        for _ in 0..<100 {
            let counter = Tally()
            let disposable = ActionDisposable { counter.up() }
            race(32) { _ in disposable.dispose() }
            #expect(counter.value == 1)
        }
    }

    // MARK: MetaDisposable

    // Covers: SW-33, SW-34, SW-35, SW-36
    @Test func metaDisposesTheOneBeforeAndTheLast() {
        let meta = MetaDisposable()
        for name in ["a", "b", "c"] { meta.set(probe(name)) }
        #expect(log.text == "a b")
        #expect(tracker.live == 1)
        meta.dispose()
        meta.dispose()
        #expect(log.text == "a b c")
        #expect(tracker.live == 0)
    }

    // Covers: SW-35
    @Test func metaSetToNilDisposes() {
        let meta = MetaDisposable()
        meta.set(nil)
        meta.set(probe("a"))
        meta.set(nil)
        #expect(log.text == "a")
        #expect(tracker.live == 0)
        meta.dispose()
        #expect(log.text == "a")
    }

    /// The originals dispose it and keep it.
    // Covers: SW-35, B-15
    @Test func metaSetToWhatIsThereChangesNothing() {
        let meta = MetaDisposable(), a = probe("a")
        meta.set(a)
        meta.set(a)
        #expect(log.text == "")
        meta.dispose()
        #expect(log.text == "a")
    }

    // Covers: SW-35, SW-36
    @Test func aDisposedMetaDisposesWhatItIsGiven() {
        let meta = MetaDisposable()
        meta.dispose()
        meta.set(probe("a"))
        meta.set(nil)
        meta.set(probe("b"))
        #expect(log.text == "a b")
        #expect(tracker.live == 0)
    }

    // Covers: SW-33
    @Test func aMetaThatGoesFreesWithoutDisposing() {
        do { MetaDisposable().set(probe("a")) }
        #expect(log.text == "")
        #expect(tracker.live == 0)
    }

    // Covers: SW-35
    @Test func metaSetFromInsideTheDisposalOfTheOneBefore() {
        let meta = MetaDisposable()
        meta.set(probe("a", onDispose: { meta.set(probe("c")) }))
        meta.set(probe("b"))
        #expect(log.text == "a b")
        meta.dispose()
        #expect(log.text == "a b c")
    }

    // Covers: SW-36
    @Test func metaDisposedByManyThreadsDisposesOnce() {
        let meta = MetaDisposable(), tally = CountingDisposable()
        meta.set(tally)
        race(16) { _ in meta.dispose() }
        #expect(tally.disposals.value == 1)
    }

    // Covers: SW-35, SW-36
    @Test func everyChildEverSetIsDisposedOnce() {
        for _ in 0..<20 {
            let meta = MetaDisposable()
            let tallies = (0..<300).map { _ in CountingDisposable() }
            race(4) { thread in
                if thread == 3 {
                    usleep(50)
                    return meta.dispose()
                }
                for index in thread * 100..<(thread + 1) * 100 { meta.set(tallies[index]) }
            }
            #expect(tallies.allSatisfy { $0.disposals.value == 1 })
        }
    }

    // MARK: DisposableSet

    // Covers: SW-37, SW-38, SW-39, SW-42
    @Test func aSetDisposesInOrderOnce() {
        let set = DisposableSet()
        for name in ["a", "b", "c"] { set.add(probe(name)) }
        #expect(log.text == "")
        set.dispose()
        set.dispose()
        #expect(log.text == "a b c")
        #expect(tracker.live == 0)
        set.add(probe("d"))
        #expect(log.text == "a b c d")
        #expect(tracker.live == 0)
    }

    // Covers: SW-40, B-16
    @Test func aSetRemovesOneOccurrenceByIdentityWithoutDisposing() {
        let set = DisposableSet(), a = probe("a")
        set.remove(a)
        set.add(a)
        set.add(probe("b"))
        set.add(a)
        set.remove(probe("b"))
        set.remove(a)
        #expect(log.text == "")
        set.dispose()
        #expect(log.text == "b a")
        set.remove(a)
        let other = DisposableSet()
        do {
            let c = probe("c")
            other.add(c)
            other.remove(c)
        }
        // Only `a`, which is held here.
        #expect(tracker.live == 1)
        other.dispose()
        #expect(log.text == "b a")
    }

    // Covers: SW-39
    @Test func aMemberAddedTwiceIsDisposedTwice() {
        let set = DisposableSet(), a = probe("a")
        set.add(a)
        set.add(a)
        set.dispose()
        #expect(log.text == "a a")
    }

    /// The originals trap on an empty set.
    // Covers: SW-41, B-14
    @Test func removeLast() {
        let set = DisposableSet()
        set.removeLast()
        set.add(probe("a"))
        set.add(probe("b"))
        set.removeLast()
        #expect(tracker.live == 1)
        set.dispose()
        set.removeLast()
        #expect(log.text == "a")
    }

    // Covers: SW-37
    @Test func aSetThatGoesFreesWithoutDisposing() {
        do {
            let set = DisposableSet()
            set.add(probe("a"))
            set.add(probe("b"))
        }
        #expect(log.text == "")
        #expect(tracker.live == 0)
    }

    // Covers: SW-39, SW-42
    @Test func aSetUnderContentionDisposesEachOnce() {
        let set = DisposableSet()
        let tallies = (0..<200).map { _ in CountingDisposable() }
        race(4) { thread in for index in thread * 50..<(thread + 1) * 50 { set.add(tallies[index]) } }
        race(8) { _ in set.dispose() }
        #expect(tallies.allSatisfy { $0.disposals.value == 1 })
    }

    // MARK: DisposableDict

    // Covers: SW-43, SW-44, SW-45, SW-46
    @Test func aDictReplacesAndDisposes() {
        let dict = DisposableDict<String>()
        dict.set(probe("a"), forKey: "x")
        dict.set(probe("b"), forKey: "x")
        dict.set(probe("c"), forKey: "y")
        #expect(log.text == "a")
        dict.dispose()
        dict.dispose()
        #expect(Set(log.entries) == ["a", "b", "c"] && log.entries.count == 3)
        dict.set(probe("d"), forKey: "x")
        dict.set(nil, forKey: "x")
        #expect(log.entries.last == "d")
        #expect(tracker.live == 0)
    }

    // Covers: SW-45, B-15
    @Test func aDictSetToWhatIsThereChangesNothing() {
        let dict = DisposableDict<Int>(), a = probe("a")
        dict.set(a, forKey: 1)
        dict.set(a, forKey: 1)
        #expect(log.text == "")
        dict.dispose()
        #expect(log.text == "a")
    }

    /// The originals keep the dead entry and dispose it again.
    // Covers: SW-45, B-13
    @Test func aDictForgetsWhatIsSetToNil() {
        let dict = DisposableDict<Int>()
        dict.set(nil, forKey: 1)
        dict.set(probe("a"), forKey: 1)
        dict.set(nil, forKey: 1)
        #expect(log.text == "a")
        #expect(tracker.live == 0)
        dict.set(nil, forKey: 1)
        dict.dispose()
        #expect(log.text == "a")
    }

    // Covers: SW-43
    @Test func aDictThatGoesFreesWithoutDisposing() {
        do { DisposableDict<Int>().set(probe("a"), forKey: 1) }
        #expect(log.text == "")
        #expect(tracker.live == 0)
    }

    // Covers: SW-45, SW-46
    @Test func aDictUnderContentionDisposesEachOnce() {
        let dict = DisposableDict<Int>()
        let tallies = (0..<400).map { _ in CountingDisposable() }
        race(4) { thread in
            for index in thread * 100..<(thread + 1) * 100 { dict.set(tallies[index], forKey: index / 2) }
        }
        race(4) { _ in dict.dispose() }
        #expect(tallies.allSatisfy { $0.disposals.value == 1 })
    }

    // MARK: Releasing and locks

    private final class Key: Hashable {
        let number: Int
        let onDeinit: () -> Void

        init(_ number: Int, _ onDeinit: @escaping () -> Void) {
            self.number = number
            self.onDeinit = onDeinit
        }

        deinit { onDeinit() }
        static func == (a: Key, b: Key) -> Bool { a.number == b.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    /// A key or a member whose deinit uses its container: with anything released under the lock this would hang.
    // Covers: B-3
    @Test func aDeinitMayUseTheContainerThatReleasesIt() {
        let hasEnded = finishes { [log] in
            let dict = DisposableDict<Key>()
            dict.set(
                EmptyDisposable,
                forKey: Key(1) { [log] in
                    dict.set(nil, forKey: Key(2) {})
                    log.add("key")
                })
            dict.set(nil, forKey: Key(1) {})
            #expect(log.text == "key")

            final class Member: Disposable, @unchecked Sendable {
                let onDeinit: () -> Void
                init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
                deinit { onDeinit() }
                func dispose() {}
            }
            dict.set(Member { dict.set(nil, forKey: Key(3) {}) }, forKey: Key(3) {})
            dict.set(nil, forKey: Key(3) {})
            let set = DisposableSet()
            set.add(Member { set.removeLast() })
            set.removeLast()
            do {
                let member = Member { set.add(EmptyDisposable) }
                set.add(member)
                set.remove(member)
            }
            set.add(Member { set.add(EmptyDisposable) })
            set.dispose()
            let meta = MetaDisposable()
            meta.set(Member { meta.set(nil) })
            meta.set(EmptyDisposable)
            meta.set(Member { meta.set(nil) })
            meta.dispose()
            var action: ActionDisposable?
            do {
                let member = Member { [log] in
                    action?.dispose()
                    log.add("action")
                }
                action = ActionDisposable { member.dispose() }
            }
            action?.dispose()
            #expect(log.text == "key action")
            action = nil
        }
        #expect(hasEnded)
    }

    // MARK: The lock below

    /// The lock keeps its address: no thread can lock a copy of it.
    // Covers: B-9
    @Test func theLockExcludes() {
        final class Shared: @unchecked Sendable {
            let set = DisposableSet()
            let counter = Tally()
        }
        let shared = Shared()
        race(8) { _ in
            for _ in 0..<500 {
                let member = ActionDisposable { shared.counter.up() }
                shared.set.add(member)
                shared.set.remove(member)
                shared.set.add(member)
            }
        }
        shared.set.dispose()
        #expect(shared.counter.value == 4_000)
    }

    /// A custom disposable that disposes a delayed subscription from its deinit does not deadlock.
    @Test func anObjectMayDisposeItsSubscriptionFromItsDeinit() {
        final class Owner: @unchecked Sendable {
            let subscription = MetaDisposable()
            deinit { subscription.dispose() }
        }
        let finished = Tally()
        do {
            let owner = Owner()
            let queue = Queue(name: "delay")
            let signal = Signal<Int, NoError> { subscriber in
                queue.after(30) { subscriber.putNext(1) }
            }
            owner.subscription.set(signal.start(next: { _ in finished.up() }))
        }
        #expect(finished.value == 0)
    }
}
