import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import SignalKit
import SignalKitNIO
import Testing

@Suite struct EventLoopTests {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    @Test func deliversOnTheLoopInTheOrderOfEachThread() async throws {
        let tracker = LifetimeTracker(), loop = group.next(), seen = Collected<Int>(), strayed = Collected<Int>()
        do {
            let queue = Queue(eventLoop: loop), pipe = ValuePipe<Int>(), token = tracker.make()
            let run = (pipe.signal() |> deliverOn(queue)).start(next: {
                token.touch()
                if !loop.inEventLoop { strayed.add($0) }
                seen.add($0)
            })
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for n in 0..<100 { pipe.putNext(thread * 100 + n) }
            }
            #expect(await eventuallyAsync { seen.all.count == 400 })
            run.dispose()
        }
        #expect(strayed.all.isEmpty)
        for thread in 0..<4 {
            #expect(seen.all.filter { $0 / 100 == thread } == Array(thread * 100..<thread * 100 + 100))
        }
        try await group.shutdownGracefully()
        #expect(tracker.live == 0)
    }

    @Test func worksInlineOnTheLoopAlone() async throws {
        let queue = Queue(eventLoop: group.next())
        #expect(!queue.isCurrent())
        let order = try await group.next().submit {
            let inline = Collected<Int>()
            queue.async { inline.add(1) }
            queue.sync { inline.add(2) }
            queue.justDispatch { inline.add(4) }
            inline.add(3)
            return inline.all
        }.get()
        #expect(order == [1, 2, 3])
        try await group.shutdownGracefully()
    }

    @Test func waitsFromAnotherThread() async throws {
        let loop = group.next(), queue = Queue(eventLoop: loop)
        let isOnLoop = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var isOnLoop = false
                queue.sync { isOnLoop = loop.inEventLoop }
                continuation.resume(returning: isOnLoop)
            }
        }
        #expect(isOnLoop)
        try await group.shutdownGracefully()
    }

    @Test func timersGoByTheTimeOfTheLoop() {
        let loop = EmbeddedEventLoop(), tracker = LifetimeTracker(), ticks = Collected<Int>()
        do {
            let queue = Queue(eventLoop: loop), token = tracker.make()
            let run = Signal<Int, NoError>.interval(3600, queue: queue).start(next: {
                token.touch()
                ticks.add($0)
            })
            loop.advanceTime(by: .minutes(59))
            #expect(ticks.all == [])
            loop.advanceTime(by: .minutes(1))
            #expect(ticks.all == [0])
            loop.advanceTime(by: .hours(1))
            #expect(ticks.all == [0, 1])
            run.dispose()
            loop.advanceTime(by: .hours(5))
            #expect(ticks.all == [0, 1])
        }
        #expect(tracker.live == 0)
    }

    @Test func nothingIsDeliveredAfterDisposal() async throws {
        let loop = group.next(), tracker = LifetimeTracker(), seen = Collected<Int>(), mayGoOn = Collected<Void>()
        do {
            let pipe = ValuePipe<Int>(), token = tracker.make()
            let run = (pipe.signal() |> deliverOn(Queue(eventLoop: loop))).start(next: {
                token.touch()
                seen.add($0)
            })
            loop.execute { _ = eventually { !mayGoOn.all.isEmpty } }
            pipe.putNext(1)
            run.dispose()
            mayGoOn.add(())
        }
        try await loop.submit {}.get()
        #expect(seen.all == [])
        #expect(tracker.live == 0)
        try await group.shutdownGracefully()
    }

    @Test func aTimerThatOutlivesTheLoopIsLetGo() async throws {
        let tracker = LifetimeTracker(), queue = Queue(eventLoop: group.next())
        do {
            let token = tracker.make()
            queue.after(1_000_000) { token.touch() }
        }
        #expect(tracker.live == 1)
        try await group.shutdownGracefully()
        #expect(await eventuallyAsync { queue.droppedCount == 1 && tracker.live == 0 })
    }

    @Test func whatAnEndedLoopLetsGoIsCounted() async throws {
        let tracker = LifetimeTracker(), queue = Queue(eventLoop: group.next())
        try await group.shutdownGracefully()
        do {
            let token = tracker.make()
            queue.justDispatch { token.touch() }
            queue.after(1) { token.touch() }
        }
        #expect(await eventuallyAsync { queue.droppedCount == 2 && tracker.live == 0 })
    }
}

@Suite struct FutureTests {
    private let loop = EmbeddedEventLoop()

    @Test func aFutureIsASignal() {
        let tracker = LifetimeTracker(), seen = Collected<String>()
        let promise = loop.makePromise(of: Int.self)
        do {
            let token = tracker.make()
            _ = promise.futureResult.signal.start(
                next: {
                    token.touch()
                    seen.add("\($0)")
                }, completed: { seen.add("end") })
        }
        promise.succeed(7)
        loop.run()
        #expect(seen.all == ["7", "end"])
        #expect(tracker.live == 0)
    }

    @Test func aFutureThatFails() {
        let seen = Collected<Failure?>()
        _ = loop.makeFailedFuture(Failure()).signal.start(next: { (_: Int) in }, error: { seen.add($0 as? Failure) })
        loop.run()
        #expect(seen.all == [Failure()])
    }

    @Test func aFutureIsNotHeardAfterDisposal() {
        let tracker = LifetimeTracker(), seen = Collected<Int>(), promise = loop.makePromise(of: Int.self)
        do {
            let token = tracker.make()
            let run = promise.futureResult.signal.start(next: {
                token.touch()
                seen.add($0)
            })
            run.dispose()
        }
        #expect(tracker.live == 0)
        promise.succeed(7)
        loop.run()
        #expect(seen.all == [])
    }

    @Test func theFirstValueOfASignalIsAFuture() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let pair = Signal<Int, Failure> { subscriber in
            subscriber.putNext(1)
            subscriber.putNext(2)
            return EmptyDisposable
        }
        #expect(try await pair.firstFuture(on: group.next()).get() == 1)
        await #expect(throws: Failure.self) {
            try await Signal<Int, Failure>.fail(Failure()).firstFuture(on: group.next()).get()
        }
        #expect(try await Signal<Int, NoError>.complete().firstFuture(on: group.next()).get() == nil)
    }
}
