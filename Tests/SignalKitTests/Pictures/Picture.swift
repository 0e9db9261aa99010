import SignalKit
import SignalKitTesting
import Testing

/// A marble picture of docs/operators: `scripts/pictures.py` draws it from the text of this call, and the call compares it with what happens.
///
/// - Parameters:
///   - name: The operator's row in docs/operators.tsv.
///   - code: What is written in the picture; it stands in `build`, too.
///   - sources: The diagrams above it.
///   - result: The diagram below it.
///   - values: What the letters of `result` stand for, where they do not stand for themselves.
func picture<T>(
    _ name: String, _ code: String, _ sources: [String], _ result: String, _ values: [Character: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation, _ build: (PictureSources) -> Signal<T, String>
) {
    let test = TestScheduler()
    let signal = build(PictureSources(test, sources)) |> map { value -> String in
        let text = String(describing: value)
        return values.first { $0.value == text }.map { String($0.key) } ?? text
    }
    test.expectSignal(signal).toBe(result)
    do { try test.run() } catch { Issue.record(error, "\(name): \(code)", sourceLocation: sourceLocation) }
}

/// What the closure of a picture makes its signal of.
struct PictureSources {
    private let test: TestScheduler
    private let diagrams: [String]

    init(_ test: TestScheduler, _ diagrams: [String]) {
        self.test = test
        self.diagrams = diagrams
    }

    var queue: Queue { test.queue }

    /// The source of that diagram, cold.
    subscript(index: Int) -> Signal<String, String> { test.cold(diagrams[index]).signal }

    /// The same, of numbers.
    func numbers(_ index: Int) -> Signal<Int, String> { self[index] |> map { Int($0)! } }
}
