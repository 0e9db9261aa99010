import SignalKit

typealias Request = (user: String, text: String)

let answers = [ValuePipe<String>(), ValuePipe<String>()]
func answer(to request: Request) -> Signal<String, NoError> {
    answers[request.text == "first" ? 0 : 1].signal() |> map { "\(request.user): \($0)" }
}

func answered(_ requests: Signal<Request, NoError>) -> Signal<String, NoError> {
    EXAMPLE
}
nonisolated(unsafe) var log: [String] = []
let pipe = ValuePipe<Request>()
_ = answered(pipe.signal()).start(next: { log.append($0) })
for (user, text) in [("ann", "first"), ("bob", "first"), ("ann", "second")] { pipe.putNext((user, text)) }
answers[0].putNext("1")
answers[1].putNext("2")
precondition(log == ["bob: 1", "ann: 2"])
