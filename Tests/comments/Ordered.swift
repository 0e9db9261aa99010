import SignalKit

let pages = [ValuePipe<String>(), ValuePipe<String>()]
func download(_ address: Int) -> Signal<String, NoError> { pages[address].signal() |> take(1) }

func downloads(_ addresses: Signal<Int, NoError>) -> Signal<String, NoError> {
    EXAMPLE
}
nonisolated(unsafe) var log: [String] = []
_ = downloads(.sequence([0, 1])).start(next: { log.append($0) })
pages[1].putNext("second")
precondition(log.isEmpty)
pages[0].putNext("first")
precondition(log == ["first", "second"])
