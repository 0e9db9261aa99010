import Dispatch
import Testing
@testable import SignalKitCore

/// A `Serial` in a class, with the surrounding code of a hub or sink.
private final class Section: @unchecked Sendable {
    private let serial = Serial<Int>()
    var handled: [Int] = []
    /// Only the holder touches it: two holders at once are a data race, and lose counts.
    var inside = 0
    var overlaps = 0

    // A type that cannot be copied cannot be named inside `#expect`.
    func enter() -> Bool { serial.enter() }
    func enqueue(_ event: Int?) -> Bool { serial.enqueue(event) }
    func drain(_ handle: (Int?) -> Bool) -> Bool { serial.drain(handle) }
    func stepOutside() { serial.stepOutside() }

    /// Handles an event the way a serial stage does.
    func submit(_ event: Int) {
        if serial.enter() { handle(event) } else if !serial.enqueue(event) { return }
        _ = serial.drain { event in
            if let event { handle(event) }
            return true
        }
    }

    /// Handles an event the way a hub does whose every third event is a step.
    func submitWithSteps(_ event: Int) {
        var step = handleUpToStep(event)
        while step {
            if serial.enter() { step = drainUpToStep() } else { step = serial.enqueue(nil) ? drainUpToStep() : false }
        }
    }

    private func handleUpToStep(_ event: Int) -> Bool {
        guard serial.enter() else { return serial.enqueue(event) ? drainUpToStep() : false }
        handle(event)
        if event % 3 != 0 { return drainUpToStep() }
        serial.stepOutside()
        return true
    }

    private func drainUpToStep() -> Bool {
        !serial.drain { event in
            if let event { handle(event) }
            return event.map { $0 % 3 != 0 } ?? true
        }
    }

    func handle(_ event: Int) {
        inside += 1
        if inside != 1 { overlaps += 1 }
        handled.append(event)
        inside -= 1
    }
}

@Suite struct SerialTests {
    @Test func entersWhenFreeAndQueuesWhenTaken() {
        let section = Section()
        #expect(section.enter())
        #expect(!section.enter())
        #expect(!section.enqueue(1))
        #expect(!section.enqueue(2))
        var got: [Int] = []
        #expect(
            section.drain {
                got.append($0!); return true
            })
        #expect(got == [1, 2])
        section.submit(3)
        #expect(section.handled == [3])
    }

    @Test func stepsOutsideWithEventsWaitingAndKeepsTheOrder() {
        let section = Section()
        #expect(section.enter())
        for event in 1...3 { #expect(!section.enqueue(event)) }
        var got: [Int] = []
        #expect(
            !section.drain {
                got.append($0!); return false
            })
        #expect(got == [1])
        // With a backlog no thread can pass it. A thread with a new event handles the pending ones first.
        #expect(!section.enter())
        #expect(section.enqueue(4))
        #expect(
            section.drain {
                got.append($0!); return true
            })
        #expect(got == [1, 2, 3, 4])
        #expect(section.enter())
    }

    @Test func whoeverComesBackHandlesWhatWaits() {
        let section = Section()
        #expect(section.enter())
        #expect(!section.enqueue(1))
        section.stepOutside()
        #expect(!section.enter())
        #expect(section.enqueue(nil))
        var got: [Int?] = []
        #expect(
            section.drain {
                got.append($0); return true
            })
        #expect(got == [1, nil])
    }

    /// A long backlog that is appended to at every step costs the same per event: a walk along it would take hours here.
    @Test func aLongBacklogCostsNothingExtra() {
        let section = Section(), handled = Tally()
        let count = 200_000
        #expect(section.enter())
        for event in 0..<count { _ = section.enqueue(event) }
        let hasEnded = finishes {
            // Each event steps outside while another arrives. The returning thread leaves one more event.
            var isInside = true
            while handled.value < count && isInside {
                _ = section.drain { event in
                    if event != nil { handled.up() }
                    _ = section.enqueue(nil)
                    return event == nil
                }
                isInside = section.enqueue(nil)
            }
        }
        #expect(hasEnded && handled.value == count)
    }

    @Test func whatStillWaitsIsLetGoWithTheSection() {
        let tracker = LifetimeTracker()
        final class Holder { let serial = Serial<LifetimeTracker.Tracked>() }
        do {
            let holder = Holder()
            let entered = holder.serial.enter()
            #expect(entered)
            for _ in 0..<3 { _ = holder.serial.enqueue(tracker.make()) }
            _ = holder.serial.drain { _ in false }
            _ = holder.serial.enqueue(tracker.make())
            #expect(tracker.live == 3)
        }
        #expect(tracker.live == 0)
    }

    @Test(arguments: [false, true]) func underContentionEveryEventIsHandledOnceAndInItsThreadsOrder(steps: Bool) {
        let threads = 4, count = 5_000
        let section = Section()
        race(threads) { thread in
            for index in 0..<count {
                let event = thread * count + index
                if steps { section.submitWithSteps(event) } else { section.submit(event) }
            }
        }
        #expect(section.overlaps == 0)
        #expect(section.handled.count == threads * count)
        for thread in 0..<threads {
            let mine = section.handled.filter { $0 / count == thread }
            #expect(mine == Array(thread * count..<(thread + 1) * count))
        }
    }

    // MARK: Every interleaving of a model

    /// Two and three threads, each bringing events of which some are steps: every interleaving of the atomic operations.
    @Test(arguments: [
        [[1, 2], [3, 4]],
        [[-1, 2], [3, -4]],
        [[-1, -2], [-3]],
        [[1], [2], [3]],
        [[-1], [2], [-3]],
        [[-1, 2], [-3], [4]],
        [[-1, -2], [-3], [-4]],
    ]) func everyInterleavingHandlesEveryEventOnceInOrder(plan: [[Int]]) {
        let states = SerialModel(plan).explore()
        #expect(states > 50)
    }

    /// The exploration finds what it is for: a variant that does not keep what somebody has left behind loses events.
    @Test func theExplorationFindsALostEvent() {
        #expect(SerialModel([[-1, 2], [3]], keepsWhatWasLeft: false).countFaults() > 0)
    }
}
