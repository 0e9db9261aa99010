import Testing
@testable import SignalKitCore

/// The decisions of the inner-signal operators, without threads.
@Suite struct InnerMachineTests {
    private final class Inner {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private func describe(_ action: InnerMachine.Action?) -> String {
        switch action {
        case nil: return "-"
        case let .start(inner, number):
            return "\((inner as! Inner).name)#\((1...9).first { SourceNumber(integerLiteral: $0) == number }!)"
        case .complete: return "C"
        }
    }

    // Covers: SW-168, B-50
    @Test func latestStartsEachAndCountsOnlyTheCurrent() {
        var machine = InnerMachine(.latest)
        #expect(describe(machine.outer(Inner("a"))) == "a#1")
        #expect(describe(machine.outer(Inner("b"))) == "b#2")
        #expect(!machine.isCurrent(1) && machine.isCurrent(2))
        #expect(describe(machine.innerCompleted(1)) == "-")
        #expect(describe(machine.outerCompleted()) == "-")
        #expect(describe(machine.started(1)) == "-")
        // The end of all does not wait for the start to return.
        #expect(describe(machine.innerCompleted(2)) == "C")
    }

    // Covers: SW-169, B-49, B-51
    @Test func queueStartsTheNextOnlyWhenTheStartHasReturned() {
        var machine = InnerMachine(.queue)
        #expect(describe(machine.outer(Inner("a"))) == "a#1")
        #expect(describe(machine.outer(Inner("b"))) == "-")
        #expect(describe(machine.innerCompleted(1)) == "-")
        #expect(describe(machine.outer(Inner("c"))) == "-")
        #expect(describe(machine.started(1)) == "b#2")
        #expect(describe(machine.started(2)) == "-")
        #expect(describe(machine.outerCompleted()) == "-")
        #expect(describe(machine.innerCompleted(2)) == "c#3")
        #expect(describe(machine.started(3)) == "-")
        #expect(describe(machine.innerCompleted(3)) == "C")
    }

    // Covers: SW-170
    @Test func throttledKeepsTheLatest() {
        var machine = InnerMachine(.throttled)
        #expect(describe(machine.outer(Inner("a"))) == "a#1")
        #expect(describe(machine.started(1)) == "-")
        #expect(describe(machine.outer(Inner("b"))) == "-")
        #expect(describe(machine.outer(Inner("c"))) == "-")
        #expect(describe(machine.innerCompleted(1)) == "c#2")
        #expect(describe(machine.started(2)) == "-")
        #expect(describe(machine.innerCompleted(2)) == "-")
        #expect(describe(machine.outerCompleted()) == "C")
    }

    /// An endless switch exceeds any number of four bytes.
    @Test func numbersBeginAnew() {
        var number = SourceNumber(integerLiteral: .max)
        let before = number
        number.advance()
        #expect(
            number == 0 && before.isOlder(than: number) && !number.isOlder(than: before)
                && !number.isOlder(than: number))
    }

    // MARK: Rounds

    // Covers: B-49, B-51, SW-204
    @Test func whatFollowsARoundThatEndsInsideItsStartIsKeptUntilThat() {
        var machine = RoundMachine<String>()
        #expect(machine.follows(0, "first") == "first")
        let first = machine.begin()
        #expect(machine.accepts(first))
        #expect(machine.follows(first, "not yet asked") == nil)
        #expect(machine.ended(first) == true)
        #expect(!machine.accepts(first))
        #expect(machine.follows(first, "second") == nil)
        #expect(machine.started(first) == "second")
        let second = machine.begin()
        #expect(machine.started(second) == nil)
        #expect(machine.ended(first) == false)
        #expect(machine.accepts(second) && !machine.accepts(first))
        #expect(machine.ended(second) == true)
        #expect(machine.ended(second) == false)
        #expect(machine.follows(first, "late") == nil)
        #expect(machine.follows(second, "third") == "third")
    }

    // Covers: SW-206, SW-207, B-60
    @Test func retryWaitsLongerEachTimeAndGivesUp() {
        var forever = RetryMachine(.growing(2, 5, nil, false))
        let waits = (0..<4).map { _ in forever.failed() }
        #expect(waits == [2, 4, 5, 5])
        forever.reset()
        #expect(forever.failed() == 2)
        var three = RetryMachine(.growing(1, 9, 3, false))
        #expect([three.failed(), three.failed(), three.failed()] == [1, 2, nil])
        var none = RetryMachine(.growing(1, 9, 0, false))
        #expect(none.failed() == nil)
    }

    // MARK: Rates

    /// The emitted value, and the time of the next wake-up.
    private func answer<Machine: RateMachine & ~Copyable>(
        _ machine: inout Machine, _ question: (inout Machine) -> RateDecision
    ) -> String where Machine.Output == String {
        let decision = question(&machine)
        let value = decision.emits ? machine.takePending() : "-"
        return value + " " + (decision.wake.map { "\(Int($0))" } ?? "-")
    }

    // Covers: OC-107, B-65
    @Test func debounceEmitsTheLatestWhenItHasBeenQuiet() {
        var machine = DebounceMachine<String>(2)
        let answers = [
            answer(&machine) { $0.next("a", at: 0) }, answer(&machine) { $0.next("b", at: 1) },
            answer(&machine) { $0.wake(at: 2) }, answer(&machine) { $0.wake(at: 3) },
        ]
        #expect(answers == ["- 2", "- -", "- 3", "b -"])
        var isPending = machine.hasPending
        #expect(!isPending)
        let next = answer(&machine) { $0.next("c", at: 10) }
        isPending = machine.hasPending
        #expect(next == "- 12" && isPending)
        let last = machine.takePending(), woken = answer(&machine) { $0.wake(at: 12) }
        #expect(last == "c" && woken == "- -")
    }

    @Test func throttleEmitsAtOnceAndThenTheLatest() {
        var machine = ThrottleMachine<String>(2)
        let answers = [
            answer(&machine) { $0.next("a", at: 0) }, answer(&machine) { $0.next("b", at: 1) },
            answer(&machine) { $0.next("c", at: 1) }, answer(&machine) { $0.wake(at: 2) },
            answer(&machine) { $0.wake(at: 4) }, answer(&machine) { $0.next("d", at: 9) },
        ]
        #expect(answers == ["a 2", "- -", "- -", "c 4", "- -", "d 11"])
    }

    // MARK: The wall clock

    // Covers: SW-232
    @Test func aShortDelayIsOneWait() {
        var machine = SuspendAwareMachine(4, 4, at: 100)
        #expect(machine.delay(at: 100) == 4)
        #expect(machine.delay(at: 104) == nil)
        var negative = SuspendAwareMachine(-1, 4, at: 100)
        #expect(negative.delay(at: 100) == 0)
        #expect(negative.delay(at: 100) == nil)
    }

    // Covers: SW-232, B-62
    @Test func aLongDelayLooksAtTheClockAgainAndAgain() {
        var machine = SuspendAwareMachine(10, 4, at: 100)
        #expect(machine.delay(at: 100) == 4)
        #expect(machine.delay(at: 104) == 4)
        #expect(machine.delay(at: 108) == 2)
        #expect(machine.delay(at: 110) == nil)
        // The system slept for a day.
        var slept = SuspendAwareMachine(10, 4, at: 100)
        #expect(slept.delay(at: 100) == 4)
        #expect(slept.delay(at: 86_500) == 0)
        #expect(slept.delay(at: 86_500) == nil)
    }
}
