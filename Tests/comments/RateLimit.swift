import SignalKit

func limited(_ requests: Signal<Int, NoError>, _ queue: Queue) -> Signal<Int, NoError> {
    EXAMPLE
    return sent
}
nonisolated(unsafe) var log: [Int] = []
let time = VirtualTime()
_ = limited(.range(0, count: 200), time.queue).start(next: { log.append($0) })
precondition(log == Array(0..<10))
time.run()
precondition(log == Array(0..<10) + Array(100..<200))
