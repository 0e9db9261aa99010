import SignalKitCore
import Testing

@Suite struct ValuePromiseTests {
    typealias Tracked = LifetimeTracker.Tracked

    // Covers: SW-59, SW-60, SW-61, SW-62, SW-63, SW-64, C-134
    @Test func replayUpdatesAndRepeats() {
        let log = Recorded<Int>()
        let plain = ValuePromise(1)
        #expect(!plain.ignoreRepeated)
        let subscription = plain.get().start(next: { log.add($0) }, completed: { Issue.record("it never ends") })
        plain.set(1)
        plain.set(2)
        #expect(log.all == [1, 1, 2])
        subscription.dispose()
        plain.set(3)
        #expect(log.all == [1, 1, 2])
        _ = plain.get().start(next: { log.add($0) })
        #expect(log.all == [1, 1, 2, 3])

        let distinct = ValuePromise<Int>(ignoreRepeated: true)
        let seen = Recorded<Int>()
        _ = distinct.get().start(next: { seen.add($0) })
        for value in [1, 1, 2, 2, 1] { distinct.set(value) }
        #expect(seen.all == [1, 2, 1])
        let started = ValuePromise(1, ignoreRepeated: true)
        _ = started.get().start(next: { seen.add($0) })
        started.set(1)
        #expect(seen.all == [1, 2, 1, 1])
    }

    // Covers: SW-63, C-134
    @Test func duplicateIsFreedAndTheOriginalKept() {
        let tracker = LifetimeTracker()
        do {
            let promise = ValuePromise<Tracked>(ignoreRepeated: true)
            let original = tracker.make(1)
            promise.set(original)
            promise.set(tracker.make(1))
            #expect(tracker.live == 1)
            _ = promise.get().start(next: { #expect($0 === original) })
        }
        #expect(tracker.live == 0)
    }

    // Covers: B-24, C-134
    @Test func reentrantSetIsQueued() {
        let log = Recorded<String>()
        let promise = ValuePromise(0)
        let first = promise.get().start(next: { value in
            log.add("a\(value)")
            if value == 1 { promise.set(2) }
        })
        let second = promise.get().start(next: { log.add("b\($0)") })
        promise.set(1)
        #expect(log.all == ["a0", "b0", "a1", "b1", "a2", "b2"])
        first.dispose()
        second.dispose()
    }

    // Covers: B-24
    @Test func whoJoinsDuringAReentrantSetStartsFromTheNewest() {
        let log = Recorded<String>()
        let promise = ValuePromise(0)
        let joined = MetaDisposable()
        let first = promise.get().start(next: { value in
            if value == 1 {
                promise.set(2)
                // 2 is being delivered to the others. A new subscriber receives it inside `start`, and only once.
                joined.set(promise.get().start(next: { log.add("c\($0)") }))
                #expect(log.all == ["c2"])
            }
        })
        promise.set(1)
        #expect(log.all == ["c2"])
        promise.set(3)
        #expect(log.all == ["c2", "c3"])
        first.dispose()
        joined.dispose()
    }

    // Covers: B-18
    @Test func setDuringTheReplayComesAfterIt() {
        let log = Recorded<Int>()
        let promise = ValuePromise(1)
        let inReplay = Tally()
        let isSet = Tally()
        startThread {
            _ = eventually { inReplay.value == 1 }
            promise.set(2)
            isSet.up()
        }
        let subscription = promise.get().start(next: { value in
            if value == 1 {
                inReplay.up()
                // The other thread's set returns while the replay is still running here: its value has to wait for the replay.
                #expect(eventually { isSet.value == 1 })
            }
            log.add(value)
        })
        #expect(log.all == [1, 2])
        subscription.dispose()
    }

    // Covers: B-18, C-182
    @Test func nobodyEndsOnAnOldValue() {
        for _ in 0..<50 {
            let promise = ValuePromise(0)
            let logs = (0..<4).map { _ in Recorded<Int>() }
            race(6) { index in
                if index < 2 {
                    for value in 1...50 { promise.set(value * 2 + index) }
                } else {
                    for _ in 0..<5 { _ = promise.get().start(next: { logs[index - 2].add($0) }) }
                }
            }
            let final = Recorded<Int>()
            _ = promise.get().start(next: { final.add($0) })
            // Five subscriptions a log: each has seen the final value as its last.
            for log in logs { #expect(log.all.filter { $0 == final.all[0] }.count == 5) }
            for log in logs { #expect(log.all.last == final.all[0]) }
        }
    }

    // Covers: B-18
    @Test func everyListenerSeesTheSameOrder() {
        let promise = ValuePromise(-1)
        let logs = (0..<3).map { _ in Recorded<Int>() }
        let subscriptions = logs.map { log in promise.get().start(next: { log.add($0) }) }
        race(4) { index in
            for value in 0..<200 { promise.set(value * 4 + index) }
        }
        #expect(logs[0].count == 801)
        #expect(logs[0].all == logs[1].all && logs[1].all == logs[2].all)
        for subscription in subscriptions { subscription.dispose() }
    }

    /// Its equality comes back to the promise.
    private final class Nosy: Equatable {
        let id: Int
        nonisolated(unsafe) static var promise: ValuePromise<Nosy>?
        nonisolated(unsafe) static var seen = 0
        init(_ id: Int) { self.id = id }
        static func == (a: Nosy, b: Nosy) -> Bool {
            _ = promise?.get().start(next: { _ in seen += 1 })
            return a.id == b.id
        }
    }

    // Covers: B-23
    @Test func equalityMayUseThePromise() {
        #expect(
            finishes {
                let promise = ValuePromise<Nosy>(ignoreRepeated: true)
                Nosy.promise = promise
                promise.set(Nosy(1))
                promise.set(Nosy(1))
                promise.set(Nosy(2))
                Nosy.promise = nil
            })
        #expect(Nosy.seen > 0)
    }

    /// Its first comparison lets another value in.
    private struct Slow: Equatable {
        let id: Int
        nonisolated(unsafe) static var meanwhile: (() -> Void)?
        static func == (a: Slow, b: Slow) -> Bool {
            let action = meanwhile
            meanwhile = nil
            action?()
            return a.id == b.id
        }
    }

    // Covers: B-23
    @Test func comparisonIsRepeatedWhenTheValueMoved() {
        let log = Recorded<Int>()
        let promise = ValuePromise(Slow(id: 1), ignoreRepeated: true)
        let subscription = promise.get().start(next: { log.add($0.id) })
        Slow.meanwhile = { promise.set(Slow(id: 2)) }
        // Compared with 1 first, then 2 comes in between: compared again, and it is a repetition.
        promise.set(Slow(id: 2))
        #expect(log.all == [1, 2])
        subscription.dispose()
    }

    // Covers: SW-64, B-22, C-134
    @Test func retention() {
        let tracker = LifetimeTracker()
        weak var weakPromise: ValuePromise<Tracked>?
        var subscription: Disposable?
        do {
            let promise = ValuePromise(tracker.make())
            weakPromise = promise
            subscription = promise.get().start(next: { _ in })
        }
        #expect(weakPromise != nil)
        withExtendedLifetime(subscription) {}
        subscription = nil
        #expect(weakPromise == nil)
        #expect(tracker.live == 0)
    }

    // Covers: B-3, C-134, C-184
    @Test func replacedValueGoesFirstAndMayComeBack() {
        let tracker = LifetimeTracker()
        let log = Recorded<Int>()
        #expect(
            finishes {
                let promise = ValuePromise<Tracked>()
                let reenter: @Sendable () -> Void = {
                    log.add(-1)
                    promise.set(tracker.make(3))
                }
                promise.set(tracker.make(1, onDeinit: reenter))
                let subscription = promise.get().start(next: { log.add($0.id) })
                promise.set(tracker.make(2))
                subscription.dispose()
                promise.set(tracker.make(4))
            })
        #expect(log.all == [1, -1, 2, 3])
        #expect(eventually { tracker.live == 0 })
    }

    // Covers: C-182, B-3, B-18
    @Test func stress() {
        let tracker = LifetimeTracker()
        for _ in 0..<30 {
            let promise = ValuePromise<Tracked>(ignoreRepeated: true)
            race(6) { index in
                for round in 0..<60 {
                    if index % 2 == 0 {
                        promise.set(tracker.make(round))
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
