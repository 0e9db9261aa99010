import Dispatch
import Testing
@testable import SignalKitCore

@Suite struct MainQueueWatchTests {
    @Test func aMainThreadThatWaitsIsToldFromOneThatComputes() {
        let second: Int64 = 1_000_000_000
        func looks(_ times: [Int64]) -> [Bool] {
            var rest = MainThreadRest()
            return times.map { rest.isBlocked(at: $0) }
        }
        #expect(looks((0..<10).map { $0 * second / 2 }).allSatisfy { !$0 })
        #expect(looks([0, 0, second, second, 2 * second]).allSatisfy { !$0 })
        #expect(looks([second, second + 100, second + 5_000_000]) == [false, false, true])
    }

    @Test func whoRunsTheQueueIsNeverTold() {
        let watch = MainQueueWatch()
        watch.settle()
        watch.sent()
        #expect(!watch.isWaiting)
        let other = MainQueueWatch()
        other.sent()
        #expect(other.isWaiting)
        other.settle()
        #expect(!other.isWaiting)
    }

    /// In a separate process, whose main thread is blocked.
    @Test func onlyTheWorkOfTheMainQueueShowsThatItRuns() async {
        await #expect(processExitsWith: .success) {
            let begun = Tally(), release = Tally()
            DispatchQueue.main.async {
                begun.up()
                _ = eventually { release.value == 1 }
            }
            precondition(eventually { begun.value == 1 })
            Queue.mainQueue().justDispatch {}
            Queue(name: "other").sync {}
            precondition(MainQueueWatch.shared.isWaiting)
            release.up()
            precondition(eventually { !MainQueueWatch.shared.isWaiting })
        }
    }
}
