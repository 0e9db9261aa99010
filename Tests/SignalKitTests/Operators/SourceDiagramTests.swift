import SignalKitTesting
import Testing
@testable import SignalKitCore

/// Sources of items, of time, of a resource.
@Suite struct SourceDiagramTests {
    private let test = TestScheduler()
    private let log = Log()
    private var queue: Queue { test.queue }

    // MARK: Items

    @Test func itemsComeInsideTheStart() throws {
        test.expectSignal(Signal<String, String>.sequence(["a", "b", "c"])).toBe("(abc|)")
        test.expectSignal(Signal<String, String>.sequence([])).toBe("|")
        test.expectSignal(Signal<Int, String>.range(3, count: 3) |> map { "\($0)" }, subscription: "--^").toBe(
            "--(345|)")
        test.expectSignal(Signal<Int, String>.range(Int.max, count: 0) |> map { "\($0)" }).toBe("|")
        try test.run()
    }

    /// Not even the next element is asked for.
    @Test func nobodyIsAskedForWhatNobodyWants() {
        var asked = 0
        let endless = sequence(state: 0) { (state: inout Int) -> Int? in
            asked += 1
            state += 1
            return state
        }
        let signal = Signal<Int, String>.sequence(endless)
        (signal |> take(3)).start(log).dispose()
        #expect(log.text == "N1 N2 N3 C" && asked == 3)
    }

    // MARK: Time

    private func digits(_ signal: Signal<Int, String>) -> Signal<String, String> { signal |> map { "\($0)" } }

    @Test func ticksAtFixedTimes() throws {
        test.expectSignal(digits(.interval(2, queue: queue)), subscription: "^--------!").toBe("--0-1-2-3")
        test.expectSignal(digits(.interval(3, queue: queue)), subscription: "--^-------!").toBe("-----0--1")
        test.expectSignal(digits(.interval(1, queue: queue)) |> take(2)).toBe("-0(1|)")
        test.expectSignal(digits(.timer(3, queue: queue))).toBe("---(0|)")
        test.expectSignal(digits(.timer(0, queue: queue)), subscription: "-^").toBe("-(0|)")
        test.expectSignal(digits(.timer(3, queue: queue)), subscription: "^-!").toBe("")
        try test.run()
    }

    /// The number shows the skipped ticks. The others arrive at their times.
    @Test func ticksThatFallDueDuringADeliveryAreSkipped() {
        let time = test.time
        let run = Signal<Int, NoError>.interval(1, queue: queue).start(next: { [log] in
            log.add("\($0)@\(time.now)")
            if $0 == 0 { time.advance(to: 4.5) }
            if $0 == 5 { time.advance(to: 8) }
        })
        time.advance(to: 10)
        #expect(log.text == "0@1.0 4@5.0 5@6.0 8@9.0 9@10.0")
        run.dispose()
    }

    /// A period that no double is: nothing adds up over a million of them.
    @Test func noDrift() {
        var machine = IntervalMachine(0.1, at: 7)
        for _ in 0..<1_000_000 { machine.delivered(at: machine.deadline) }
        #expect(machine.number == 1_000_000 && machine.deadline == 7 + 1_000_001 * 0.1)
        machine.delivered(at: 1e300)
        #expect(machine.number == 1 << 62)
    }

    /// A disposal inside the callback, or the release of the clock: nothing is retained.
    @Test func whatStopsATimer() {
        let tracker = LifetimeTracker()
        do {
            let time = VirtualTime(), probe = tracker.make(), run = MetaDisposable()
            run.set(
                Signal<Int, String>.interval(1, queue: time.queue).start(next: { [log] in
                    probe.touch()
                    log.add("\($0)")
                    if $0 == 2 { run.dispose() }
                }))
            time.advance(by: 10)
            #expect(log.text == "0 1 2" && time.pendingCount == 0)
        }
        #expect(tracker.live == 0)
        var handles: [any Disposable] = []
        do {
            let time = VirtualTime(), probe = tracker.make()
            for signal in [Signal<Int, String>.interval(1, queue: time.queue), .timer(1, queue: time.queue)] {
                handles.append(signal.start(next: { _ in probe.touch() }))
            }
        }
        #expect(tracker.live == 0)
        for handle in handles { handle.dispose() }
    }

    /// On a queue with threads: in order, none twice, none after disposal on the queue.
    @Test func onAQueue() {
        let queue = Queue(name: "interval"), seen = Recorded<Int>()
        let run = Signal<Int, NoError>.interval(1e-5, queue: queue).start(next: { seen.add($0) })
        #expect(eventually { seen.count > 200 })
        queue.sync { run.dispose() }
        let all = seen.all
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
        queue.sync {}
        #expect(seen.count == all.count)
    }

    // MARK: Resources

    /// Made in each start, released once: after the source has been disposed.
    @Test func aResourceLivesAsLongAsTheRun() {
        let source = ManualSource<Int, String>("a", log)
        let signal = Signal<Int, String>.using(
            { [log] in
                log.add("+"); return 7
            }, release: { [log] in log.add("-\($0)") }
        ) { resource in
            source.signal() |> map { $0 * resource }
        }
        #expect(log.text == "")
        let runs = (1...3).map { _ in signal.start(log) }
        source.next(1)
        runs[0].dispose()
        source.complete()
        for run in runs { run.dispose() }
        #expect(log.text == "+ Sa + Sa + Sa N7 N7 N7 Da -7 C Da -7 C Da -7")
    }

    @Test func aResourceOfARunThatIsOverInsideTheStart() {
        let signal = { [log] (body: Signal<Int, String>) in
            Signal<Int, String>.using({ log.add("+") }, release: { log.add("-") }) { body }
        }
        for body in [.complete(), .fail("x"), .single(1) |> then(.never())] { _ = (signal(body) |> take(1)).start(log) }
        #expect(log.text == "+ C - + Ex - + N1 C -")
    }
}
