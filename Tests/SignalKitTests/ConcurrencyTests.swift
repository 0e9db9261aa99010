import SignalKitCore
import Testing

@Suite struct AwaitTests {
    struct Oops: Error {}

    // Covers: SW-15, C-63
    @Test func firstValueOfAnInfallibleSignal() async throws {
        #expect(await Signal<Int, NoError>.single(1).get() == 1)
        let several = Signal<Int, NoError> { subscriber in
            subscriber.putNext(1)
            #expect(!subscriber.isActive)
            subscriber.putNext(2)
            return EmptyDisposable
        }
        #expect(await several.get() == 1)
        let queue = Queue(name: "await")
        let later = Signal<Int, NoError> { subscriber in queue.after(0.005) { subscriber.putNext(3) } }
        #expect(await later.get() == 3)
        #expect(try await later.getOptional() == 3)
    }

    // Covers: B-11
    @Test func endWithoutValue() async throws {
        #expect(try await Signal<Int, NoError>.complete().getOptional() == nil)
        #expect(try await Signal<Int, any Error>.complete().getOptional() == nil)
        await #expect(throws: SignalEndedWithoutValue.self) { try await Signal<Int, Oops>.complete().get() }
        await #expect(throws: Oops.self) { try await Signal<Int, Oops>.fail(Oops()).get() }
        await #expect(throws: Oops.self) { try await Signal<Int, any Error>.fail(Oops()).getOptional() }
        // nil as a value is a value.
        #expect(try await Signal<Int?, NoError>.single(nil).getOptional() == .some(nil))
    }

    // Covers: B-11
    @Test func sourceThatGoesAway() async throws {
        #expect(try await Signal<Int, NoError>.never().getOptional() == nil)
        var pipe: ValuePipe<Int>? = ValuePipe()
        let signal = pipe!.signal()
        let started = Tally()
        let waiting = Task { try await (signal |> watched(started)).getOptional() }
        #expect(await eventuallyAsync { started.value == 1 })
        pipe = nil
        #expect(try await waiting.value == nil)
    }

    /// Counts when its source has been started.
    private func watched<T>(_ started: Tally) -> (Signal<T, NoError>) -> Signal<T, NoError> {
        { signal in
            Signal { subscriber in
                let subscription = signal.start(next: { subscriber.putNext($0) })
                started.up()
                return subscription
            }
        }
    }

    // Covers: B-11
    @Test func cancellationDisposesAndThrows() async throws {
        let tracker = LifetimeTracker()
        let probe = ManualSource<LifetimeTracker.Tracked, any Error>()
        let waiting = Task { try await probe.signal().get().id }
        #expect(await eventuallyAsync { probe.starts == 1 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // The generator that it was cancelled in may still be about to return.
        #expect(await eventuallyAsync { probe.disposals == 1 })
        probe.next(tracker.make())
        #expect(tracker.live == 0)
        // Cancelled before it begins: the signal need not start.
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await probe.signal().get().id
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(await eventuallyAsync { probe.starts == probe.disposals })
    }

    // Covers: B-11
    @Test func legacyGetIsNotHungByCancellation() async {
        let probe = ManualSource<Int, NoError>()
        let waiting = Task { await probe.signal().get() }
        #expect(await eventuallyAsync { probe.starts == 1 })
        waiting.cancel()
        probe.next(7)
        #expect(await waiting.value == 7)
        await #expect(processExitsWith: .failure) { _ = await Signal<Int, NoError>.complete().get() }
    }

    // Covers: B-11, C-182
    @Test func resumesOnceUnderConcurrentEmittersAndCancellation() async throws {
        let tracker = LifetimeTracker()
        for _ in 0..<100 {
            let pipe = ValuePipe<LifetimeTracker.Tracked>()
            let waiting = Task { try await pipe.signal().getOptional() != nil }
            let emitters = (0..<3).map { index in
                Task {
                    for _ in 0..<20 { pipe.putNext(tracker.make()) }
                    if index == 0 { waiting.cancel() }
                    if index == 1 { pipe.complete() }
                }
            }
            // A continuation that is resumed twice ends the program; one that is not resumed hangs the test.
            _ = try? await waiting.value
            for emitter in emitters { await emitter.value }
        }
        #expect(await eventuallyAsync { tracker.live == 0 })
    }
}

/// Emits `count` values inside the start.
/// Returns how many warnings a subscription causes.
private func warnings<T>(in reports: Tally, of signal: Signal<T, Never>) -> Int {
    let before = reports.value
    signal.start(next: { _ in }).dispose()
    return reports.value - before
}

private func counting(_ count: Int) -> Signal<Int, NoError> {
    Signal { subscriber in
        for value in 0..<count { subscriber.putNext(value) }
        subscriber.putCompletion()
        return EmptyDisposable
    }
}

@Suite struct AsyncValuesTests {
    struct Oops: Error, Equatable {}

    // Covers: SW-15
    @Test func policies() async {
        func collect(_ policy: SignalBufferingPolicy) async -> [Int] {
            var all: [Int] = []
            for await value in counting(5).values(buffering: policy) { all.append(value) }
            return all
        }
        #expect(await collect(.unbounded) == [0, 1, 2, 3, 4])
        #expect(await collect(.newest(2)) == [3, 4])
        #expect(await collect(.oldest(2)) == [0, 1])
        #expect(await collect(.paused(2)) == [0, 1, 2, 3, 4])
    }

    @Test func nothingIsLost() async {
        var all: [Int] = []
        for await value in counting(5000).values { all.append(value) }
        #expect(all == Array(0..<5000))
        all = []
        let queue = Queue(name: "values")
        for await value in (counting(5000) |> runOn(queue)).values { all.append(value) }
        #expect(all == Array(0..<5000))
        all = []
        for await value in counting(100).values(buffering: .newest(2)) { all.append(value) }
        #expect(all == [98, 99])
    }

    /// In a separate process, because the log belongs to the process.
    @Test func thatManyValuesWaitIsToldOnceAnIteration() async {
        await #expect(processExitsWith: .success) {
            let reports = Tally()
            SignalDiagnostics.warn = { if $0.contains("more than 65536 values are pending") { reports.up() } }
            let few = counting(65_536), many = counting(65_538), fallible = many |> castError((any Error).self)
            for await _ in few.values {}
            precondition(reports.value == 0)
            for await _ in many.values {}
            precondition(reports.value == 1)
            for try await _ in fallible.values {}
            precondition(reports.value == 2)
            for await _ in many.values(buffering: .newest(1)) {}
            precondition(reports.value == 2)
            // A value that was read does not wait.
            let pipe = ValuePipe<Int>()
            var read = 0
            for await value in (pipe.signal() |> startWith(0)).values {
                read += 1
                if value == 70_000 { break }
                pipe.putNext(value + 1)
            }
            precondition(read == 70_001 && reports.value == 2)
        }
    }

    /// A stage without a limit warns, too: once, and not if the program has set a limit.
    @Test func thatManyValuesArePendingInAStageIsToldOnce() async {
        await #expect(processExitsWith: .success) {
            let reports = Tally()
            SignalDiagnostics.warn = {
                if $0.hasPrefix("a stage without a limit: more than 65536 values are pending") { reports.up() }
            }
            let silence = Signal<Int, Never> { _ in EmptyDisposable }
            let clock = VirtualTime()
            let few = counting(65_536), many = counting(140_000)
            precondition(warnings(in: reports, of: zip([few, silence], limit: .max, overflow: .dropNewest)) == 0)
            precondition(warnings(in: reports, of: zip([many, silence], limit: .max, overflow: .dropNewest)) == 1)
            precondition(warnings(in: reports, of: zip([many, silence], limit: 100_000, overflow: .dropNewest)) == 0)
            precondition(warnings(in: reports, of: many |> deliverOn(clock.queue)) == 1)
            precondition(warnings(in: reports, of: many |> toArray(limit: .max, overflow: .dropNewest)) == 1)
            precondition(
                warnings(in: reports, of: many |> distinct(limit: .max, overflow: .dropNewest, by: { $0 })) == 1)
            precondition(
                warnings(in: reports, of: many |> delayEach(1, queue: clock.queue, limit: .max, overflow: .dropNewest))
                    == 1)
        }
    }

    // Covers: SW-15
    @Test func errorsAreThrownAndEachIterationStartsAnew() async throws {
        let probe = ManualSource<Int, Oops>()
        let values = probe.signal().values
        #expect(probe.starts == 0)
        for round in 1...2 {
            let task = Task { () -> [Int] in
                var all: [Int] = []
                do { for try await value in values { all.append(value) } } catch {
                    all.append(error as? Oops == Oops() ? -1 : -2)
                }
                return all
            }
            #expect(await eventuallyAsync { probe.starts == round })
            probe.next(round)
            probe.fail(Oops())
            #expect(await task.value == [round, -1])
        }
    }

    // Covers: SW-15
    @Test func leavingAndCancellingDispose() async {
        let probe = ManualSource<Int, NoError>()
        let left = Task {
            for await _ in probe.signal().values { break }
        }
        #expect(await eventuallyAsync { probe.starts == 1 })
        probe.next(1)
        await left.value
        #expect(await eventuallyAsync { probe.disposals == 1 })

        let cancelled = Task {
            for await _ in probe.signal().values {}
        }
        #expect(await eventuallyAsync { probe.starts == 2 })
        cancelled.cancel()
        await cancelled.value
        #expect(await eventuallyAsync { probe.disposals == 2 })
    }

    // Covers: SW-15
    @Test func sourceThatGoesAwayEndsTheIteration() async {
        let probe = ManualSource<Int, NoError>()
        let task = Task { () -> Int in
            var count = 0
            for await _ in probe.signal().values { count += 1 }
            return count
        }
        #expect(await eventuallyAsync { probe.starts == 1 })
        probe.next(1)
        probe.drop()
        #expect(await task.value == 1)
    }

    // Covers: SW-15, C-182
    @Test func nothingIsLeftBehind() async {
        let tracker = LifetimeTracker()
        for round in 0..<50 {
            let pipe = ValuePipe<LifetimeTracker.Tracked>()
            let task = Task {
                var count = 0
                for await _ in pipe.signal().values(buffering: .newest(3)) {
                    count += 1
                    if count == 2 { break }
                }
            }
            for _ in 0..<10 { pipe.putNext(tracker.make()) }
            if round % 2 == 0 { task.cancel() } else { pipe.complete() }
            await task.value
        }
        #expect(await eventuallyAsync { tracker.live == 0 })
    }
}

@Suite struct TaskSignalTests {
    struct Oops: Error, Equatable {}

    // Covers: SW-7
    @Test func resultAndError() async throws {
        let runs = Tally()
        let signal = Signal<Int, NoError>.task { runs.up() }
        #expect(runs.value == 0)
        #expect(await signal.get() == 1)
        #expect(await signal.get() == 2)
        let failing = Signal<Int, any Error>.task { throw Oops() }
        await #expect(throws: Oops.self) { try await failing.get() }
    }

    // Covers: SW-7
    @Test func theResultIsTheEnd() async {
        let log = Recorded<String>()
        let ended = Tally()
        let handles = [
            Signal<Int, NoError>.task { 1 }.start(next: { log.add("N\($0)") }, completed: { ended.up() }),
            Signal<Int, any Error>.task { 1 }.start(next: { log.add("N\($0)") }, completed: { ended.up() }),
        ]
        #expect(await eventuallyAsync { ended.value == 2 })
        #expect(log.all == ["N1", "N1"])
        for handle in handles { handle.dispose() }
    }

    // Covers: SW-7
    @Test func disposalCancelsTheTask() async {
        let tracker = LifetimeTracker()
        let log = Recorded<String>()
        let begun = Tally()
        do {
            let signal = Signal<Int, NoError>.task { [tracked = tracker.make()] in
                tracked.touch()
                begun.up()
                while !Task.isCancelled { await Task.yield() }
                log.add("cancelled")
                return 1
            }
            let subscription = signal.start(next: { _ in log.add("value") }, completed: { log.add("completed") })
            #expect(await eventuallyAsync { begun.value == 1 })
            subscription.dispose()
        }
        #expect(await eventuallyAsync { tracker.live == 0 })
        #expect(log.all == ["cancelled"])
    }

    // Covers: SW-7
    @Test func sequences() async throws {
        let log = Recorded<Int>()
        let ended = Tally()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let subscription = Signal<Int, NoError>.from(stream).start(next: { log.add($0) }, completed: { ended.up() })
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish()
        #expect(await eventuallyAsync { ended.value == 1 })
        #expect(log.all == [1, 2])
        subscription.dispose()

        let (throwing, failer) = AsyncThrowingStream<Int, any Error>.makeStream()
        failer.yield(3)
        failer.finish(throwing: Oops())
        let failed = Tally()
        let other = Signal<Int, any Error>.from(throwing).start(next: { log.add($0) }, error: { _ in failed.up() })
        #expect(await eventuallyAsync { failed.value == 1 })
        #expect(log.all == [1, 2, 3])
        other.dispose()

        // Disposal cancels the iteration, which notifies the stream.
        let stopped = Tally()
        let (endless, feed) = AsyncStream<Int>.makeStream()
        feed.onTermination = { _ in stopped.up() }
        let third = Signal<Int, NoError>.from(endless).start(next: { log.add($0) })
        feed.yield(4)
        #expect(await eventuallyAsync { log.count == 4 })
        third.dispose()
        #expect(await eventuallyAsync { stopped.value == 1 })
    }
}
