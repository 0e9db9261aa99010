import Synchronization
import Testing

@testable import SignalKit

/// Tasks and generators that obey pauses.
@Suite struct ReadinessTests {
    /// Counts the values that a sequence has produced.
    private struct Counted: AsyncSequence, Sendable {
        let count: Int
        let produced: Tally

        struct Iterator: AsyncIteratorProtocol {
            var left: Int
            let produced: Tally

            mutating func next() async -> Int? {
                if left == 0 { return nil }
                left -= 1
                produced.up()
                return produced.value - 1
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(left: count, produced: produced) }
    }

    /// Never more than the limit ahead, also through a stage that joins signals.
    @Test(arguments: [1, 4]) func aReadingTaskPausesItsSource(limit: Int) async {
        let produced = Tally()
        let numbers =
            Signal<Int, NoError>.range(0, count: 2_000)
            |> map { (number: Int) -> Int in
                produced.up()
                return number
            }
        let joined = combineLatest(Signal<Int, NoError>.single(0), numbers) |> map { $0.1 }
        var read = 0
        for await number in joined.values(buffering: .paused(limit)) {
            #expect(number == read)
            read += 1
            #expect(produced.value - read <= limit)
        }
        #expect(read == 2_000)
    }

    /// The default has a limit, which a pipe exceeds without a loss.
    @Test func valuesPauseAPipe() async {
        let pipe = ValuePipe<Int>()
        var iterator = pipe.signal().values.makeAsyncIterator()
        for number in 0..<1_023 { pipe.putNext(number) }
        #expect(!pipe.isPaused)
        for number in 1_023..<1_030 { pipe.putNext(number) }
        #expect(pipe.isPaused)
        for number in 0..<517 { #expect(await iterator.next() == number) }
        #expect(pipe.isPaused)
        #expect(await iterator.next() == 517)
        #expect(!pipe.isPaused)
        pipe.complete()
        for number in 518..<1_030 { #expect(await iterator.next() == number) }
        #expect(await iterator.next() == nil)
    }

    @Test func anAsynchronousSequenceObeys() async {
        let time = VirtualTime(), produced = Tally(), received = Tally(), ended = Tally()
        let counter = OverflowCounter()
        let bounded =
            Signal<Int, NoError>.from(Counted(count: 100, produced: produced))
            |> deliverOn(time.queue, limit: 4, overflow: .pause(), counter: counter)
        let run = bounded.start(next: { _ in received.up() }, completed: { ended.up() })
        #expect(await eventuallyAsync { produced.value == 4 })
        try? await Task.sleep(for: .milliseconds(5))
        #expect(produced.value == 4)
        #expect(
            await eventuallyAsync {
                time.run()
                return ended.value == 1
            })
        #expect(produced.value == 100 && received.value == 100 && counter.exceeded == 0)
        run.dispose()
    }

    /// It does not begin during a pause, and a disposal ends the wait.
    @Test func disposalWakesAWaitingSequence() async {
        let produced = Tally(), tracker = LifetimeTracker()
        let busy = ValuePromise(true)
        do {
            let sequence = Counted(count: 100, produced: produced)
            let signal =
                Signal<Int, NoError>.from(sequence)
                |> afterDisposed { [tracked = tracker.make()] in tracked.touch() }
                |> paused(by: busy.get())
            let run = signal.start()
            try? await Task.sleep(for: .milliseconds(5))
            #expect(produced.value == 0)
            run.dispose()
        }
        #expect(await eventuallyAsync { tracker.live == 0 })
        #expect(produced.value == 0)
    }

    @Test func aSubscriberTellsOfPauses() async {
        let source = Mutex<Subscriber<Int, NoError>?>(nil)
        let signal = Signal<Int, NoError> { subscriber in
            source.withLock { $0 = subscriber }
            return EmptyDisposable
        }
        let run = signal.start()
        let subscriber = source.withLock { $0! }
        #expect(!subscriber.isPaused)
        #expect(await subscriber.ready())
        let hold = run.hold()
        #expect(subscriber.isPaused)
        let resumed = Tally(), ready = Tally()
        subscriber.onResume(.concurrentDefaultQueue()) { resumed.up() }
        let waiting = Task {
            if await subscriber.ready() { ready.up() }
        }
        let cancelled = Task { await subscriber.ready() }
        cancelled.cancel()
        #expect(await cancelled.value == false)
        #expect(resumed.value == 0 && ready.value == 0)
        hold?.dispose()
        #expect(!subscriber.isPaused)
        await waiting.value
        #expect(ready.value == 1)
        #expect(await eventuallyAsync { resumed.value == 1 })
        // The end is a resumption, and tells so.
        let second = run.hold()
        let last = Task { await subscriber.ready() }
        try? await Task.sleep(for: .milliseconds(1))
        run.dispose()
        #expect(await last.value == false)
        #expect(!subscriber.isPaused)
        #expect(await subscriber.ready() == false)
        second?.dispose()
        source.withLock { $0 = nil }
    }

    /// A task that feeds a pipe: nothing is lost, and the limit is kept.
    @Test(arguments: [false, true]) func aTaskThatFeedsAPipe(waits: Bool) async {
        let queue = Queue(name: "slow"), counter = OverflowCounter(), received = Recorded<Int>()
        let pipe = Pipe<Int>()
        let run = (pipe.signal() |> deliverOn(queue, limit: 4, overflow: .pause(), counter: counter)).start(
            next: { received.add($0) })
        for number in 0..<2_000 {
            if waits { #expect(await pipe.ready()) }
            pipe.putNext(number)
        }
        #expect(await eventuallyAsync { received.count == 2_000 })
        #expect(received.all == Array(0..<2_000))
        if waits { #expect(counter.exceeded == 0) }
        run.dispose()
    }

    @Test func pipesAreReadyOrCancelled() async {
        let plain = ValuePipe<Int>(), fallible = FalliblePipe<Int, NoError>(), time = VirtualTime()
        #expect(await plain.ready())
        #expect(await fallible.ready())
        let runs = [plain.signal(), fallible.signal()].map {
            ($0 |> deliverOn(time.queue, limit: 1, overflow: .pause())).start()
        }
        plain.putNext(1)
        fallible.putNext(1)
        let waits = [Task { await plain.ready() }, Task { await fallible.ready() }]
        for wait in waits { wait.cancel() }
        for wait in waits { #expect(await wait.value == false) }
        time.run()
        #expect(await plain.ready())
        #expect(await fallible.ready())
        for run in runs { run.dispose() }
    }

    /// Three pauses at the same time, one of each kind.
    @Test func aValveCountsBesideOthers() {
        let time = VirtualTime(), received = Tally(), busy = ValuePromise(true)
        let bounded =
            Signal<Int, NoError>.range(0, count: 10) |> paused(by: busy.get())
            |> deliverOn(time.queue, limit: 2, overflow: .pause())
        let run = bounded.start(next: { _ in received.up() })
        time.run()
        #expect(received.value == 0)
        let hold = run.hold()
        busy.set(false)
        time.run()
        #expect(received.value == 0)
        hold?.dispose()
        #expect(
            eventually {
                time.run()
                return received.value == 10
            })
        run.dispose()
    }

    /// `delayEach` pauses its source, and keeps every value.
    @Test(arguments: [1, 4]) func aDelayPausesItsSource(limit: Int) {
        let time = VirtualTime(), received = Recorded<Int>(), produced = Tally(), counter = OverflowCounter()
        let numbers =
            Signal<Int, NoError>.range(0, count: 100)
            |> map { (number: Int) -> Int in
                produced.up()
                return number
            }
        let delayed = numbers |> delayEach(1, queue: time.queue, limit: limit, overflow: .pause(), counter: counter)
        let run = delayed.start(next: { received.add($0) })
        #expect(produced.value == limit)
        while received.count < 100 {
            time.advance(by: 0.5)
            #expect(produced.value - received.count <= limit)
        }
        #expect(received.all == Array(0..<100) && counter.exceeded == 0)
        run.dispose()
    }
}
