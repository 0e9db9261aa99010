import Testing
@testable import SignalKit

/// What comes to a listener while it catches up.
@Suite struct CatchUpTests {
    private final class Arrival: Sendable {
        let state = CatchUp()

        /// As a listener does it: what cannot wait any more is handled at once.
        func deliver(_ event: @escaping () -> Void) {
            if state.isDone || !state.wait(event) { event() }
        }
    }

    @Test func whatWaitsIsHandledInOrderAlsoWhatComesMeanwhile() {
        let arrival = Arrival(), log = Log()
        arrival.deliver {
            log.add("1")
            arrival.deliver { log.add("3") }
        }
        arrival.deliver { log.add("2") }
        #expect(log.text == "")
        arrival.state.finish()
        #expect(log.text == "1 2 3")
        let isDone = arrival.state.isDone
        #expect(isDone)
        arrival.deliver { log.add("4") }
        #expect(log.text == "1 2 3 4")
    }

    @Test func nothingIsLostOrOvertakenWhenItIsJustDone() {
        for _ in 0..<500 {
            let arrival = Arrival()
            nonisolated(unsafe) var seen: [Int] = []
            race(2) { thread in
                if thread == 0 {
                    for number in 0..<20 { arrival.deliver { seen.append(number) } }
                } else {
                    arrival.state.finish()
                }
            }
            #expect(seen == Array(0..<20))
        }
    }

    @Test func whatIsHandledIsLetGo() {
        let tracker = LifetimeTracker(), arrival = Arrival()
        for _ in 0..<3 {
            let object = tracker.make()
            arrival.deliver { object.touch() }
        }
        #expect(tracker.live == 3)
        arrival.state.finish()
        #expect(tracker.live == 0)
    }
}
