import SignalKit

struct ParseError: Error {}
func parse(_ text: String) throws(ParseError) -> Int {
    guard let number = Int(text) else { throw ParseError() }
    return number
}
func numbers(_ texts: Signal<String, ParseError>) -> Signal<Int, ParseError> {
    EXAMPLE
}
nonisolated(unsafe) var log: [String] = []
_ = numbers(.single("12")).start(next: { log.append("\($0)") }, error: { _ in log.append("error") })
_ = numbers(.single("twelve")).start(next: { log.append("\($0)") }, error: { _ in log.append("error") })
precondition(log == ["12", "error"])
