import Testing
@testable import SignalKitCore

@Suite struct ReduceTests {
    private let log = Log()

    // Covers: SW-164, OC19-1, MT-28, C-141
    @Test func foldsAndEmitsAtTheEnd() {
        let sum: (Signal<Int, String>) -> Signal<Int, String> = reduceLeft(value: 10, f: { (a: Int, b: Int) in a + b })
        #expect((sync("a", log, [1, 2, 3], SyncEnd<String>.completed) |> sum).trace() == "N16 C")
        #expect((sync("a", log, [], SyncEnd<String>.completed) |> sum).trace() == "N10 C")
        #expect((sync("a", log, [1, 2], SyncEnd<String>.failed("x")) |> sum).trace() == "Ex")
    }

    // Covers: SW-165, OC19-2, C-141
    @Test func emitsOnTheWay() {
        let signal =
            sync("a", log, [1, 2, 3], SyncEnd<String>.completed)
            |> reduceLeft(
                value: 0,
                f: { (a: Int, b: Int, emit: (Int) -> Void) -> Int in
                    emit(b * 10)
                    return a + b
                })
        #expect(signal.trace() == "N10 N20 N30 N6 C")
        #expect((signal |> take(2)).trace() == "N10 N20 C")
    }

    /// Four threads: nothing is lost from the sum.
    // Covers: SW-164
    @Test func theAccumulatorIsNotRaced() {
        let source = ManualSource<Int, NoError>()
        var got: [Int] = []
        _ = (source.signal() |> reduceLeft(value: 0, f: { (a: Int, b: Int) in a + b })).start(next: { got.append($0) })
        race(4) { _ in for _ in 0..<2_000 { source.next(1) } }
        source.complete()
        #expect(got == [8_000])
    }

    // Covers: SW-166, SW-167, C-142
    @Test func stepsRunOneAfterAnother() {
        let source = ManualSource<Int, String>("a", log)
        let inners = ManualSource<(Int, Passthrough<Int>), String>("i", log)
        var asked: [String] = []
        let handle =
            (source.signal()
            |> reduceLeft(
                0,
                generator: { (sum: Int, value: Int) -> Signal<(Int, Passthrough<Int>), String> in
                    asked.append("\(sum)+\(value)")
                    return inners.signal()
                })).start(log)
        source.next(1)
        source.next(2)
        #expect(asked == ["0+1"])
        inners.next((5, .Some(50)))
        inners.next((7, .None))
        inners.complete()
        #expect(asked == ["0+1", "7+2"])
        source.complete()
        inners.next((9, .Some(90)))
        inners.complete()
        // The next step is started before the one before is disposed.
        #expect(log.text == "Sa Si N50 Si Di Da N90 N9 C Di")
        handle.dispose()
    }

    // Covers: SW-166, C-142
    @Test func completionWhileIdleAndErrors() {
        let plus: (Int, Int) -> Signal<(Int, Passthrough<Int>), String> = { .single(($0 + $1, .Some($0 + $1))) }
        #expect(
            (sync("a", log, [1, 2, 3], SyncEnd<String>.completed) |> reduceLeft(0, generator: plus)).trace()
                == "N1 N3 N6 N6 C")
        #expect((sync("a", log, [], SyncEnd<String>.completed) |> reduceLeft(4, generator: plus)).trace() == "N4 C")
        #expect((sync("a", log, [1], SyncEnd<String>.failed("x")) |> reduceLeft(0, generator: plus)).trace() == "N1 Ex")
        let failing: (Int, Int) -> Signal<(Int, Passthrough<Int>), String> = {
            $1 == 2 ? .fail("i") : .single(($1, .None))
        }
        #expect(
            (sync("a", log, [1, 2, 3], SyncEnd<String>.completed) |> reduceLeft(0, generator: failing)).trace() == "Ei")
    }

    // Covers: SW-166, C-142
    @Test func disposalIsOfTheStepThenOfTheSource() {
        let source = ManualSource<Int, NoError>("a", log),
            inner = ManualSource<(Int, Passthrough<Int>), NoError>("i", log)
        let handle = (source.signal() |> reduceLeft(0, generator: { (_: Int, _: Int) in inner.signal() })).start(log)
        source.next(1)
        source.next(2)
        handle.dispose()
        #expect(log.text == "Sa Si Di Da")
    }

    /// The generator of a value that waited is called under the operator's lock in the originals: emitting or disposing there never returns.
    // Covers: B-53, SW-166
    @Test func theGeneratorMayEmitIntoTheSourceAndDispose() {
        let source = ManualSource<Int, NoError>("a", log), inner = ManualSource<(Int, Passthrough<Int>), NoError>()
        var handle: (any Disposable)?
        var asked: [Int] = []
        handle =
            (source.signal()
            |> reduceLeft(
                0,
                generator: { (_: Int, value: Int) -> Signal<(Int, Passthrough<Int>), NoError> in
                    asked.append(value)
                    if value == 2 { source.next(3) }
                    if value == 3 { handle?.dispose() }
                    return inner.signal()
                })).start(log)
        source.next(1)
        source.next(2)
        inner.complete()
        inner.complete()
        #expect(asked == [1, 2, 3])
        #expect(log.text == "Sa Da")
    }

    /// A value from inside the callback of a passed one is folded with the newer accumulator.
    // Covers: SW-166
    @Test func theAccumulatorIsWrittenBeforeTheValueIsPassed() {
        let source = ManualSource<Int, NoError>()
        var asked: [String] = []
        let handle =
            (source.signal()
            |> reduceLeft(
                0,
                generator: { (sum: Int, value: Int) -> Signal<(Int, Passthrough<Int>), NoError> in
                    asked.append("\(sum)+\(value)")
                    return .single((sum + value, .Some(sum + value)))
                })).start(next: { if $0 == 1 { source.next(10) } })
        source.next(1)
        #expect(asked == ["0+1", "1+10"])
        handle.dispose()
    }

    // Covers: SW-166, C-31
    @Test func aThousandStepsThroughAQueue() {
        let queue = Queue(name: "steps")
        var got: [Int] = []
        let done = Log()
        let source: Signal<Int, NoError> = sync("a", log, Array(0..<1000), .completed)
        let handle =
            (source
            |> reduceLeft(
                0,
                generator: { (sum: Int, value: Int) -> Signal<(Int, Passthrough<Int>), NoError> in
                    .single((sum + value, .Some(sum + value))) |> deliverOn(queue)
                })).start(next: { got.append($0) }, completed: { done.add("C") })
        #expect(eventually { done.text == "C" })
        var sums: [Int] = []
        for value in 0..<1000 { sums.append((sums.last ?? 0) + value) }
        #expect(got == sums + [sums.last!])
        handle.dispose()
    }

    // Covers: SW-166, B-51
    @Test func manyStepsNeedNoStack() {
        onSmallStack {
            let source = Signal<Int, NoError> { subscriber in
                for _ in 0..<manyRounds { subscriber.putNext(1) }
                subscriber.putCompletion()
                return EmptyDisposable
            }
            var got = 0
            _ = (source |> reduceLeft(0, generator: { (sum: Int, value: Int) in .single((sum + value, .None)) })).start(
                next: { got = $0 })
            #expect(got == manyRounds)
        }
    }
}
