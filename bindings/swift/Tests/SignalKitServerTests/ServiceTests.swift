import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import SignalKit
import SignalKitServices
import Testing

@Suite struct ServiceTests {
    private func inGroup(_ services: [any Service], _ body: (ServiceGroup) async throws -> Void) async throws {
        let group = ServiceGroup(services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let running: Void = group.run()
        try await body(group)
        try await running
    }

    @Test func aGroupEndsRunsFromTheLastToTheFirst() async throws {
        let tracker = LifetimeTracker(), log = Collected<String>()
        do {
            let pipes = ["first", "second", "third"].map { ($0, ValuePipe<Int>()) }
            let services = pipes.map { name, pipe in
                let token = tracker.make()
                return SignalService(pipe.signal() |> afterDisposed { log.add(name + " is over") }) {
                    token.touch()
                    log.add("\(name) \($0)")
                }
            }
            try await inGroup(services) { group in
                // A pipe drops what nobody listens to yet.
                for (name, pipe) in pipes {
                    #expect(
                        await eventuallyAsync {
                            pipe.putNext(1)
                            return log.all.contains(name + " 1")
                        })
                }
                await group.triggerGracefulShutdown()
            }
        }
        #expect(log.all.filter { $0.hasSuffix("over") } == ["third is over", "second is over", "first is over"])
        #expect(await eventuallyAsync { tracker.live == 0 })
    }

    @Test func nothingIsHandledAfterTheServiceHasReturned() async throws {
        let handled = Collected<String>(), pipe = ValuePipe<Int>(), gate = AsyncStream<Void>.makeStream()
        let service = SignalService(pipe.signal()) { _ in
            handled.add("begins")
            for await _ in gate.stream { break }
            handled.add("ends")
        }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            #expect(
                await eventuallyAsync {
                    pipe.putNext(1)
                    return handled.all == ["begins"]
                })
            trigger.triggerGracefulShutdown()
            gate.continuation.finish()
            try await run
        }
        #expect(handled.all == ["begins", "ends"])
    }

    @Test func drainsWhatWaits() async throws {
        let handled = Collected<Int>()
        let pipe = ValuePipe<Int>(), gate = AsyncStream<Void>.makeStream()
        let service = SignalService(pipe.signal(), shutdown: .drain { pipe.complete() }) {
            handled.add($0)
            for await _ in gate.stream { break }
        }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            #expect(
                await eventuallyAsync {
                    pipe.putNext(1)
                    return !handled.all.isEmpty
                })
            for n in 2...5 { pipe.putNext(n) }
            trigger.triggerGracefulShutdown()
            gate.continuation.finish()
            try await run
        }
        #expect(handled.all.suffix(4) == [2, 3, 4, 5])
    }

    @Test func failsWithTheSignal() async {
        let service = SignalService(Signal<Int, Failure>.fail(Failure())) { _ in }
        await #expect(throws: Failure.self) { try await service.run() }
    }

    @Test func whatAHandlerThrowsDisposesTheRun() async {
        let log = Collected<String>()
        let service = SignalService(
            Signal<Int, NoError> { subscriber in
                subscriber.putNext(1)
                return ActionDisposable { log.add("disposed") }
            }
        ) { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await service.run() }
        #expect(log.all == ["disposed"])
    }

    @Test func cancellationDisposesTheRun() async {
        let log = Collected<String>()
        let service = SignalService(
            Signal<Int, NoError> { subscriber in
                log.add("started")
                return ActionDisposable { withExtendedLifetime(subscriber) { log.add("disposed") } }
            }
        ) { _ in }
        let task = Task { try await service.run() }
        #expect(await eventuallyAsync { log.all == ["started"] })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["started", "disposed"])
    }

    @Test func runsOfTheProgramEndFromTheLastToTheFirst() async throws {
        let log = Collected<String>(), pipe = ValuePipe<Int>(), queue = Queue()
        let service = RunsService {
            let first = ActionDisposable { log.add("first is over") }
            let second = (pipe.signal() |> deliverOn(queue)).startWaitable(next: { _ in
                log.add("second begins")
                _ = eventually { log.all.contains("shutdown") }
                log.add("second ends")
            })
            log.add("started")
            return [first, second]
        }
        try await inGroup([service]) { group in
            #expect(await eventuallyAsync { log.all == ["started"] })
            pipe.putNext(1)
            #expect(await eventuallyAsync { log.all.last == "second begins" })
            await group.triggerGracefulShutdown()
            log.add("shutdown")
        }
        #expect(log.all == ["started", "second begins", "shutdown", "second ends", "first is over"])
    }
}
