import MetricsTestKit
import SignalKit
import SignalKitMetrics
import Testing

@Suite struct MetricsTests {
    private let metrics = TestMetrics()

    private func live() throws -> Double? { try metrics.expectMeter("numbers.live").lastValue }
    private func counted(_ what: String) throws -> Int64 { try metrics.expectCounter("numbers." + what).totalValue }

    @Test func countsRunsThatLive() throws {
        let pipe = ValuePipe<Int>()
        let signal = pipe.signal() |> metered("numbers", factory: metrics)
        let first = signal.start(), second = signal.start()
        #expect(try live() == 2)
        pipe.putNext(1)
        first.dispose()
        #expect(try live() == 1)
        pipe.putNext(2)
        pipe.complete()
        #expect(try live() == 0)
        #expect(try counted("started") == 2)
        #expect(try counted("values") == 3)
        #expect(try counted("errors") == 0)
        second.dispose()
        #expect(try live() == 0)
    }

    @Test func aRunWhoseSourceHasGoneLivesNoLonger() throws {
        let source = SignalKit.Atomic<Subscriber<Int, NoError>?>(value: nil)
        let signal =
            Signal<Int, NoError> { subscriber in
                _ = source.swap(subscriber)
                return EmptyDisposable
            } |> metered("numbers", factory: metrics)
        let run = signal.start()
        #expect(try live() == 1)
        _ = source.swap(nil)
        #expect(try live() == 0)
        run.dispose()
    }

    @Test func countsErrors() throws {
        let signal = Signal<Int, Failure>.fail(Failure()) |> metered("numbers", factory: metrics)
        _ = signal.start(error: ignoreError)
        #expect(try counted("errors") == 1)
        #expect(try live() == 0)
    }

    @Test func reportsDropsAsTheyGrow() throws {
        let time = VirtualTime(), clock = VirtualTime(), overflow = OverflowCounter(), pipe = ValuePipe<Int>()
        let run = (pipe.signal() |> deliverOn(time.queue, limit: 1, overflow: .dropOldest, counter: overflow)).start()
        let reports = overflow.report("numbers", every: 10, on: clock.queue, factory: metrics)
        for n in 1...4 { pipe.putNext(n) }
        #expect(try counted("dropped") == 0)
        clock.advance(by: 10)
        #expect(try counted("dropped") == 3)
        clock.advance(by: 100)
        #expect(try counted("dropped") == 3)
        for n in 1...3 { pipe.putNext(n) }
        reports.dispose()
        #expect(try counted("dropped") == 6)
        #expect(try counted("suspended") == 0)
        run.dispose()
        #expect(clock.pendingCount == 0)
    }

    @Test func reportsWhatAQueueLetsGo() throws {
        let loop = EndedLoop(), queue = Queue(loop: loop), time = VirtualTime()
        let reports = queue.reportDrops("numbers", every: 10, on: time.queue, factory: metrics)
        queue.justDispatch {}
        time.advance(by: 10)
        #expect(try counted("dropped") == 1)
        reports.dispose()
    }
}

/// Drops all work.
private final class EndedLoop: EventLoop {
    func async(_ work: @escaping () -> Void) {}
}
