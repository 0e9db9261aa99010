import Foundation
import Synchronization
import Testing
@testable import SignalKitCore

/// The rules for all operators: each test runs over the whole table, so that a new operator needs one row.
@Suite struct ContractSuite {
    // MARK: Results

    // Covers: B-2, C-176
    @Test(arguments: OperatorRow.all) func passesACompletingSource(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        for id in 1...3 { bench.put(id) }
        bench.complete()
        #expect(bench.seen.text == row.completing)
        if bench.seen.hasEnded { expectSilence(bench) }
        finish(bench)
    }

    @Test(arguments: OperatorRow.all) func passesAFailingSource(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        for id in 1...3 { bench.put(id) }
        bench.fail(9)
        #expect(bench.seen.text == row.failing)
        if bench.seen.hasEnded { expectSilence(bench) }
        finish(bench)
    }

    // Covers: C-14, C-15
    @Test(arguments: OperatorRow.all) func passesASourceThatDoesItAllAtOnce(_ row: OperatorRow) {
        for fails in [false, true] {
            let bench = Bench()
            bench.start(
                row,
                inside: { [surroundings = bench.surroundings] subscriber in
                    for id in 1...3 { subscriber.putNext(surroundings.item(id)) }
                    if fails { subscriber.putError(surroundings.error(9)) } else { subscriber.putCompletion() }
                    subscriber.putNext(surroundings.item(4))
                    subscriber.putCompletion()
                })
            #expect(bench.seen.text == (fails ? row.failingAtOnce : row.completingAtOnce))
            finish(bench)
        }
    }

    /// The terminal event arrives once, independent of the source afterwards. The source is disposed by then, exactly
    /// once.
    private func expectSilence(_ bench: Bench) {
        #expect(bench.source.disposalsOfRuns.allSatisfy { $0 == 1 })
        let before = bench.seen.text
        bench.put(5)
        bench.complete()
        bench.fail(6)
        #expect(bench.seen.text == before)
        // The end releases everything, although nothing was disposed.
        #expect(bench.faultsAtTheEnd() == [])
    }

    // MARK: Disposal

    @Test(arguments: OperatorRow.all) func disposedBeforeAnything(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.dispose()
        bench.put(1)
        bench.complete()
        finish(bench)
    }

    // Covers: C-13
    @Test(arguments: OperatorRow.all) func disposedBetweenValues(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.put(1)
        bench.put(2)
        bench.dispose()
        bench.dispose()
        bench.put(3)
        bench.fail(9)
        finish(bench)
    }

    /// From inside the callback: nothing follows, not even what the operator has at hand.
    @Test(arguments: OperatorRow.all) func disposedInsideACallback(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.onNext = { [unowned bench] _ in
            bench.handle?.dispose()
            bench.seen.isDisposed = true
        }
        for id in 1...3 { bench.put(id) }
        bench.complete()
        finish(bench)
    }

    @Test(arguments: OperatorRow.all) func disposedAfterTheEnd(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.put(1)
        bench.complete()
        bench.dispose()
        bench.put(2)
        finish(bench)
    }

    /// A source that emits from inside its own disposal is not heard.
    // Covers: B-1
    @Test(arguments: OperatorRow.all) func whatTheSourceEmitsInItsDisposalIsDropped(_ row: OperatorRow) {
        let seen = Seen(), surroundings = Surroundings()
        let signal = Signal<Item, TestError> { subscriber in
            ActionDisposable {
                subscriber.putNext(surroundings.item(7))
                subscriber.putCompletion()
            }
        }
        let handle = row.apply(signal, surroundings).start(
            next: { _ = seen.add($0) }, error: { seen.end($0) }, completed: { seen.end("C") })
        surroundings.time.advance(by: 1000)
        let before = seen.text
        handle.dispose()
        seen.isDisposed = true
        surroundings.time.advance(by: 1000)
        #expect(seen.text == before)
        #expect(seen.faults == [])
    }

    // MARK: Synchronous sources

    /// `take(1)` behind the operator stops a source that would emit a million values inside its generator.
    // Covers: B-52
    @Test(arguments: OperatorRow.all) func takeBehindStopsASynchronousSource(_ row: OperatorRow) {
        let bench = Bench()
        let emitted = Synchronization.Atomic<Int>(0)
        bench.start(
            row, behind: take(1),
            inside: { [surroundings = bench.surroundings] subscriber in
                var id = 1
                while subscriber.isActive && id < 2_000 {
                    subscriber.putNext(surroundings.item(id))
                    id += 1
                }
                emitted.add(id, ordering: .relaxed)
            })
        if row.isDirect {
            #expect(emitted.load(ordering: .relaxed) < 10)
            #expect(bench.seen.valueCount == 1)
            #expect(bench.seen.hasEnded)
            #expect(bench.faultsAtTheEnd() == [])
        }
        finish(bench)
    }

    // MARK: Re-entrancy

    @Test(arguments: OperatorRow.all) func aValueFromInsideACallbackKeepsTheGrammar(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.onNext = { [unowned bench] place in
            if place < 3 { bench.source.next(bench.item(place + 10)) }
        }
        bench.put(1)
        bench.put(2)
        // Two values, and one from inside each of the first three callbacks. Some rows add their own value to the first
        // three.
        if let count = row.count { #expect(bench.seen.valueCount == (count(0) > 0 ? 5 : count(5))) }
        if row.isSerial { #expect(!bench.seen.overlapped) }
        bench.complete()
        finish(bench)
    }

    @Test(arguments: OperatorRow.all) func theEndFromInsideACallbackKeepsTheGrammar(_ row: OperatorRow) {
        let bench = Bench()
        bench.start(row)
        bench.onNext = { [unowned bench] place in
            if place == 0 {
                bench.source.complete()
                bench.source.next(bench.item(10))
            }
        }
        bench.put(1)
        bench.put(2)
        #expect(bench.seen.valuesAfterTheEnd == 0)
        bench.complete()
        finish(bench)
    }

    // MARK: Threads

    @Test(arguments: OperatorRow.all) func twoThreadsEmitAtOnce(_ row: OperatorRow) {
        let bench = Bench(), perThread = 300
        bench.start(row)
        race(3) { thread in
            if thread == 2 {
                for _ in 0..<50 { bench.surroundings.time.advance(by: 1) }
            } else {
                for id in 0..<perThread { bench.source.next(bench.item(thread * perThread + id + 1)) }
            }
        }
        bench.settle()
        if let count = row.count { #expect(bench.seen.valueCount == count(2 * perThread)) }
        if row.isSerial {
            #expect(!bench.seen.overlapped)
            #expect(bench.seen.valuesAfterTheEnd == 0)
        }
        bench.complete()
        bench.settle()
        finish(bench)
    }

    @Test(arguments: OperatorRow.all) func valuesRaceWithTheEnd(_ row: OperatorRow) {
        for round in 0..<20 {
            let bench = Bench()
            bench.start(row)
            race(3) { thread in
                switch thread {
                case 0: for id in 0..<20 { bench.source.next(bench.item(id)) }
                case 1: bench.source.complete()
                default:
                    if round % 2 == 0 {
                        bench.source.fail(bench.surroundings.error(9))
                    } else {
                        bench.surroundings.time.advance(by: 1)
                    }
                }
            }
            bench.settle()
            if row.isSerial {
                #expect(bench.seen.valuesAfterTheEnd == 0)
                #expect(!bench.seen.overlapped)
            }
            finish(bench)
        }
    }

    @Test(arguments: OperatorRow.all) func disposedByAnotherThreadWhileEmitting(_ row: OperatorRow) {
        for _ in 0..<20 {
            let bench = Bench()
            bench.start(row)
            race(3) { thread in
                switch thread {
                case 0: for id in 0..<30 { bench.source.next(bench.item(id)) }
                case 1: bench.handle?.dispose()
                default: bench.surroundings.time.advance(by: 1)
                }
            }
            // Every event in flight has been delivered.
            bench.seen.isDisposed = true
            bench.put(1)
            bench.complete()
            finish(bench)
        }
    }

    // MARK: Sources that vanish

    /// The source releases its subscriber without a terminal event, and no disposal happens: the operator must keep
    /// nothing alive.
    /// Covers: B-70
    @Test(arguments: OperatorRow.all) func aSourceThatVanishesLeavesNothingAlive(_ row: OperatorRow) {
        let tracker: LifetimeTracker
        do {
            let bench = Bench()
            tracker = bench.surroundings.tracker
            bench.start(row)
            bench.put(1)
            bench.source.drop()
            // An operator that waits for a time retains its subscription until then. The clock belongs to the bench.
            bench.surroundings.time.advance(by: 6_000_000)
        }
        #expect(eventually { tracker.live == 0 })
    }

    // MARK: Every end

    private func finish(_ bench: Bench) {
        bench.dispose()
        #expect(bench.faultsAtTheEnd() == [])
    }
}
