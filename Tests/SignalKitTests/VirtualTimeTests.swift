import Testing
@testable import SignalKitCore

@Suite struct VirtualTimeTests {
    /// A timed operator and its result for 1@1 2@2 3@5 C@6.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String, expected: String
        let apply: @Sendable (Signal<Int, String>, Queue) -> Signal<Int, String>
        init(
            _ name: String, _ expected: String,
            _ apply: @escaping @Sendable (Signal<Int, String>, Queue) -> Signal<Int, String>
        ) {
            testDescription = name
            self.expected = expected
            self.apply = apply
        }
    }

    static let rows = [
        Row("nothing", "1@1 2@2 3@5 C@6") { signal, _ in signal },
        Row("delay", "1@11 2@12 3@15 C@16") { $0 |> delay(10, queue: $1) },
        Row("suspendAwareDelay", "1@11 2@12 3@15 C@16") { $0 |> suspendAwareDelay(10, queue: $1) },
        Row("throttle", "1@1 2@3 3@5 C@6") { $0 |> throttle(2, queue: $1) },
        Row("debounce", "2@3.5 3@6 C@6") { $0 |> debounce(1.5, queue: $1) },
        Row("throttleOn", "2@3.5 3@6 C@6") { $0 |> throttleOn($1, delay: 1.5) },
        Row("deliverOn", "1@1 2@2 3@5 C@6") { $0 |> deliverOn($1) },
        Row("runOn", "1@1 2@2 3@5 C@6") { $0 |> runOn($1) },
        Row("timeout, late", "9@0.5 C@0.5") { $0 |> timeout(0.5, queue: $1, alternate: .single(9)) },
        Row("timeout, in time", "1@1 2@2 3@5 C@6") { $0 |> timeout(1.5, queue: $1, alternate: .single(9)) },
        Row("retry", "7@0.5 7@2.5 7@5.5 7@9.5 7@13.5 7@17.5") { _, queue in
            failing(queue) |> retry(1, maxDelay: 3, onQueue: queue) |> castError(String.self)
        },
        Row("retry, at most twice", "7@0.5 7@2.5 Ebad@3") { _, queue in
            failing(queue)
                |> retry(retryOnError: { _ in true }, delayIncrement: 1, maxDelay: 3, maxRetries: 2, onQueue: queue)
        },
        Row("wait", "1@1 2@2 3@5 C@6") { $0 |> wait(100, queue: $1) },
        Row("combineLatest", "101@1.5 201@2 202@2.5 302@5 303@5.5 C@6.5") { signal, queue in
            combineLatest(queue: queue, signal, signal |> delay(0.5, queue: queue)) |> map { $0 * 100 + $1 }
        },
    ]

    /// 7 after half a second, an error after one.
    @Sendable static func failing(_ queue: Queue) -> Signal<Int, String> {
        Signal { subscriber in
            let all = DisposableSet()
            all.add(queue.after(0.5) { subscriber.putNext(7) })
            all.add(queue.after(1) { subscriber.putError("bad") })
            return all
        }
    }

    @Sendable static func usual(_ queue: Queue) -> Signal<Int, String> {
        Signal { subscriber in
            let all = DisposableSet()
            for (time, value) in [(1.0, 1), (2, 2), (5, 3)] { all.add(queue.after(time) { subscriber.putNext(value) }) }
            all.add(queue.after(6) { subscriber.putCompletion() })
            return all
        }
    }

    @Test(arguments: rows) func everyTimedOperatorGoesByIt(_ row: Row) {
        let time = VirtualTime(), log = Log()
        func note(_ what: String) {
            let now = time.now
            log.add("\(what)@\(now == now.rounded() ? "\(Int(now))" : "\(now)")")
        }
        let run = row.apply(Self.usual(time.queue), time.queue).start(
            next: { note("\($0)") }, error: { note("E\($0)") }, completed: { note("C") })
        // To the moment and not past it.
        for step in stride(from: time.now, through: 20, by: 0.25) { time.advance(to: step) }
        #expect(log.text == row.expected)
        run.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test func aDayOfTimersRunsAtOnce() {
        let time = VirtualTime()
        var fired = 0
        let timer = SignalKitCore.Timer(timeout: 1, repeat: true, completion: { fired += 1 }, queue: time.queue)
        timer.start()
        time.advance(by: 86_400)
        #expect(fired == 86_400)
        #expect(timer.timeoutDate == 86_401)
    }

    @Test func twoQueuesOfOneClock() {
        let time = VirtualTime(date: 1_000_000)
        let a = time.queue, b = time.makeQueue()
        let log = Log()
        a.after(2) {
            log.add("a\(a.isCurrent())\(b.isCurrent())")
            a.async { log.add("inline") }
            a.justDispatch { log.add("later") }
            b.sync { log.add("b\(a.isCurrent())\(b.isCurrent())") }
        }
        b.after(1) { log.add("first") }
        #expect(time.pendingCount == 2)
        #expect(time.run())
        #expect(log.text == "first atruefalse inline bfalsetrue later")
        #expect(time.now == 2)
        let endless = SignalKitCore.Timer(timeout: 1, repeat: true, completion: {}, queue: b)
        endless.start()
        #expect(!time.run(limit: 10))
        #expect(time.now == 12 && endless.timeoutDate == 1_000_013)
    }

    @Test func whatWaitsIsLetGoWithTheClock() {
        let tracker = LifetimeTracker()
        var time: VirtualTime? = VirtualTime()
        for delay in [1, 5, 3] { time!.queue.after(Double(delay)) { [tracked = tracker.make()] in tracked.touch() } }
        let cancelled = time!.queue.after(4) { [tracked = tracker.make()] in tracked.touch() }
        #expect(tracker.live == 4)
        cancelled.dispose()
        time!.advance(by: 1)
        #expect(tracker.live == 2)
        time = nil
        #expect(tracker.live == 0)
    }

    /// Pending work retains the subscription, and the subscription retains the queue.
    @Test func aRunThatWaitsIsLetGoWithTheClock() {
        let tracker = LifetimeTracker()
        var time: VirtualTime? = VirtualTime()
        let signal: Signal<Int, NoError> = .single(1) |> deliverOn(time!.queue)
        _ = signal.start(next: { [tracked = tracker.make()] _ in tracked.touch() })
        #expect(tracker.live == 1)
        time = nil
        #expect(tracker.live == 0)
    }

    @Test func timersOfManyThreadsAndOneMover() {
        let time = VirtualTime()
        let fired = Tally(), tracker = LifetimeTracker()
        let done = Tally()
        startThread {
            race(4) { thread in
                for i in 0..<2_000 {
                    let work = time.queue.after(Double(i % 50)) { [tracked = tracker.make()] in
                        tracked.touch()
                        fired.up()
                    }
                    if i % 4 == thread { work.dispose() }
                }
            }
            done.up()
        }
        while done.value == 0 { time.advance(by: 1) }
        time.run()
        #expect(fired.value >= 6_000 && fired.value <= 8_000)
        #expect(tracker.live == 0 && time.pendingCount == 0)
    }

    /// The heap against a sorted list.
    @Test func deadlinesComeInOrder() {
        let executor = VirtualExecutor(VirtualClock(date: 0))
        let timeline = executor.timeline
        var numbers = SystemRandomNumberGenerator()
        var expected: [(Double, Int)] = []
        var order: [Int] = []
        var alarms: [Alarm] = []
        for index in 0..<500 {
            let time = Double(UInt.random(in: 0..<60, using: &numbers))
            alarms.append(Alarm(executor))
            alarms[index].set(time) { order.append(index) }
            expected.append((time, index))
        }
        for index in stride(from: 0, to: 500, by: 3) { alarms[index].dispose() }
        expected.removeAll { $0.1 % 3 == 0 }
        // A timer that is set again follows timers that were set before for the same time.
        for index in stride(from: 1, to: 500, by: 3) {
            let time = Double(UInt.random(in: 0..<60, using: &numbers))
            alarms[index].set(time) { order.append(index) }
            expected.removeAll { $0.1 == index }
            expected.append((time, index))
        }
        #expect(timeline.count == expected.count)
        while let due = timeline.takeDue(at: 60) { due.run() }
        let sorted = expected.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        #expect(order == sorted.map(\.element.1))
        #expect(timeline.next == .infinity)
    }

    /// To tell a clock takes a system call.
    @Test func aClockIsToldOfNoTimeLaterThanItsNextLook() {
        let executor = VirtualExecutor(VirtualClock(date: 0))
        let timeline = executor.timeline
        let first = Alarm(executor) {}, second = Alarm(executor) {}
        func isTold(_ alarm: Alarm, _ time: Double) -> Bool {
            if case .comesFirst(time) = timeline.set(alarm, at: 0, { _ in time }) { return true }
            return false
        }
        #expect(isTold(first, 10) && !isTold(first, 20) && !isTold(first, 10) && !isTold(second, 15))
        #expect(isTold(second, 5) && !isTold(second, 30))
        #expect(timeline.rests(after: 10) == nil && timeline.rests(after: 5) == 10)
        // It now waits for 10, independent of the earlier timer.
        first.dispose()
        #expect(!isTold(second, 10) && isTold(second, 9) && timeline.rests() == 9)
    }
}
