import SignalKit

struct NotANumber {
    let text: String
    init(_ text: String) { self.text = text }
}
func numbers(_ signal: Signal<String, NotANumber>) -> Signal<Int, NotANumber> {
    EXAMPLE
}
nonisolated(unsafe) var log: [String] = []
_ = numbers(.single("12")).start(next: { log.append("\($0)") }, error: { log.append($0.text) })
_ = numbers(.single("twelve")).start(next: { log.append("\($0)") }, error: { log.append($0.text) })
precondition(log == ["12", "twelve"])
