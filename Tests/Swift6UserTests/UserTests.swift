import Foundation
import SignalKit
import Testing

/// A program in Swift 6 language mode that uses signals and tasks. The test includes that it compiles without a
/// warning.
@Suite struct UserTests {
    struct Oops: Error, Equatable {}

    @MainActor final class Model {
        var values: [Int] = []

        func follow(_ signal: Signal<Int, NoError>) async {
            for await value in signal.values(buffering: .unbounded) { values.append(value) }
        }

        func load(_ signal: Signal<Int, any Error>) async throws { values.append(try await signal.get()) }

        /// The closures are called on another thread. (Were they the main actor's, the program would stop there.)
        func doubled(_ signal: Signal<Int, NoError>) -> Signal<Int, NoError> {
            deferred { signal |> runOn(Queue.concurrentDefaultQueue()) |> map { $0 * 2 } |> filter { $0 > 2 } }
        }

        /// The same of the operators with other closures.
        func onAnyThread(_ signal: Signal<Int, Oops>) -> Signal<Int, Oops> {
            let here = signal |> runOn(Queue.concurrentDefaultQueue())
            let values =
                here |> skip(while: { $0 < 1 }) |> take(while: { $0 < 4 }) |> distinct(limit: nil, by: { $0 })
                |> distinct(limit: 9, by: { $0 })
            let tried =
                values |> tryMap { n throws(Oops) in n } |> tryFilter { _ throws(Oops) in true }
                |> tryCompactMap { n throws(Oops) -> Int? in n }
            let inner = tried |> mapToMerged(limit: 1, waiting: nil) { .single($0) } |> mapToFirst { .single($0) }
            let bounded =
                inner |> mapToMerged(limit: 1, waiting: 1, overflow: .dropNewest) { .single($0) }
                |> withLatestFrom(signal) { $0 + $1 - $1 } // which has its value before the other thread begins
            let perKey =
                bounded |> mapToSignal(per: { $0 }, limit: nil) { .single($0) }
                |> mapToSignal(per: { $0 }, limit: 9, overflow: .dropNewest) { .single($0) }
            return perKey |> grouped(by: { $0 }, limit: nil) { _, values in values }
                |> grouped(by: { $0 }, limit: 9, overflow: .dropNewest) { _, values in values }
        }

        /// The same for operators that fold.
        func folded(_ signal: Signal<Int, NoError>) -> Signal<Int, NoError> {
            let here = signal |> runOn(Queue.concurrentDefaultQueue()) |> distinctUntilChanged(isEqual: { $0 == $1 })
            let sums = here |> scan(0) { $0 + $1 } |> reduceLeft(value: 0, f: { $0 + $1 })
            return accumulatingLoop(
                once: { state in if case .initial = state { sums } else { nil } }, reduce: { $0 + $1 })
        }

        /// The callbacks are the main actor's.
        func show(_ signal: Signal<Int, Oops>, _ ended: @escaping @MainActor () -> Void) -> Disposable {
            (signal |> runOn(Queue.concurrentDefaultQueue())).startOnMainQueue(
                next: { [self] in values.append($0) },
                error: { [self] _ in
                    values.append(-1); ended()
                },
                completed: ended)
        }
    }

    final class NotSendable {
        var number = 1
    }

    // Covers: SW-15, B-11
    @Test func fromAnActor() async throws {
        let model = Model()
        let counted = Signal<Int, NoError> { subscriber in
            for value in 1...3 { subscriber.putNext(value) }
            subscriber.putCompletion()
            return EmptyDisposable
        }
        await model.follow(counted)
        try await model.load(.task { 4 })
        #expect(await model.values == [1, 2, 3, 4])
        #expect(await model.doubled(counted).get() == 4)
        #expect(try await model.onAnyThread(.single(3)).get() == 3)
        #expect(await model.folded(counted).get() == 10)
        let shown: Signal<Int, Oops> = .single(7) |> then(.fail(Oops()))
        await withCheckedContinuation { done in
            Task { @MainActor in _ = model.show(shown) { done.resume() } }
        }
        #expect(await model.values.suffix(2) == [7, -1])
        #expect(await counted.get() == 1)
        #expect(try await counted.getOptional() == 1)
    }

    // Covers: SW-15
    @Test func betweenTasksAndSignals() async throws {
        let promise = Promise<Int>()
        let subscription = promise.get().start(next: { _ in })
        defer { subscription.dispose() }
        Task.detached { promise.set(.task { 5 }) }
        #expect(await promise.get().get() == 5)
        let failing = Signal<Int, Oops>.task { () async throws(Oops) in throw Oops() }
        await #expect(throws: Oops()) { try await failing.get() }
        let stream = AsyncStream<Int> { continuation in
            continuation.yield(1)
            continuation.yield(2)
            continuation.finish()
        }
        var got: [Int] = []
        for await value in (Signal<Int, NoError>.from(stream) |> map { $0 * 10 }).values { got.append(value) }
        #expect(got == [10, 20])
        let object = await Signal<NotSendable, NoError>.single(NotSendable()).get()
        object.number += 1
        #expect(object.number == 2)
    }

    // Covers: SW-65, SW-117
    @Test func sharedBetweenThreads() async {
        let pipe = ValuePipe<Int>()
        let sum = SignalKit.Atomic(value: 0)
        let queue = Queue(name: "user")
        let subscription = (pipe.signal() |> deliverOn(queue)).start(next: { value in sum.modify { $0 + value } })
        await withTaskGroup(of: Void.self) { group in
            for value in 1...10 { group.addTask { pipe.putNext(value) } }
        }
        while sum.value != 55 { await Task.yield() }
        subscription.dispose()
    }

    /// The closure is called on the queue. (Were it the main actor's, the program would stop there.)
    @MainActor final class Window {
        func work(on queue: Queue) async {
            await withCheckedContinuation { done in queue.async { done.resume() } }
            await withCheckedContinuation { done in queue.after(0.001) { done.resume() } }
            let timer = Timer(timeout: 0.001, repeat: false, completion: {}, queue: queue)
            timer.start()
            await withCheckedContinuation { done in queue.justDispatch { done.resume() } }
        }
    }

    @Test func worksOnAQueueFromTheMainActor() async {
        await Window().work(on: Queue(name: "user"))
        await Window().work(on: .concurrent)
    }

    @Test func firstValues() async throws {
        #expect(try await Signal.single(1).firstValue() == 1)
        await #expect(throws: SignalEndedWithoutValue.self) { try await Signal<Int, Never>.complete().firstValue() }
        let task = Task { try await ValuePipe<Int>().signal().firstValue() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func tasksSleepByTheTimeOfAQueue() async throws {
        let time = VirtualTime()
        let clock = time.queue.clock, begin = clock.now
        let sleeper = Task {
            try await clock.sleep(for: .milliseconds(2_500))
            return begin.duration(to: clock.now)
        }
        while time.pendingCount == 0 { await Task.yield() }
        time.advance(by: 2.4)
        #expect(time.pendingCount == 1)
        time.advance(by: 0.1)
        #expect(try await sleeper.value == .milliseconds(2_500))
        let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
        while time.pendingCount == 0 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(time.pendingCount == 0)
    }
}
