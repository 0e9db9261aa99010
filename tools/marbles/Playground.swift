/// The pictures' closures, as a page asks for them: each call of `picture` in Tests/SignalKitTests/Pictures is compiled
/// with this function instead of the tests' own, and the one that is asked for runs.
func picture<T: CustomStringConvertible>(
    _ name: String, _ code: String, _ sources: [String], _ result: String, _ values: [Character: String] = [:],
    called: String? = nil, paused: String? = nil, _ build: (PictureSources) -> Signal<T, String>
) {
    picture(name, code, sources, ["^": result], values, called: called, paused: paused, build)
}

func picture<T: CustomStringConvertible>(
    _ name: String, _ code: String, _ sources: [String], _ results: KeyValuePairs<String, String>,
    _ values: [Character: String] = [:], called: String? = nil, paused: String? = nil,
    _ build: (PictureSources) -> Signal<T, String>
) {
    playground.play(name, code, results.count + (called == nil ? 0 : 1)) { test in
        let pictured = PictureSources(test, playground.diagrams)
        if called != nil { playground.record(pictured.calls.signal(), "^", results.count) }
        let signal = build(pictured)
        for (number, (subscription, _)) in results.enumerated() { playground.record(signal, subscription, number) }
        return paused == nil ? nil : pictured.colds[0]
    }
}

extension Never: @retroactive CustomStringConvertible {
    public var description: String { switch self {} }
}

nonisolated(unsafe) private let playground = Playground()

/// A request and its answer.
final class Playground {
    /// The maximum number of events. A source that ends immediately and is restarted would never end.
    private static var limit: Int { 10_000 }

    private var name = "", code = ""
    private(set) var diagrams: [String] = []
    private var test = TestScheduler()
    private var answer = ""

    /// - Parameter request: Lines with the picture's name, its code, the number of diagram frames in one frame of the
    ///   picture (a second), and one line for each diagram.
    /// - Returns: A line for each event, in order: the number of its line below the box, the frame, the value.
    func answer(_ request: [String]) -> String {
        (name, code, diagrams) = (request[0], request[1], Array(request[3...]))
        test = TestScheduler(secondsPerFrame: 1 / Double(Int(request[2])!))
        allPictures()
        return answer
    }

    /// - Parameter build: returns a source whose pauses are the line after `count` others.
    func play(
        _ name: String, _ code: String, _ count: Int, _ build: (TestScheduler) -> MarbleSource<String, String>?
    ) {
        guard name == self.name, code == self.code else { return }
        let source = build(test)
        test.time.run(limit: Playground.limit)
        for (frame, marks) in (source?.subscriptions.first?.frames ?? [:]).sorted(by: { $0.key < $1.key }) {
            let seconds = Int(Double(frame) * test.secondsPerFrame)
            for mark in marks where mark == "p" || mark == "r" { answer += "\(count) \(seconds) \(mark)\n" }
        }
    }

    /// Starts the signal when its listener comes, and stops when that leaves.
    func record<T: CustomStringConvertible, E>(_ signal: Signal<T, E>, _ subscription: String, _ line: Int) {
        let frames = Diagram.subscription(subscription, secondsPerFrame: 1).frames, run = MetaDisposable()
        test.runs.add(run)
        test.queue.after(Double(frames.lowerBound)) {
            run.set(
                signal.start(
                    next: { self.add($0.description, line) }, error: { _ in self.add("#", line) },
                    completed: { self.add("|", line) }))
        }
        if frames.upperBound < Int.max { test.queue.after(Double(frames.upperBound)) { run.dispose() } }
    }

    private func add(_ text: String, _ line: Int) { answer += "\(line) \(Int(test.time.now)) \(text)\n" }
}

/// Allocates memory for a request of `size` bytes.
@_cdecl("room") public func room(_ size: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: size, alignment: 1)
}

/// Answers the request there, which is UTF-8, in the same, with a 0 behind.
@_cdecl("answer") public func answer(_ request: UnsafeRawPointer, _ size: Int) -> UnsafeRawPointer {
    let text = String(decoding: UnsafeRawBufferPointer(start: request, count: size), as: UTF8.self)
    let answer = playground.answer(text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) })
    let result = UnsafeMutableRawBufferPointer.allocate(byteCount: answer.utf8.count + 1, alignment: 1)
    result.copyBytes(from: answer.utf8)
    result[answer.utf8.count] = 0
    return UnsafeRawPointer(result.baseAddress!)
}
