import Foundation
import Testing
@testable import SignalKitCore

@Suite struct AttemptTests {
    private let log = Log()

    /// Fails at 3 and above.
    private func small(_ source: Signal<Int, String>) -> Signal<Int, String> {
        attempt { run in source |> map { $0 < 3 ? $0 * 10 : run.fail("x\($0)", instead: -1) } }
    }

    @Test func failingTellsTheErrorThenDisposes() {
        let source = ManualSource<Int, String>("a", log)
        _ = small(source.signal()).start(log)
        source.next(1)
        source.next(3)
        source.next(2)
        source.complete()
        #expect(log.text == "Sa N10 Ex3 Da")
    }

    @Test func failingStopsASourceInsideItsStart() {
        let source = Signal<Int, String> { subscriber in
            var value = 0
            while subscriber.isActive {
                value += 1
                subscriber.putNext(value)
            }
            return EmptyDisposable
        }
        #expect(small(source).trace() == "N10 N20 Ex3")
        #expect(small(source).trace() == "N10 N20 Ex3")
    }

    @Test func afterDisposalNothingIsTold() {
        let source = ManualSource<Int, String>("a", log)
        let runs = Atomic<[Attempt<Int, String>]>(value: [])
        let handle = attempt { run in
            _ = runs.modify { $0 + [run] }
            return source.signal()
        }.start(log)
        let run = runs.swap([])[0]
        #expect(run.isActive)
        handle.dispose()
        #expect(!run.isActive)
        run.fail("late")
        #expect(log.text == "Sa Da")
    }

    @Test func afterTheEndNothingIsTold() {
        let source = ManualSource<Int, String>("a", log)
        let runs = Atomic<[Attempt<Int, String>]>(value: [])
        _ = attempt { run in
            _ = runs.modify { $0 + [run] }
            return source.signal()
        }.start(log)
        let run = runs.swap([])[0]
        source.complete()
        #expect(!run.isActive)
        run.fail("late")
        #expect(log.text == "Sa C Da")
    }

    @Test func ofManyFailuresAtOnceOneIsTold() {
        for _ in 0..<200 {
            let errors = Atomic<Int>(value: 0)
            let source = ManualSource<Int, String>("a", log)
            _ = small(source.signal()).start(error: { _ in _ = errors.modify { $0 + 1 } })
            race(4) { source.next(10 + $0) }
            #expect(errors.value == 1)
        }
    }
}
