import Testing
@testable import SignalKitCore

/// Events that arrive at a subscriber while it catches up.
@Suite struct CatchUpTests {
    /// A listener that has joined, and is delivered to as in the section.
    private final class Arrival: @unchecked Sendable {
        private let listener: Listener<() -> Void, NoError>

        init() { listener = Listener(CallbackSink({ $0() }, nil, nil), Listeners()) }

        func deliver(_ event: @escaping () -> Void) { listener.deliver(event) }
        func catchUp() { listener.catchUp() }
        var isDone: Bool { listener.flags & Subscription.Flag.arrived != 0 }
    }

    @Test func whatWaitsIsHandledInOrderAlsoWhatComesMeanwhile() {
        let arrival = Arrival(), log = Log()
        arrival.deliver {
            log.add("1")
            arrival.deliver { log.add("3") }
        }
        arrival.deliver { log.add("2") }
        #expect(log.text == "")
        arrival.catchUp()
        #expect(log.text == "1 2 3")
        #expect(arrival.isDone)
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
                    arrival.catchUp()
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
        arrival.catchUp()
        #expect(tracker.live == 0)
    }
}
