import SignalKitTesting
import Testing
@testable import SignalKitCore

/// Operators that keep values: `toArray`, `pairwise`, `enumerated`, `distinct`.
@Suite struct KeepingTests {
    private let test = TestScheduler()

    @Test func inTime() throws {
        let pairs = test.cold("-a-b-c-|"), numbered = test.cold("-a-b-#"), single = test.cold("-a-|")
        test.expectSignal(pairs.signal |> pairwise |> map { $0 + $1 }).toBe("---A-B-|", values: ["A": "ab", "B": "bc"])
        test.expectSignal(single.signal |> pairwise |> map { $0 + $1 }).toBe("---|")
        test.expectSignal(numbered.signal |> enumerated |> map { "\($0.index)\($0.value)" }).toBe(
            "-A-B-#", values: ["A": "0a", "B": "1b"])
        test.expectSignal(pairs.signal |> toArray(limit: nil)).toBe("-------(A|)", values: ["A": ["a", "b", "c"]])
        test.expectSignal(test.cold("--|").signal |> toArray(limit: nil)).toBe("--(A|)", values: ["A": []])
        test.expectSignal(numbered.signal |> toArray(limit: nil)).toBe("-----#", values: ["A": []])
        test.expectSignal(test.cold("-a-b-a-c-b-|").signal |> distinct(limit: 10)).toBe("-a-b---c---|")
        try test.run()
    }

    @Test(arguments: [
        (0, "[4, 5, 6] C", 3), (1, "[1, 2, 3] C", 3), (2, "[4, 5, 6] C", 3), (3, "Efull", 1),
    ]) func anArrayThatIsFull(policy: Int, expected: String, dropped: Int) {
        let policies: [OverflowPolicy<String>] = [.dropOldest, .dropNewest, .keepLatest, .fail("full")]
        let counter = OverflowCounter()
        let all =
            sync("a", Log(), [1, 2, 3, 4, 5, 6], SyncEnd<String>.completed)
            |> toArray(limit: 3, overflow: policies[policy], counter: counter)
        #expect(all.trace() == (policy == 3 ? expected : "N" + expected))
        #expect(counter.dropped == dropped)
        #expect(
            (sync("a", Log(), [1, 2], SyncEnd<String>.failed("x")) |> toArray(limit: 3, overflow: policies[policy]))
                .trace() == "Ex")
    }

    /// By the key, the tens: a forgotten key may pass again.
    @Test(arguments: [
        (0, "N10 N20 N30 N11 N22 C", 3), (1, "N10 N20 N30 N33 C", 2), (2, "N10 N20 N30 N11 N22 C", 4),
        (3, "N10 N20 Efull", 1),
    ]) func moreKeysThanAreRemembered(policy: Int, expected: String, forgotten: Int) {
        let policies: [OverflowPolicy<String>] = [.dropOldest, .dropNewest, .keepLatest, .fail("full")]
        let counter = OverflowCounter()
        let source = sync(
            "a", Log(), [10, 15, 20, 30, 11, 22, 33, 23].filter { policy == 1 || $0 < 33 && $0 != 23 },
            SyncEnd<String>.completed)
        let some = source |> distinct(limit: 2, overflow: policies[policy], counter: counter, by: { $0 / 10 })
        #expect(some.trace() == expected)
        #expect(counter.dropped == forgotten)
    }

    @Test func withoutABoundNothingIsForgotten() {
        let source = sync("a", Log(), Array(0..<1000) + Array(0..<1000), SyncEnd<String>.completed)
        #expect(
            (source |> distinct(limit: nil, by: { $0 }) |> toArray(limit: nil) |> map { $0.count }).trace() == "N1000 C"
        )
    }

    /// A dropped value is released immediately, and a stored one with the subscription.
    @Test func noMoreIsHeld() {
        let tracker = LifetimeTracker(), source = ManualSource<LifetimeTracker.Tracked, String>()
        for operation in 0..<4 {
            let all = source.signal()
            let handle: any Disposable
            switch operation {
            case 0: handle = (all |> toArray(limit: 3, overflow: .dropOldest)).start()
            case 1: handle = (all |> toArray(limit: 3, overflow: .keepLatest)).start()
            case 2: handle = (all |> pairwise).start()
            default: handle = (all |> distinct(limit: 3, by: { ObjectIdentifier($0) })).start()
            }
            for _ in 0..<9 { source.next(tracker.make()) }
            #expect(tracker.live == [3, 3, 1, 0][operation])
            handle.dispose()
            #expect(tracker.live == 0)
        }
    }

    /// Four threads: each value has its own number, and each key passes once.
    @Test func countingAndKnowingAreNotRaced() {
        let source = ManualSource<Int, NoError>()
        var numbers = 0, passed = 0, inOrder = true
        _ = (source.signal() |> enumerated).start(next: {
            inOrder = inOrder && $0.index == numbers
            numbers += 1
        })
        race(4) { _ in for value in 0..<500 { source.next(value) } }
        #expect(numbers == 2_000 && inOrder)
        let other = ManualSource<Int, NoError>()
        _ = (other.signal() |> distinct(limit: 1_000)).start(next: { _ in passed += 1 })
        race(4) { _ in for value in 0..<500 { other.next(value) } }
        #expect(passed == 500)
    }
}
