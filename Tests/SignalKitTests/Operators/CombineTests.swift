import Testing
@testable import SignalKitCore

@Suite struct CombineTests {
    private let log = Log()
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>

    init() {
        a = ManualSource("a", log)
        b = ManualSource("b", log)
    }

    // Covers: SW-176, C-152, C-20
    @Test func twoSources() {
        let handle = combineLatest(a.signal(), b.signal()).start(log)
        a.next(1)
        a.next(2)
        b.next(10)
        a.next(3)
        a.complete()
        b.next(20)
        b.complete()
        #expect(log.text == "Sa Sb N(2, 10) N(3, 10) Da N(3, 20) C Db")
        handle.dispose()
        #expect(
            combineLatest(Signal<Int, String>.single(1), Signal<String, String>.single("x")).trace() == "N(1, \"x\") C")
    }

    // Covers: SW-176, C-152
    @Test func completesWhenAllHaveAlsoIfOneNeverHadAValue() {
        let handle = combineLatest(a.signal(), b.signal()).start(log)
        a.complete()
        b.next(1)
        b.complete()
        #expect(log.text == "Sa Sb Da C Db")
        handle.dispose()
    }

    // Covers: SW-176, C-152
    @Test func theFirstErrorDisposesAllInTheirOrder() {
        let handle = combineLatest(a.signal(), b.signal(), a.signal()).start(log)
        b.fail("x")
        #expect(log.text == "Sa Sb Sa Ex Da Db Da")
        handle.dispose()
        let second = Log()
        let x = ManualSource<Int, String>("x", second), y = ManualSource<Int, String>("y", second)
        let disposed = combineLatest(x.signal(), y.signal()).start(second)
        y.complete()
        disposed.dispose()
        disposed.dispose()
        #expect(second.text == "Sx Sy Dy Dx")
    }

    /// The originals start the sources behind one that has failed already, and dispose them.
    // Covers: B-52, SW-176, SW-202, C-152
    @Test func aSynchronousFailureStartsNoMore() {
        let failing: Signal<Int, String> = sync("f", log, [], .failed("x"))
        combineLatest(failing, a.signal()).start(log).dispose()
        #expect(log.text == "Sf Ex Df")
        combineLatest([failing, a.signal()]).start(log).dispose()
        #expect(log.text == "Sf Ex Df Sf Ex Df")
        mergeSignals([failing, a.signal()]).start(log).dispose()
        #expect(log.text == "Sf Ex Df Sf Ex Df Sf Ex Df")
    }

    /// Nor are they made.
    @Test func aSynchronousFailureMakesNoMore() {
        let failing = Signal<Int, String>.fail("x")
        let made: Signal<Int, String> = deferred { [log] in
            log.add("made")
            return .single(1)
        }
        #expect(combineLatest(failing, made).trace() == "Ex")
        #expect(combineLatest(failing, made, made).trace() == "Ex")
        #expect(combineLatest(failing, 1, made, 2).trace() == "N(1, 2) Ex")
        #expect(combineLatest([failing, made]).trace() == "Ex")
        #expect(mergeSignals([failing, made]).trace() == "Ex")
        #expect(log.text == "")
    }

    /// Reference trace of §0.5.
    // Covers: SW-176, C-174
    @Test func takeBehindTwoSynchronousSources() {
        let handle =
            (combineLatest(
                sync("1", log, [1, 2], SyncEnd<String>.open), sync("2", log, [10, 20], SyncEnd<String>.open)) |> take(1))
            .start(log)
        #expect(log.text == "S1 S2 N(2, 10) C D1 D2")
        handle.dispose()
    }

    /// A value that a source emits during its disposal is dropped (`S D N(7,1)` in the originals).
    /// Covers: B-1, SW-176, C-175
    @Test func nothingIsEmittedDuringDisposal() {
        let loud = Signal<Int, String> { [log] subscriber in
            log.add("S")
            return ActionDisposable {
                log.add("D")
                subscriber.putNext(7)
            }
        }
        combineLatest(loud, Signal<Int, String>.single(1)).start(log).dispose()
        #expect(log.text == "S D")
    }

    // MARK: Initial values

    // Covers: SW-201, C-153, C-156
    @Test func initialValuesComeBeforeAnySourceIsStarted() {
        let time = VirtualTime()
        for queue in [nil, time.queue] {
            let log = Log()
            let source = ManualSource<Int, String>("a", log)
            let handle = combineLatest(
                queue: queue, source.signal(), 1, sync("s", log, ["y"], SyncEnd<String>.completed), "x"
            ).start(log)
            time.advance(by: 0)
            source.next(2)
            time.advance(by: 0)
            #expect(log.text.hasPrefix("N(1, \"x\") Sa Ss "))
            #expect(log.entries.filter { $0.hasPrefix("N") } == ["N(1, \"x\")", "N(1, \"y\")", "N(2, \"y\")"])
            handle.dispose()
        }
        let nothing: Int? = nil
        #expect(
            combineLatest(Signal<Int?, String>.never(), nothing, Signal<Int, String>.fail("x"), 2).trace()
                == "N(nil, 2) Ex")
    }

    // MARK: Arities

    // Covers: SW-177, SW-178, SW-179, SW-180, SW-181, SW-182, SW-183, SW-184, SW-185, C-154, C-21
    @Test func aritiesUpToEleven() {
        func s(_ value: Int) -> Signal<Int, NoError> { .single(value) }
        let text: Signal<String, NoError> = .single("x")
        #expect((combineLatest(s(1), s(2), text) |> map { a, b, c in "\(a + b)\(c)" }).trace() == "N3x C")
        #expect(
            (combineLatest(queue: nil, s(1), text, s(3), s(4)) |> map { a, b, c, d in "\(a)\(b)\(c)\(d)" }).trace()
                == "N1x34 C")
        #expect(
            (combineLatest(s(1), s(2), s(3), s(4), text) |> map { a, b, c, d, e in "\(a)\(b)\(c)\(d)\(e)" }).trace()
                == "N1234x C")
        #expect(combineLatest(s(1), s(2), s(3), s(4), s(5), s(6)).trace() == "N(1, 2, 3, 4, 5, 6) C")
        #expect(combineLatest(s(1), s(2), s(3), s(4), s(5), s(6), s(7)).trace() == "N(1, 2, 3, 4, 5, 6, 7) C")
        #expect(combineLatest(s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8)).trace() == "N(1, 2, 3, 4, 5, 6, 7, 8) C")
        #expect(
            combineLatest(s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8), s(9)).trace()
                == "N(1, 2, 3, 4, 5, 6, 7, 8, 9) C")
        #expect(
            combineLatest(s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8), s(9), s(10)).trace()
                == "N(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) C")
        #expect(
            combineLatest(s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8), s(9), s(10), s(11)).trace()
                == "N(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) C")
    }

    // Covers: SW-186, SW-187, SW-188, SW-189, SW-190, SW-191, SW-192, SW-193, SW-194, SW-195, SW-196, SW-197, SW-198, SW-199, SW-200, C-154
    @Test func aritiesFromTwelveToTwentySix() {
        let n = (0...26).map { Signal<Int, NoError>.single($0) } // each another value: the order counts
        let (a, b, c, d, e, f, g, h, i, j, k, l, m) = (
            n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13]
        )
        let (n14, o, p, q, r, s, t, u, v, w, x, y, z) =
            (n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21], n[22], n[23], n[24], n[25], n[26])
        func expect<R>(_ count: Int, _ signal: Signal<R, NoError>) {
            #expect(signal.trace() == "N(" + (1...count).map { "\($0)" }.joined(separator: ", ") + ") C")
        }
        expect(12, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l))
        expect(13, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m))
        expect(14, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14))
        expect(15, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o))
        expect(16, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p))
        expect(17, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q))
        expect(18, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r))
        expect(19, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s))
        expect(20, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t))
        expect(21, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u))
        expect(22, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u, v))
        expect(23, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u, v, w))
        expect(24, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u, v, w, x))
        expect(25, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u, v, w, x, y))
        expect(26, combineLatest(a, b, c, d, e, f, g, h, i, j, k, l, m, n14, o, p, q, r, s, t, u, v, w, x, y, z))
    }

    // Covers: SW-176, C-157
    @Test func nilCountsAsAValue() {
        let optional = ManualSource<Int?, String>("o", log)
        let handle = combineLatest(optional.signal(), a.signal()).start(log)
        a.next(1)
        optional.next(nil)
        optional.next(2)
        #expect(log.text == "So Sa N(nil, 1) N(Optional(2), 1)")
        handle.dispose()
        let doubly = ManualSource<Int??, String>("d", Log())
        let second = Log()
        let other = combineLatest([doubly.signal(), .single(nil), .single(.some(nil))]).start(second)
        doubly.next(nil)
        #expect(second.text == "N[nil, nil, Optional(nil)]")
        other.dispose()
    }

    /// The values lie behind as many words as there are sources, which here end in the middle of 16 bytes.
    @Test func valuesOfAWideAlignment() {
        func s(_ value: Float) -> Signal<SIMD4<Float>, NoError> { .single(SIMD4(repeating: value)) }
        func sum(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) -> Float { (a + b * c).sum() }
        func chosen(_ first: Bool, _ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float { (first ? a : b).sum() }
        #expect((combineLatest(s(1), s(2), s(3)) |> map(sum)).trace() == "N28.0 C")
        #expect((combineLatest(.single(true), s(2), s(3)) |> map(chosen)).trace() == "N8.0 C")
    }

    // MARK: Arrays

    // Covers: SW-202, OC-87, MT-17, C-155
    @Test func arrays() {
        #expect(combineLatest([Signal<Int, String>]()).trace() == "N[] C")
        #expect(combineLatest(queue: Queue(name: "q"), [Signal<Int, String>]()).trace() == "N[] C")
        #expect(combineSignals([Signal<Int, String>]()).trace() == "N[] C")
        #expect(combineLatest([Signal<Int, String>.single(1)]).trace() == "N[1] C")
        let handle = combineLatest([a.signal(), b.signal(), .complete()]).start(log)
        a.next(1)
        b.next(2)
        a.complete()
        b.complete()
        #expect(log.text == "Sa Sb Da C Db")
        handle.dispose()
        let same = Log()
        let twice = combineSignals([a.signal(), a.signal()]).start(same)
        a.next(1)
        a.next(2)
        #expect(same.text == "N[1, 1] N[2, 1] N[2, 2]")
        twice.dispose()
    }

    /// In the originals a nil erases its slot, states emit nothing, and an empty list never ends.
    // Covers: B-55, OC-88
    @Test func initialStates() {
        let handle = combineSignals([a.signal(), b.signal()], initialStates: [1, 2, 3]).start(log)
        #expect(log.text == "N[1, 2] Sa Sb")
        b.next(5)
        #expect(log.text == "N[1, 2] Sa Sb N[1, 5]")
        handle.dispose()
        let partly = Log()
        let other = combineSignals([a.signal(), b.signal()], initialStates: [nil, 2]).start(partly)
        a.next(1)
        #expect(partly.text == "N[1, 2]")
        other.dispose()
        #expect(combineSignals([Signal<Int, String>](), initialStates: [1]).trace() == "N[] C")
        let optionals = Log()
        let source = ManualSource<Int?, String>()
        let third = combineSignals([source.signal(), .single(7)]).start(optionals)
        source.next(1)
        source.next(nil)
        source.next(2)
        #expect(optionals.text == "N[Optional(1), Optional(7)] N[nil, Optional(7)] N[Optional(2), Optional(7)]")
        third.dispose()
    }

    // MARK: Queue

    // Covers: SW-176, SW-202, C-156
    @Test func onAQueue() {
        let time = VirtualTime()
        let handle = combineLatest(queue: time.queue, a.signal(), b.signal()).start(log)
        let array = combineLatest(queue: time.queue, [a.signal(), b.signal()]).start(log)
        a.next(1)
        b.next(2)
        #expect(log.text == "Sa Sb Sa Sb")
        time.advance(by: 0)
        #expect(log.text.hasPrefix("Sa Sb Sa Sb N"))
        #expect(Set(log.entries.suffix(2)) == ["N(1, 2)", "N[1, 2]"])
        handle.dispose()
        array.dispose()
    }

    // MARK: Threads

    /// Every value after the first makes one combination, the last of which is the final state: in the originals it may be an older one.
    // Covers: B-54, SW-176, SW-202, C-178, C-182
    @Test func combinationsFromManyThreadsEndOnTheLastValues() {
        for round in 0..<60 {
            let sources = (0..<4).map { _ in ManualSource<Int, NoError>() }
            var count = 0, ended = 0
            var last: [Int] = []
            let next: ([Int]) -> Void = { value in
                count += 1
                last = value
            }
            let s = sources.map { $0.signal() }
            let combined =
                round % 2 == 0 ? combineLatest(s) : combineLatest(s[0], s[1], s[2], s[3]) |> map { [$0, $1, $2, $3] }
            let handle = combined.start(next: next, completed: { ended += 1 })
            for source in sources { source.next(0) }
            race(4) { thread in for value in 1...50 { sources[thread].next(value) } }
            #expect(count == 201)
            #expect(last == [50, 50, 50, 50])
            race(4) { thread in sources[thread].complete() }
            #expect(ended == 1)
            handle.dispose()
        }
    }

    // Covers: SW-176, B-3
    @Test func replacedValuesAreReleasedAndMayEmitThen() {
        let tracker = LifetimeTracker()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>(), other = ManualSource<Int, NoError>()
        var got: [String] = []
        let handle = combineLatest(source.signal(), other.signal()).start(next: { got.append("\($0.id)-\($1)") })
        other.next(0)
        source.next(tracker.make(1, onDeinit: { other.next(5) }))
        source.next(tracker.make(2))
        #expect(got == ["1-0", "2-0", "2-5"])
        #expect(tracker.live == 1)
        handle.dispose()
        #expect(tracker.live == 0)
    }

    // MARK: Merge

    // Covers: OC-89, MT-16
    @Test func mergeForwardsEverything() {
        let handle = mergeSignals([a.signal(), b.signal()]).start(log)
        a.next(1)
        b.next(2)
        a.complete()
        b.next(3)
        b.complete()
        #expect(log.text == "Sa Sb N1 N2 Da N3 C Db")
        handle.dispose()
        #expect(mergeSignals([Signal<Int, String>]()).trace() == "C")
        let failed = Log()
        let x = ManualSource<Int, String>("x", failed), y = ManualSource<Int, String>("y", failed)
        let other = mergeSignals([x.signal(), y.signal()]).start(failed)
        y.fail("e")
        #expect(failed.text == "Sx Sy Ee Dx Dy")
        other.dispose()
    }

    // Covers: OC-89
    @Test func mergeFromManyThreadsLosesNothing() {
        let sources = (0..<4).map { _ in ManualSource<Int, NoError>() }
        var got: [Int] = []
        var ended = 0
        let handle = mergeSignals(sources.map { $0.signal() }).start(
            next: { got.append($0) }, completed: { ended += 1 })
        race(4) { thread in
            for value in 0..<500 { sources[thread].next(thread * 500 + value) }
            sources[thread].complete()
        }
        #expect(got.sorted() == Array(0..<2_000))
        #expect(ended == 1)
        handle.dispose()
    }
}
