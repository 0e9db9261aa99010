import Dispatch
import Foundation
import Testing
@testable import SignalKitCore

/// A serial queue is first in, first out across all its users: jobs, deliveries, `runOn`, fired timers. Each test
/// enqueues in a known order, and expects that order, independent of the duration of callbacks.
@Suite struct OrderTests {
    // MARK: Queues of every kind

    enum Kind: CaseIterable { case own, wrapped, loop, loopWithClock, pool, virtual, main }

    /// A queue, the same queue under another name if possible, and the action that runs it.
    private struct Place {
        let queue: Queue
        let again: Queue
        var run: () -> Void = {}

        init(_ kind: Kind) {
            switch kind {
            case .own:
                queue = Queue(name: "order")
                again = Queue(queue: queue.queue, isSerial: true)
            case .wrapped:
                let native = DispatchQueue(label: "order")
                (queue, again) = (Queue(queue: native, isSerial: true), Queue(queue: native, isSerial: true))
            case .loop, .loopWithClock:
                let loop = ThreadLoop()
                queue = Queue(loop: loop, clock: kind == .loop ? nil : loop)
                again = queue
            case .pool:
                let line = ThreadPool.shared.nextQueue()
                (queue, again) = (line.asQueue(), line.asQueue())
            case .virtual:
                let time = VirtualTime()
                queue = time.queue
                again = queue
                run = { time.run() }
            case .main: (queue, again) = (Queue.mainQueue(), Queue(queue: .main, isSerial: true))
            }
        }

        func job(_ work: @escaping () -> Void) {
            switch Int.random(in: 0..<3) {
            case 0: queue.justDispatch(work)
            case 1: again.justDispatch(work)
            default: queue.justDispatchWithQoS(qos: .utility, work)
            }
        }

        /// Waits until as much has arrived, which must be this.
        func expect(_ log: Log, _ arrivals: String...) {
            _ = eventually {
                run()
                return log.entries.count >= arrivals.count
            }
            #expect(log.entries == arrivals)
        }
    }

    /// Takes its time, as a callback may.
    private static func busy(_ microseconds: Double) {
        let end = DeadlineClock.now + microseconds * 1e-6
        while DeadlineClock.now < end {}
    }

    /// Every kind of queue, with callbacks of these microseconds, and the number of attempts.
    private static let rows: [(Kind, Double, Int)] = Kind.allCases.flatMap { kind in
        [(kind, 0, 100), (kind, 30, 100), (kind, 100, 50), (kind, 1_000, 10)]
    }

    private func start(
        _ name: String, _ source: ManualSource<Int, String>, _ place: Place, _ busy: Double, _ log: Log
    ) -> Disposable {
        (source.signal() |> deliverOn(place.queue)).start(
            next: { value in
                OrderTests.busy(busy)
                log.add("\(name)\(value)")
            }, error: { log.add("\(name)E\($0)") }, completed: { log.add("\(name)C") })
    }

    // MARK: One thread

    // Covers: SW-226, C-168
    @Test(arguments: rows) func theEndComesBeforeTheJobThatWasPutAfterIt(kind: Kind, microseconds: Double, rounds: Int)
    {
        let place = Place(kind)
        for _ in 0..<rounds {
            let log = Log()
            _ = (Signal<Int, NoError>.single(1) |> deliverOn(place.queue)).start(
                next: { _ in
                    OrderTests.busy(microseconds)
                    log.add("next")
                }, completed: { log.add("completed") })
            place.job { log.add("job") }
            place.expect(log, "next", "completed", "job")
        }
    }

    // Covers: SW-226, SW-229, C-168, C-170
    @Test(arguments: rows) func whatWasPutFirstArrivesFirst(kind: Kind, microseconds: Double, rounds: Int) {
        let place = Place(kind)
        for _ in 0..<rounds {
            let log = Log(), a = ManualSource<Int, String>(), b = ManualSource<Int, String>()
            let runs = [start("a", a, place, microseconds, log), start("b", b, place, microseconds, log)]
            place.job { log.add("j0") }
            a.next(1)
            b.next(2)
            a.next(3)
            place.job { log.add("j1") }
            a.next(4)
            place.queue.after(0) { log.add("t") }
            a.next(5)
            let started = Signal<Int, NoError> { _ in
                log.add("r")
                return EmptyDisposable
            }
            let late = (started |> runOn(place.queue)).start()
            b.next(6)
            a.next(7)
            b.complete()
            a.next(8)
            a.fail("x")
            place.job { log.add("j2") }
            place.expect(log, "j0", "a1", "b2", "a3", "j1", "a4", "t", "a5", "r", "b6", "a7", "bC", "a8", "aEx", "j2")
            for run in runs + [late] { run.dispose() }
        }
    }

    // Covers: SW-176, C-152
    @Test(arguments: rows) func combineLatestLosesNoCombination(kind: Kind, microseconds: Double, rounds: Int) {
        let place = Place(kind)
        for _ in 0..<rounds {
            let log = Log(), a = ManualSource<Int, String>(), b = ManualSource<Int, String>()
            let run = combineLatest(queue: place.queue, a.signal(), b.signal()).start(
                next: { a, b in
                    OrderTests.busy(microseconds)
                    log.add("\(a),\(b)")
                }, completed: { log.add("C") })
            a.next(1)
            b.next(2)
            a.next(3)
            b.complete()
            a.next(4)
            a.complete()
            place.job { log.add("job") }
            place.expect(log, "1,2", "3,2", "4,2", "C", "job")
            run.dispose()
        }
    }

    /// While a callback runs, on the queue and from elsewhere.
    // Covers: SW-226, C-168
    @Test(arguments: Kind.allCases) func whatIsPutWhileACallbackRunsKeepsItsOrder(kind: Kind) {
        let place = Place(kind)
        for _ in 0..<50 {
            let log = Log(), a = ManualSource<Int, String>(), isInside = Tally(), mayGoOn = Tally()
            let put = {
                a.next(2)
                place.job { log.add("job") }
                a.next(3)
                a.complete()
                place.job { log.add("end") }
            }
            let run = (a.signal() |> deliverOn(place.queue)).start(
                next: { value in
                    log.add("a\(value)")
                    if value > 1 { return }
                    if kind == .virtual { return put() }
                    isInside.up()
                    _ = eventually { mayGoOn.value == 1 }
                }, completed: { log.add("aC") })
            a.next(1)
            if kind != .virtual {
                #expect(eventually { isInside.value == 1 })
                put()
                mayGoOn.up()
            }
            place.expect(log, "a1", "a2", "job", "a3", "aC", "end")
            run.dispose()
        }
    }

    /// A timer of the library's own clock that has fired has its place. (Not on the main queue: other tests take tickets
    /// there, too, and it is of the class that `wrapped` has.)
    // Covers: SW-226, C-168
    @Test(arguments: [Kind.own, .wrapped, .loop, .pool]) func aTimerThatHasFiredHasItsPlace(kind: Kind) {
        let place = Place(kind)
        for _ in 0..<20 {
            let log = Log(), a = ManualSource<Int, String>(), mayGoOn = Tally()
            let run = start("a", a, place, 0, log)
            place.queue.justDispatch { _ = eventually { mayGoOn.value == 1 } }
            a.next(1)
            let before = place.queue.executor.tickets.current
            place.queue.after(0.0001) { log.add("t") }
            #expect(eventually { place.queue.executor.tickets.current != before })
            a.next(2)
            mayGoOn.up()
            place.expect(log, "a1", "t", "a2")
            run.dispose()
        }
    }

    // MARK: Several threads

    /// Threads that agree on an order, by a lock: jobs and the values of several runs, bounded and not, arrive in it.
    // Covers: SW-226, C-168, C-182
    @Test(arguments: Kind.allCases) func anOrderThatThreadsHaveAgreedOnIsKept(kind: Kind) {
        let place = Place(kind)
        let count = 4_000, lock = NSLock(), number = Tally(), arrived = Recorded<Int>(), log = Log()
        let pipes = [ValuePipe<Int>(), ValuePipe<Int>(), ValuePipe<Int>()]
        let runs = pipes.enumerated().map { index, pipe in
            (index == 2 ? pipe.signal() |> deliverOn(place.queue, limit: count, overflow: .suspend) : pipe.signal()
                |> deliverOn(place.queue))
                .start(next: { value in
                    if value % 64 == 0 { OrderTests.busy(Double(value % 7) * 20) }
                    arrived.add(value)
                })
        }
        let threads = kind == .virtual ? 1 : 3
        race(threads) { thread in
            var random = SystemRandomNumberGenerator()
            for _ in 0..<count / threads {
                // Occasional bursts and pauses, so that batches end and start again.
                if random.next() % 200 == 0 { sched_yield() }
                lock.lock()
                let value = number.up()
                switch random.next() % 8 {
                case 0: place.job { arrived.add(value) }
                case 1: pipes[2].putNext(value)
                case 2: pipes[1].putNext(value)
                default: pipes[0].putNext(value)
                }
                lock.unlock()
            }
        }
        place.queue.justDispatch { log.add("end") }
        place.expect(log, "end")
        let all = arrived.all
        #expect(all == Array(1...number.value))
        for run in runs { run.dispose() }
    }
}

extension ThreadPool {
    fileprivate static let shared = ThreadPool(threadCount: 2)
}

/// A loop with its own thread, which ends with it.
private final class ThreadLoop: EventLoop, EventLoopClock, @unchecked Sendable {
    private final class Works: @unchecked Sendable {
        let condition = NSCondition()
        var list: [(due: Double, work: () -> Void)] = []
        var hasEnded = false

        func next() -> (() -> Void)? {
            condition.lock()
            defer { condition.unlock() }
            while !hasEnded {
                let now = DeadlineClock.now
                if let first = list.firstIndex(where: { $0.due <= now }) { return list.remove(at: first).work }
                if list.isEmpty {
                    condition.wait()
                } else {
                    _ = condition.wait(until: Date(timeIntervalSinceNow: 0.0001))
                }
            }
            return nil
        }
    }

    private let works = Works()

    init() {
        startThread { [works] in
            while let work = works.next() { work() }
        }
    }

    deinit {
        works.condition.lock()
        works.hasEnded = true
        works.condition.signal()
        works.condition.unlock()
    }

    var now: Double { DeadlineClock.now }
    func async(_ work: @escaping () -> Void) { put(0, work) }
    func after(_ seconds: Double, _ work: @escaping () -> Void) { put(now + seconds, work) }

    private func put(_ due: Double, _ work: @escaping () -> Void) {
        works.condition.lock()
        works.list.append((due, work))
        works.condition.signal()
        works.condition.unlock()
    }
}
