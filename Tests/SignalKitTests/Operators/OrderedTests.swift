import SignalKitCore
import Testing

/// Inner signals that run simultaneously, and whose values have the order of the signals.
@Suite struct OrderedTests {
    private let log = Log()
    private let outer: ManualSource<Signal<Int, String>, String>
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>, c: ManualSource<Int, String>

    init() {
        outer = ManualSource("o", log)
        (a, b, c) = (ManualSource("a", log), ManualSource("b", log), ManualSource("c", log))
    }

    @Test func theValuesHaveTheOrderOfTheSignals() {
        let handle = (outer.signal() |> mergedInOrder(limit: 3, waiting: nil)).start(log)
        for source in [a, b, c] { outer.next(source.signal()) }
        c.next(5)
        b.next(3)
        a.next(1)
        c.complete()
        b.next(4)
        a.next(2)
        #expect(log.text == "So Sa Sb Sc N1 Dc N2")
        a.complete()
        #expect(log.text == "So Sa Sb Sc N1 Dc N2 N3 N4 Da")
        outer.complete()
        b.complete()
        #expect(log.text == "So Sa Sb Sc N1 Dc N2 N3 N4 Da Do N5 C Db")
        handle.dispose()
    }

    /// A signal counts as running until its last value was emitted. Then as many start as there is space for.
    @Test func pendingValuesKeepTheirPlaces() {
        let handle = (outer.signal() |> mergedInOrder(limit: 2, waiting: nil)).start(log)
        outer.next(a.signal())
        outer.next(.single(2))
        outer.next(b.signal())
        outer.next(c.signal())
        #expect(log.text == "So Sa")
        a.next(1)
        a.complete()
        #expect(log.text == "So Sa N1 N2 Sb Sc Da")
        handle.dispose()
    }

    @Test func anErrorDropsThePendingValues() {
        let handle = (outer.signal() |> mergedInOrder(limit: 2, waiting: nil)).start(log)
        outer.next(a.signal())
        outer.next(b.signal())
        b.next(2)
        b.fail("broken")
        #expect(log.text == "So Sa Sb Ebroken Da Do Db")
        handle.dispose()
    }

    /// What a value's listener does arrives after the pending values.
    @Test func aValueThatStartsAnotherSignal() {
        let seen = Log()
        let pipe = ValuePipe<Int>()
        let results = pipe.signal() |> mapOrdered(limit: 2, waiting: nil) { n in Signal<Int, NoError>.single(n * 10) }
        let handle = results.start(next: {
            seen.add("\($0)")
            if $0 < 30 { pipe.putNext($0 / 10 + 1) }
        })
        pipe.putNext(1)
        #expect(seen.text == "10 20 30")
        handle.dispose()
    }

    /// A million inner signals that end inside their starts need no more stack than one.
    @Test func manyInnersThatWaitNeedNoStack() {
        let gate = ManualSource<Int, NoError>("gate", log)
        var count = 0
        let numbers = Signal<Int, NoError>.range(0, count: 100_000)
        let results =
            numbers
            |> mapOrdered(limit: 2, waiting: nil) { n in
                n == 0 ? gate.signal() : deferred { .single(n) }
            }
        let handle = results.start(next: { _ in count += 1 })
        #expect(count == 0)
        gate.complete()
        #expect(count == 99_999)
        handle.dispose()
    }
}
