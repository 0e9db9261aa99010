import SignalKit
import SignalKitTesting
import Testing

/// A marble picture of docs/operators: `scripts/pictures.py` draws it from the text of this call, and the call compares
/// it with what happens.
///
/// - Parameters:
///   - name: The operator's row in docs/operators.tsv.
///   - code: What is written in the picture; it stands in `build`, too.
///   - sources: The diagrams above it.
///   - result: The diagram below it.
///   - values: What the letters of `result` stand for, where they do not stand for themselves.
///   - called: A diagram below that one: what `build` has said by `called`.
func picture<T>(
    _ name: String, _ code: String, _ sources: [String], _ result: String, _ values: [Character: String] = [:],
    called: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: (PictureSources) -> Signal<T, String>
) {
    picture(name, code, sources, ["^": result], values, called: called, sourceLocation: sourceLocation, build)
}

/// A picture with several listeners.
///
/// - Parameter results: What each of them gets, by the diagram of its subscription (`--^---!`).
func picture<T>(
    _ name: String, _ code: String, _ sources: [String], _ results: KeyValuePairs<String, String>,
    _ values: [Character: String] = [:], called: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: (PictureSources) -> Signal<T, String>
) {
    let test = TestScheduler(), pictured = PictureSources(test, sources)
    if let called { test.expectSignal(pictured.calls.signal()).toBe(called) }
    let signal = build(pictured) |> map { value -> String in
        let text = String(describing: value)
        return values.first { $0.value == text }.map { String($0.key) } ?? text
    }
    for (subscription, result) in results { test.expectSignal(signal, subscription: subscription).toBe(result) }
    do { try test.run() } catch { Issue.record(error, "\(name): \(code)", sourceLocation: sourceLocation) }
}

/// What the closure of a picture makes its signal of.
struct PictureSources {
    fileprivate let calls = ValuePipe<String>()
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

    /// The same, which cannot fail.
    func safe(_ index: Int) -> Signal<String, NoError> { self[index] |> `catch` { _ in .never() } }

    /// Does something with each value of that diagram, from the beginning on.
    func feed(_ index: Int, _ put: @escaping @Sendable (String) -> Void) {
        let source = safe(index)
        queue.after(0) { _ = source.start(next: put) }
    }

    /// To be called by functions that an operator calls.
    var called: @Sendable (String) -> Void { { [calls] in calls.putNext($0) } }
}
