import Foundation
import Synchronization
import Testing
@testable import SignalKit

/// A million synchronous rounds, each on a thread with a stack of 256 KiB: the originals overflow after some thousands.
@Suite struct StackTests {
    private let rounds = manyRounds

    /// Starts `make`'s signal on a small stack and says how many values came, and whether the end did.
    private func run(_ make: @escaping @Sendable () -> Signal<Int, NoError>) -> (values: Int, ended: Bool) {
        final class Result: @unchecked Sendable {
            var values = 0
            var ended = false
        }
        let result = Result()
        onSmallStack {
            let handle = make().start(next: { _ in result.values += 1 }, completed: { result.ended = true })
            handle.dispose()
        }
        return (result.values, result.ended)
    }

    // Covers: B-51, B-52, SW-204, SW-205
    @Test func restartAndRecurse() {
        let rounds = rounds
        #expect(run { Signal.single(1) |> restart |> take(rounds) } == (rounds, true))
        #expect(run { Signal.single(1) |> recurse(nil) |> take(rounds) } == (rounds, true))
    }

    // Covers: B-51, SW-208, SW-209, OC-92
    @Test func restartsAfterErrors() {
        let rounds = rounds
        @Sendable func flaky() -> Signal<Int, Int> {
            let count = RoundCounter()
            return deferred { count.next() < rounds ? .fail(1) : .single(7) }
        }
        #expect(run { flaky() |> restartIfError } == (1, true))
        #expect(run { flaky() |> restartOrMapError { _ in .restart } } == (1, true))
        #expect(run { flaky() |> retryIf { _ in true } |> `catch` { _ in .complete() } } == (1, true))
    }

    // Covers: B-51, SW-206, SW-207
    @Test func retry() {
        let rounds = manyRounds / 10
        #expect(run {
            let time = VirtualTime(), count = RoundCounter()
            let flaky: Signal<Int, Int> = deferred { count.next() < rounds ? .fail(1) : .single(7) }
            let signal: Signal<Int, NoError> = flaky |> SignalKit.retry(0, maxDelay: 0, onQueue: time.queue)
            return Signal { subscriber in
                let handle = signal.start(next: { subscriber.putNext($0) }, completed: { subscriber.putCompletion() })
                time.advance(by: 1)
                return handle
            }
        } == (1, true))
    }

    // Covers: B-51, SW-173, SW-169, SW-174
    @Test func innersOneAfterAnother() {
        let rounds = rounds
        @Sendable func numbers() -> Signal<Int, NoError> {
            Signal { subscriber in
                for number in 0..<rounds { subscriber.putNext(number) }
                subscriber.putCompletion()
                return EmptyDisposable
            }
        }
        #expect(run { numbers() |> mapToQueue { .single($0) } } == (rounds, true))
        #expect(run { numbers() |> mapToThrottled { .single($0) } } == (rounds, true))
        #expect(run { numbers() |> mapToSignal { .single($0) } } == (rounds, true))
    }

    /// All of them wait while the first runs: what is queued is drained in a loop.
    // Covers: B-51, SW-169, OC-78, C-147
    @Test func innersThatWaited() {
        let rounds = rounds
        #expect(run {
            Signal { subscriber in
                let outer = ValuePipe<Signal<Int, NoError>>()
                let gate = ManualSource<Int, NoError>()
                let handle = (outer.signal() |> queue).start(next: { subscriber.putNext($0) })
                outer.putNext(gate.signal())
                for number in 0..<rounds { outer.putNext(.single(number)) }
                gate.complete()
                subscriber.putCompletion()
                return handle
            }
        } == (rounds, true))
    }

    /// Each number is followed by the next through a successor that makes the next one: neither the stack nor the chain grows.
    // Covers: B-51, SW-175
    @Test func thenInARecursion() {
        let rounds = rounds
        @Sendable func count(_ number: Int) -> Signal<Int, NoError> {
            number == rounds ? .complete() : Signal.single(number) |> then(deferred { count(number + 1) })
        }
        #expect(run { count(0) } == (rounds, true))
        // A successor whose first stage is a queue of its own.
        @Sendable func queued(_ number: Int) -> Signal<Int, NoError> {
            number == rounds ? .complete() : Signal.single(number) |> mapToQueue { .single($0) } |> then(deferred { queued(number + 1) })
        }
        #expect(run { queued(0) } == (rounds, true))
    }

    /// The same while each stage ends later, from a callback: the chain of hubs must not grow.
    // Covers: B-51, B-69, SW-175
    @Test func thenInAnAsynchronousRecursion() {
        let tracker = LifetimeTracker()
        let steps = ManualSource<Int, NoError>()
        @Sendable func next() -> Signal<Int, NoError> {
            let probe = tracker.make()
            return steps.signal() |> then(deferred { probe.touch(); return next() })
        }
        var count = 0
        let handle = next().start(next: { _ in count += 1 })
        for _ in 0..<1_000 {
            steps.next(1)
            steps.complete()
            #expect(tracker.live <= 3)
        }
        #expect(count == 1_000)
        handle.dispose()
        #expect(tracker.live == 0)
    }

    // Covers: B-51, SW-203
    @Test func catchInARecursion() {
        let rounds = rounds
        @Sendable func failing(_ number: Int) -> Signal<Int, Int> {
            number == rounds ? .single(1) : .fail(number) |> `catch` { failing($0 + 1) }
        }
        #expect(run { failing(0) |> `catch` { _ in .complete() } } == (1, true))
    }

    // Covers: B-51, B-66, SW-234
    @Test func loops() {
        let rounds = rounds
        #expect(run {
            let count = RoundCounter()
            return feedbackLoop(once: { (_: SignalFeedbackLoopState<Int>) -> Signal<Int, NoError>? in count.next() <= rounds ? .single(1) : nil },
                                reduce: { a, _ in a })
        } == (0, true))
        #expect(run {
            let count = RoundCounter()
            return accumulatingLoop(once: { _ in count.next() <= rounds ? .single(1) : nil }, reduce: { $0 + $1 })
        } == (rounds, true))
    }

    // Covers: B-51, OC-86
    @Test func aQueueOfSignals() {
        let rounds = rounds
        #expect(run {
            Signal { subscriber in
                let line = SignalQueue()
                let gate = ManualSource<Int, NoError>()
                let first = line.enqueue(gate.signal()).start()
                for number in 0..<rounds { _ = line.enqueue(Signal<Int, NoError>.single(number)).start(next: { subscriber.putNext($0) }) }
                gate.complete()
                subscriber.putCompletion()
                return first
            }
        } == (rounds, true))
    }

    /// An endless loop stops when another thread disposes it.
    // Covers: B-51, B-52, SW-204
    @Test func anEndlessRestartStopsWhenItIsDisposed() {
        final class State: @unchecked Sendable {
            let count = Synchronization.Atomic<Int>(0)
            let returned = Synchronization.Atomic<Bool>(false)
        }
        let state = State(), container = MetaDisposable()
        Foundation.Thread.detachNewThread {
            let endless = Signal<Int, NoError>.single(1) |> restart |> beforeNext { _ in state.count.add(1, ordering: .relaxed) }
            // The container gets the subscription before the loop begins, because the loop begins inside a later one's start.
            let gate = ManualSource<Int, NoError>()
            container.set((gate.signal() |> then(endless)).start())
            gate.complete()
            state.returned.store(true, ordering: .releasing)
        }
        #expect(eventually { state.count.load(ordering: .relaxed) > 100 })
        container.dispose()
        #expect(eventually { state.returned.load(ordering: .acquiring) })
    }
}

private final class RoundCounter: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
