import AsyncAlgorithms
import SignalKit
import SignalKitChannels
import Testing

@Suite struct ChannelTests {
    @Test func sendsAllAndFinishes() async {
        let channel = AsyncChannel<Int>()
        async let sent: Void = numbers(1...100).send(to: channel, limit: 4, overflow: .suspend)
        var seen: [Int] = []
        for await n in channel { seen.append(n) }
        await sent
        #expect(seen == Array(1...100))
    }

    @Test func anErrorIsTheChannels() async {
        let channel = AsyncThrowingChannel<Int, any Error>()
        let signal = Signal<Int, Failure> { subscriber in
            subscriber.putNext(1)
            subscriber.putError(Failure())
            return EmptyDisposable
        }
        async let sent: Void = signal.send(to: channel, limit: 4, overflow: .dropOldest)
        var seen: [Int] = []
        await #expect(throws: Failure.self) { for try await n in channel { seen.append(n) } }
        await sent
        #expect(seen == [1])
    }

    @Test func whatFindsNoRoomIsCounted() async {
        let channel = AsyncChannel<Int>(), drops = OverflowCounter()
        // All of them are there before anyone takes one.
        async let sent: Void = numbers(1...10).send(to: channel, limit: 3, overflow: .dropOldest, counter: drops)
        var seen: [Int] = []
        for await n in channel { seen.append(n) }
        await sent
        #expect(seen == [8, 9, 10])
        #expect(drops.dropped == 7)
    }

    @Test func cancellationDisposesAndFinishes() async {
        let tracker = LifetimeTracker(), log = Collected<String>(), channel = AsyncChannel<Int>()
        do {
            let token = tracker.make()
            let signal = Signal<Int, NoError> { subscriber in
                subscriber.keepAlive(token)
                log.add("started")
                return ActionDisposable { withExtendedLifetime(subscriber) { log.add("disposed") } }
            }
            let task = Task { await signal.send(to: channel, limit: 1, overflow: .suspend) }
            #expect(await eventuallyAsync { log.all == ["started"] })
            task.cancel()
            for await _ in channel {}
            await task.value
        }
        #expect(log.all == ["started", "disposed"])
        #expect(await eventuallyAsync { tracker.live == 0 })
    }

    @Test func aChannelIsASignal() async {
        let channel = AsyncChannel<Int>(), seen = Collected<String>()
        let run = channel.signal.start(next: { seen.add("\($0)") }, completed: { seen.add("end") })
        for n in 1...3 { await channel.send(n) }
        channel.finish()
        #expect(await eventuallyAsync { seen.all == ["1", "2", "3", "end"] })
        run.dispose()
    }

    @Test func aThrowingChannelIsASignal() async {
        let channel = AsyncThrowingChannel<Int, any Error>(), seen = Collected<String>()
        let run = channel.signal.start(
            next: { seen.add("\($0)") }, error: { seen.add("\($0)") })
        await channel.send(1)
        channel.fail(Failure())
        #expect(await eventuallyAsync { seen.all == ["1", "Failure()"] })
        run.dispose()
    }

    @Test func anAlgorithmIsASignal() async {
        let pairs = chain([1, 2].async, [3].async).signal.values
        var seen: [Int] = []
        for await n in pairs { seen.append(n) }
        #expect(seen == [1, 2, 3])
    }

    private func numbers(_ range: ClosedRange<Int>) -> Signal<Int, NoError> {
        Signal { subscriber in
            for n in range where subscriber.isActive { subscriber.putNext(n) }
            subscriber.putCompletion()
            return EmptyDisposable
        }
    }
}
