import SignalKitCore
import SignalKitTesting
import Testing

/// A marble picture of docs/operators: `scripts/pictures.py` draws it from the text of this call, and the call compares
/// it with what happens.
///
/// - Parameters:
///   - name: The operator's row in docs/operators.tsv.
///   - code: The text in the picture, which `build` also contains.
///   - sources: The diagrams above it.
///   - result: The diagram below it.
///   - values: The values of the letters in `result`, if they differ from the letters.
///   - called: A diagram below that one, with the calls that `build` reports by `called`.
///   - paused: A diagram of the subscription to the first source, with its pauses.
func picture<T>(
    _ name: String, _ code: String, _ sources: [String], _ result: String, _ values: [Character: String] = [:],
    called: String? = nil, paused: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: (PictureSources) -> Signal<T, String>
) {
    picture(
        name, code, sources, ["^": result], values, called: called, paused: paused, sourceLocation: sourceLocation,
        build)
}

/// A picture with several listeners.
///
/// - Parameter results: What each of them gets, by the diagram of its subscription (`--^---!`).
func picture<T>(
    _ name: String, _ code: String, _ sources: [String], _ results: KeyValuePairs<String, String>,
    _ values: [Character: String] = [:], called: String? = nil, paused: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ build: (PictureSources) -> Signal<T, String>
) {
    let test = TestScheduler(), pictured = PictureSources(test, sources)
    if let called { test.expectSignal(pictured.calls.signal()).toBe(called) }
    let signal =
        build(pictured)
        |> map { value -> String in
            let text = String(describing: value)
            return values.first { $0.value == text }.map { String($0.key) } ?? text
        }
    if let paused { test.expectSubscriptions(pictured.colds[0]).toBe(paused) }
    for (subscription, result) in results { test.expectSignal(signal, subscription: subscription).toBe(result) }
    do { try test.run() } catch { Issue.record(error, "\(name): \(code)", sourceLocation: sourceLocation) }
}
