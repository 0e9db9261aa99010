import SignalKit

func totals(_ counts: Signal<Int, NoError>) -> Signal<Int, NoError> {
    EXAMPLE
}
nonisolated(unsafe) var log: [Int] = []
let pipe = ValuePipe<Int>()
_ = totals(pipe.signal()).start(next: { log.append($0) })
for count in [1, 2, 3] { pipe.putNext(count) }
precondition(log == [1, 3, 6])
