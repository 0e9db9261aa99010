import Testing

@testable import SignalKit

/// `.pause` in operators that combine signals: a source whose own values wait is paused alone.
@Suite struct PausedSourceTests {
    /// Counts the numbers that a range has emitted.
    private func counted(_ count: Int, _ produced: Tally) -> Signal<Int, NoError> {
        Signal<Int, NoError>.range(0, count: count)
            |> map { (number: Int) -> Int in
                produced.up()
                return number
            }
    }

    @Test(arguments: [1, 2, 5]) func aPairPausesTheSideThatIsAhead(limit: Int) {
        let time = VirtualTime(), produced = Tally(), counter = OverflowCounter()
        let slow = ValuePipe<String>(), received = Recorded<Int>()
        let pairs = zip(
            counted(100, produced) |> runOn(time.queue), slow.signal(), limit: limit, overflow: .pause(),
            counter: counter)
        let run = pairs.start(next: { received.add($0.0) })
        time.advance(by: 0)
        #expect(produced.value == limit)
        for number in 0..<100 {
            slow.putNext("")
            time.advance(by: 0)
            #expect(received.count == number + 1 && produced.value - received.count <= limit)
        }
        #expect(received.all == Array(0..<100) && counter.exceeded == 0 && !slow.isPaused)
        run.dispose()
    }

    /// The rows of an array know which of them are ahead.
    @Test func anArrayPausesTheSourcesThatAreAhead() {
        let pipes = (0..<3).map { _ in ValuePipe<Int>() }, received = Recorded<[Int]>()
        let run = zip(pipes.map { $0.signal() }, limit: 2, overflow: .pause()).start(next: { received.add($0) })
        for number in 0..<2 {
            pipes[0].putNext(number)
            pipes[2].putNext(number)
        }
        #expect(pipes.map { $0.isPaused } == [true, false, true])
        pipes[1].putNext(0)
        #expect(pipes.map { $0.isPaused } == [false, false, false])
        pipes[1].putNext(1)
        pipes[1].putNext(2)
        pipes[1].putNext(3)
        #expect(pipes.map { $0.isPaused } == [false, true, false])
        #expect(received.all == [[0, 0, 0], [1, 1, 1]])
        run.dispose()
    }

    /// A second policy decides at the limit. The source is paused at three quarters of it.
    @Test func aPairDropsAtItsLimit() {
        let left = ValuePipe<Int>(), right = ValuePipe<Int>(), counter = OverflowCounter(), received = Recorded<Int>()
        let pairs = zip(
            left.signal(), right.signal(), limit: 4, overflow: .pause(then: .dropOldest), counter: counter)
        let run = pairs.start(next: { received.add($0.0) })
        for number in 0..<6 {
            left.putNext(number)
            #expect(left.isPaused == (number >= 2))
        }
        #expect(counter.dropped == 2 && counter.exceeded == 0)
        right.putNext(0)
        #expect(left.isPaused)
        right.putNext(1)
        #expect(!left.isPaused && received.all == [2, 3])
        run.dispose()
    }

    /// With `waiting: 0` the outer source emits only while a place is free.
    @Test(arguments: [1, 3], [0, 2]) func innerSignalsPauseTheOuterOne(places: Int, waiting: Int) {
        for isOrdered in [false, true] {
            let time = VirtualTime(), produced = Tally(), counter = OverflowCounter(), received = Recorded<Int>()
            let outer = counted(100, produced) |> runOn(time.queue)
            let inner = { (number: Int) in Signal<Int, NoError>.single(number) |> delay(1, queue: time.queue) }
            let merged =
                isOrdered
                ? outer |> mapOrdered(limit: places, waiting: waiting, overflow: .pause(), counter: counter, inner)
                : outer |> mapToMerged(limit: places, waiting: waiting, overflow: .pause(), counter: counter, inner)
            let run = merged.start(next: { received.add($0) })
            time.advance(by: 0)
            #expect(produced.value == places + waiting)
            while received.count < 100 {
                time.advance(by: 0.5)
                #expect(produced.value - received.count <= places + waiting)
            }
            #expect(received.all == Array(0..<100) && counter.exceeded == 0)
            run.dispose()
        }
    }

    /// A pause from below and the operator's own pause are counted together. Values wait for the end of the former.
    @Test func aRatePausesItsSource() {
        let time = VirtualTime(), produced = Tally(), received = Recorded<Int>()
        let limited =
            counted(20, produced) |> runOn(time.queue)
            |> rateLimit(1, per: 1, queue: time.queue, waiting: 2, overflow: .pause())
        let run = limited.start(next: { received.add($0) })
        time.advance(by: 0)
        #expect(received.count == 1 && produced.value == 3)
        let hold = run.hold()
        time.advance(by: 2)
        #expect(received.count == 1 && produced.value == 3)
        hold?.dispose()
        time.advance(by: 0)
        #expect(received.count == 2 && produced.value == 4)
        time.advance(by: 100)
        #expect(received.all == Array(0..<20))
        run.dispose()
    }
}
