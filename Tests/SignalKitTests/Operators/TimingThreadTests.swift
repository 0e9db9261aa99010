import Foundation
import Testing
@testable import SignalKitCore

/// Time-based operators, with two emitting threads, on a queue with its own threads.
@Suite struct TimingThreadTests {
    private let queue = Queue(name: "timing")

    /// Every value once, those of each thread in their order, nothing left alive.
    @Test(arguments: [0, 1, 2, 3, 4]) func twoThreads(which: Int) {
        let tracker = LifetimeTracker(), seen = Recorded<Int>(), ends = Tally()
        let all: [(Signal<Item, NoError>) -> Signal<[Item], NoError>] = [
            chunked(7), chunked(7, 1e-5, queue: queue), chunked(by: .interval(1e-5, queue: queue), limit: 7),
            { [queue] in $0 |> delayEach(1e-5, queue: queue, limit: .max, overflow: .dropNewest) |> map { [$0] } },
            { [queue] in $0 |> timeoutBetween(1e6, queue: queue, alternate: .never()) |> map { [$0] } },
        ]
        let source = ManualSource<Item, NoError>(tracker: tracker)
        let run = (source.signal() |> all[which]).start(
            next: { chunk in
                #expect(!chunk.isEmpty && chunk.count <= 7)
                for item in chunk { seen.add(item.id) }
            }, completed: { ends.up() })
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for id in 0..<2_000 { source.next(tracker.make(2 * id + thread)) }
        }
        source.complete()
        #expect(eventually { ends.value == 1 })
        for thread in 0...1 { #expect(seen.all.filter { $0 % 2 == thread } == (0..<2_000).map { 2 * $0 + thread }) }
        run.dispose()
        #expect(eventually { tracker.live == 0 })
    }

    /// A value and the time-out simultaneously: either the value is in time, or the alternate is started, never both.
    /// Each source is disposed once.
    @Test func aValueAndTheEndOfTheTimeAtOnce() {
        for _ in 0..<300 {
            let log = Log(), source = ManualSource<Int, String>("a", log)
            let run = (source.signal() |> timeoutBetween(1e-5, queue: queue, alternate: sync("b", log, [9], .open)))
                .start(log)
            source.next(1)
            #expect(eventually { log.entries.contains("N9") })
            source.next(2)
            #expect(log.entries.filter { $0 == "Sb" }.count == 1 && !log.entries.contains("N2"))
            run.dispose()
            // The time may be over before the source is started at all.
            func count(_ first: Character) -> Int {
                log.entries.filter { $0 == "\(first)a" || $0 == "\(first)b" }.count
            }
            #expect(eventually { count("D") == count("S") })
        }
    }

    /// Disposal from another thread while values are on their way.
    @Test func disposalAtAnyTime() {
        let tracker = LifetimeTracker()
        for _ in 0..<200 {
            let source = ManualSource<Item, NoError>(tracker: tracker)
            let run = (source.signal() |> delayEach(2e-5, queue: queue, limit: 3, overflow: .dropOldest)).start(next: {
                $0.touch()
            })
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { for id in 0..<20 { source.next(tracker.make(id)) } } else { run.dispose() }
            }
            #expect(source.disposals == 1)
        }
        #expect(eventually { tracker.live == 0 })
    }
}
