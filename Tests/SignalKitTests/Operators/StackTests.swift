import Foundation
import Synchronization
import Testing
@testable import SignalKitCore

/// A million synchronous rounds, each on a thread with a stack of 256 KiB: the originals overflow after some thousands.
@Suite struct StackTests {
    private let rounds = manyRounds

    /// Starts `make`'s signal on a small stack, and returns the number of values, and whether it completed.
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
        #expect(
            run {
                let time = VirtualTime(), count = RoundCounter()
                let flaky: Signal<Int, Int> = deferred { count.next() < rounds ? .fail(1) : .single(7) }
                let signal: Signal<Int, NoError> = flaky |> SignalKitCore.retry(0, maxDelay: 0, onQueue: time.queue)
                return Signal { subscriber in
                    let handle = signal.start(
                        next: { subscriber.putNext($0) }, completed: { subscriber.putCompletion() })
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
        // Each with a generator, because a plain value is not started as an inner signal.
        @Sendable func emitting(_ number: Int) -> Signal<Int, NoError> {
            Signal { subscriber in
                subscriber.putNext(number)
                subscriber.putCompletion()
                return EmptyDisposable
            }
        }
        for inner in [emitting, { @Sendable in .single($0) }] {
            #expect(run { numbers() |> mapToQueue(inner) } == (rounds, true))
            #expect(run { numbers() |> mapToThrottled(inner) } == (rounds, true))
            #expect(run { numbers() |> mapToSignal(inner) } == (rounds, true))
        }
    }

    /// All of them are pending while the first runs: the queued signals are started in a loop.
    /// Covers: B-51, SW-169, OC-78, C-147
    @Test func innersThatWaited() {
        let rounds = rounds
        #expect(
            run {
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
        // A successor whose first stage is a queue.
        @Sendable func queued(_ number: Int) -> Signal<Int, NoError> {
            number == rounds ? .complete() : Signal.single(number) |> mapToQueue { .single($0) }
                |> then(deferred { queued(number + 1) })
        }
        #expect(run { queued(0) } == (rounds, true))
    }

    /// Composed before the start, in either way: run and released.
    /// Covers: B-51, SW-175
    @Test func nestedSuccessors() {
        let rounds = rounds
        #expect(
            run { (1..<rounds).reduce(.single(0)) { row, number in row |> then(.single(number)) } } == (rounds, true))
        #expect(
            run { (1..<rounds).reduce(.single(0)) { row, number in .single(number) |> then(row) } } == (rounds, true))
        @Sendable func tree(_ height: Int) -> Signal<Int, NoError> {
            height == 0 ? .single(1) : tree(height - 1) |> then(tree(height - 1))
        }
        #expect(run { tree(10) } == (1024, true))
    }

    /// Each starts once the one before has ended, and before that is disposed; an error ends all.
    // Covers: SW-175
    @Test func nestedSuccessorsKeepTheOrder() {
        let log = Log()
        let row =
            (sync("a", log, [1], .completed) |> then(sync("b", log, [2], .completed)))
            |> then(sync("c", log, [3], .completed) |> then(sync("d", log, [4], .failed(5))))
            |> then(sync("e", log, [6], .completed))
        let handle = row.start(log)
        handle.dispose()
        #expect(log.text == "Sa N1 Da Sb N2 Db Sc N3 Dc Sd N4 E5 Dd")
    }

    // Covers: B-51
    @Test func signalsMadeOfSignalsThatAreMade() {
        let rounds = rounds
        @Sendable func made(_ number: Int) -> Signal<Int, NoError> {
            number == rounds ? .single(1) : deferred { made(number + 1) }
        }
        #expect(run { made(0) } == (1, true))
    }

    /// Nested containers and strict disposables: disposed and released.
    @Test func nestedDisposables() {
        let rounds = rounds
        onSmallStack {
            for wrap: (any Disposable) -> any Disposable in [
                { $0.strict() },
                { inner in
                    {
                        $0.set(inner); return $0
                    }(MetaDisposable())
                },
                { inner in
                    {
                        $0.add(inner); return $0
                    }(DisposableSet())
                },
            ] {
                nonisolated(unsafe) var count = 0
                var outer: any Disposable = ActionDisposable { count += 1 }
                for _ in 0..<rounds { outer = wrap(outer) }
                outer.dispose()
                #expect(count == 1)
            }
        }
    }

    /// A signal that switches to the latest value of its pipe, which is the signal itself, continues until it is
    /// disposed.
    /// Covers: B-51
    @Test func aSignalThatContainsItself() {
        let rounds = manyRounds / 50
        onSmallStack {
            let signals = Pipe<Signal<Int, NoError>>(replay: true), container = MetaDisposable(),
                gate = ManualSource<Int, NoError>()
            nonisolated(unsafe) var starts = 0
            let itself =
                signals.signal()
                |> beforeStarted {
                    starts += 1
                    if starts == rounds { container.dispose() }
                } |> switchToLatest
            signals.putNext(itself)
            // The container gets the subscription before the loop begins.
            container.set((gate.signal() |> then(itself)).start())
            gate.complete()
            #expect(starts == rounds)
            signals.putNext(.never())
        }
    }

    /// The longest chain of stages, and of links: run, disposed, released.
    @Test func theLongestChain() {
        #if DEBUG
        let stack = 8 << 20
        #else
        let stack = 2 << 20
        #endif
        onSmallStack(of: stack) {
            let stages: [(Signal<Int, NoError>) -> Signal<Int, NoError>] = [
                map { $0 }, take(2), multicast, restartIfError, { mergeSignals([$0]) }, mapToQueue { .single($0) },
                { $0 |> distinctUntilChanged },
            ]
            for stage in stages {
                let source = ManualSource<Int, NoError>()
                var chain = source.signal()
                while chain.depth < Depth.most { chain = stage(chain) }
                nonisolated(unsafe) var values = [Int]()
                let handle = chain.start(next: { values.append($0) })
                source.next(7)
                #expect(values == [7])
                source.complete()
                handle.dispose()
            }
            let emitter = EventEmitter<Int, NoError>()
            nonisolated(unsafe) var values = [Int]()
            var link: EventLink<Int, NoError> = emitter
            while link.depth < Depth.most { link = link.map { $0 + 1 } }
            link.on(next: { values.append($0) })
            emitter.next(0)
            #expect(values == [Depth.most])
        }
    }

    /// A signal that consists of several stages counts all of them.
    @Test func theDepthOfWhatIsMadeOfOthers() {
        struct Oops: Error {}
        let source = Signal<Int, Oops>.never()
        #expect(source.depth == 0)
        #expect((source |> map { $0 } |> map { $0 }).depth == 2)
        #expect((source |> tryMap { value throws(Oops) in value }).depth == 2)
        #expect((source |> trace("name")).depth == (source |> named("name")).depth + 5)
        #expect(withState(source, { 0 }).depth == 4)
        #if DEBUG
        #expect((source |> debug_measureTimeToFirstEvent(label: "label")).depth == 1)
        #endif
    }

    @Test func aLongerChainStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var chain = Signal<Int, NoError>.never()
            for _ in 0...Depth.most { chain = chain |> map { $0 } }
        }
        await #expect(processExitsWith: .failure) {
            var link = EventEmitter<Int, NoError>().observer()
            for _ in 0...Depth.most { link = link.observer() }
        }
    }

    /// The same while each stage ends later, from a callback: the chain of hubs must not grow.
    // Covers: B-51, B-69, SW-175
    @Test func thenInAnAsynchronousRecursion() {
        let tracker = LifetimeTracker()
        let steps = ManualSource<Int, NoError>()
        @Sendable func next() -> Signal<Int, NoError> {
            let probe = tracker.make()
            return steps.signal()
                |> then(
                    deferred {
                        probe.touch(); return next()
                    })
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
        #expect(
            run {
                let count = RoundCounter()
                return feedbackLoop(
                    once: { (_: SignalFeedbackLoopState<Int>) -> Signal<Int, NoError>? in
                        count.next() <= rounds ? .single(1) : nil
                    },
                    reduce: { a, _ in a })
            } == (0, true))
        #expect(
            run {
                let count = RoundCounter()
                return accumulatingLoop(once: { _ in count.next() <= rounds ? .single(1) : nil }, reduce: { $0 + $1 })
            } == (rounds, true))
    }

    // Covers: B-51, OC-86
    @Test func aQueueOfSignals() {
        let rounds = rounds
        #expect(
            run {
                Signal { subscriber in
                    let line = SignalQueue()
                    let gate = ManualSource<Int, NoError>()
                    let first = line.enqueue(gate.signal()).start()
                    for number in 0..<rounds {
                        _ = line.enqueue(Signal<Int, NoError>.single(number)).start(next: { subscriber.putNext($0) })
                    }
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
            let endless =
                Signal<Int, NoError>.single(1) |> restart |> beforeNext { _ in state.count.add(1, ordering: .relaxed) }
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
