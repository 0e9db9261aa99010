import SignalKit
import Testing

/// The shorter forms of operators, and the members.
@Suite struct ConvenienceTests {
    struct Oops: Error, Equatable {}

    /// Fails at each start before the one with this number, which emits 7.
    func succeeding(at attempt: Int, _ starts: Atomic<Int>) -> Signal<Int, Oops> {
        deferred { starts.modify { $0 + 1 } < attempt ? .fail(Oops()) : .single(7) }
    }

    @Test func retriesAtOnce() throws {
        let starts = Atomic(value: 0)
        #expect(try succeeding(at: 3, starts).retry(3).get(timeout: 9) == 7)
        #expect(starts.value == 3)
        #expect(throws: Oops.self) { try succeeding(at: 6, starts).retry(2).get(timeout: 9) }
        #expect(starts.value == 5)
        #expect(throws: Oops.self) { try (succeeding(at: 9, starts) |> retry(0)).get(timeout: 9) }
        #expect(starts.value == 6)
    }

    @Test func countsAttemptsOfEachSubscription() throws {
        let starts = Atomic(value: 0)
        let twice = succeeding(at: 4, starts).retry(2)
        #expect(throws: Oops.self) { try twice.get(timeout: 9) }
        #expect(try twice.get(timeout: 9) == 7)
    }

    @Test func scansInPlace() throws {
        let words = Signal.sequence(["a", "b", "a"])
        let counts = words.scan(into: [:]) { (counts: inout [String: Int], word) in counts[word, default: 0] += 1 }
        #expect(try counts.collect(limit: 9, timeout: 9) == [["a": 1], ["a": 1, "b": 1], ["a": 2, "b": 1]])
        // Each subscription has its own.
        #expect(try counts.collect(limit: 9, timeout: 9).last == ["a": 2, "b": 1])
    }

    @Test func scansWithoutAnInitialValue() throws {
        #expect(try Signal.sequence([1, 2, 3]).scan { $0 + $1 }.collect(limit: 9, timeout: 9) == [1, 3, 6])
        #expect(try Signal.sequence([Int]()).scan { $0 + $1 }.collect(limit: 9, timeout: 9) == [])
    }

    @Test func reducesToAnotherType() throws {
        #expect(try Signal.sequence([1, 2, 3]).reduce("") { "\($0)\($1)" }.get(timeout: 9) == "123")
        #expect(try Signal.sequence([Int]()).reduce("none") { "\($0)\($1)" }.get(timeout: 9) == "none")
        #expect(try Signal.sequence([1, 2]).reduce(into: []) { $0.append($1) }.get(timeout: 9) == [1, 2])
        #expect(throws: Oops.self) { try Signal<Int, Oops>.fail(Oops()).reduce(0) { $0 + $1 }.get(timeout: 9) }
    }

    @Test func widensErrors() throws {
        let risky: @Sendable (Int) -> Signal<Int, Oops> = { $0 > 1 ? .fail(Oops()) : .single($0) }
        let numbers = Signal.sequence([1, 2])
        for widened in [
            numbers.mapToSignal(risky), numbers.mapToQueue(risky), numbers.mapToThrottled(risky),
            numbers.mapToFirst(risky), numbers.mapToMerged(limit: 2, risky),
        ] {
            let seen = Atomic<[String]>(value: [])
            _ = widened.start(
                next: { value in seen.modify { $0 + ["\(value)"] } }, error: { _ in seen.modify { $0 + ["failed"] } })
            #expect(seen.value == ["1", "failed"])
        }
        let failing = numbers.castError(Oops.self).then(.fail(Oops()))
        for widened in [
            failing.mapToSignal { .single("\($0)") }, failing.mapToQueue { .single("\($0)") },
            failing.mapToThrottled { .single("\($0)") }, failing.mapToFirst { .single("\($0)") },
            failing.mapToMerged(limit: 2) { .single("\($0)") },
        ] {
            let seen = Atomic<[String]>(value: [])
            _ = widened.start(
                next: { value in seen.modify { $0 + [value] } }, error: { _ in seen.modify { $0 + ["failed"] } })
            #expect(seen.value == ["1", "2", "failed"])
        }
    }

    @Test func throwsErrorsOfTwoTypes() {
        let parsed = Signal<Int, Oops>.single(1).tryMap { if $0 == 1 { throw CancellationError() } }
        #expect(throws: CancellationError.self) { try parsed.get(timeout: 9) }
        let kept = Signal<Int, Oops>.single(1).tryFilter { if $0 == 1 { throw CancellationError() } else { true } }
        #expect(throws: CancellationError.self) { try kept.get(timeout: 9) }
        let compact = Signal<Int, Oops>.fail(Oops()).tryCompactMap {
            if $0 < 0 { throw CancellationError() } else { Optional($0) }
        }
        #expect(throws: Oops.self) { try compact.get(timeout: 9) }
    }

    @Test func catchesWithASignalThatCannotFail() throws {
        let whole: Signal<Int, Never> = Signal<Int, Oops>.fail(Oops()).catch { _ in .single(3) }
        #expect(try whole.get(timeout: 1) == 3)
    }

    @Test func comparesKeys() throws {
        let words = Signal.sequence(["a", "b", "cc", "d"]).distinctUntilChanged(\.count)
        #expect(try words.collect(limit: 9, timeout: 9) == ["a", "cc", "d"])
    }

    @Test func measuresDurations() {
        let time = VirtualTime()
        let seen = Atomic<[Int]>(value: [])
        let ticks = Signal.interval(.milliseconds(1_500), queue: time.queue)
        let run = ticks.delayEach(.seconds(1), queue: time.queue).start { tick in seen.modify { $0 + [tick] } }
        time.advance(by: 2.4)
        #expect(seen.value == [])
        time.advance(by: 0.1)
        #expect(seen.value == [0])
        time.advance(by: 1.5)
        #expect(seen.value == [0, 1])
        run.dispose()
    }

    @Test func timesOut() {
        let time = VirtualTime()
        let errors = Atomic<[String]>(value: [])
        let silent = Signal<Int, any Error>.never().timeout(.seconds(2), queue: time.queue)
        let run = silent.start(error: { error in errors.modify { $0 + ["\(type(of: error))"] } })
        let other = Signal<Int, Oops>.never() |> timeout(.seconds(3), queue: time.queue, error: Oops())
        let second = other.start(error: { error in errors.modify { $0 + ["\(error)"] } })
        time.advance(by: 1.9)
        #expect(errors.value == [])
        time.advance(by: 0.2)
        #expect(errors.value == ["SignalTimeout"])
        time.advance(by: 1)
        #expect(errors.value == ["SignalTimeout", "Oops()"])
        run.dispose()
        second.dispose()
    }

    @Test func joinsWithoutLimits() throws {
        #expect(try merge(Signal.single(1), .single(2)).collect(limit: 9, timeout: 9) == [1, 2])
        #expect(try zip(Signal.single(1), Signal.single("a")).get(timeout: 9) == (1, "a"))
        #expect(try Signal.sequence([1, 2]).toArray().get(timeout: 9) == [1, 2])
        #expect(try Signal.range(4, count: 2).startWith(3).endWith(6).collect(limit: 9, timeout: 9) == [3, 4, 5, 6])
    }
}
