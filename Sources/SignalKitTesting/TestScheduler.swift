import SignalKitCore

/// Marble tests: sources and expectations as diagrams, on a virtual clock.
///
///     let test = TestScheduler()
///     let source = test.cold("-a-bc---|")
///     test.expectSignal(source.signal |> debounce(2, queue: test.queue)).toBe("------c-|")
///     try test.run()
///
/// One character is one frame, by default one second. `Diagram` defines the language: `-` is an empty frame, a letter a
/// value, `|` the completion, `#` an error, `(ab)` two values in one frame, `^` and `!` a subscription and its end, `p`
/// and `r` in it a pause and its end. Use one scheduler per test, on one thread.
public final class TestScheduler: @unchecked Sendable {
    public let time = VirtualTime()
    /// The queue for the tested operators.
    public var queue: Queue { time.queue }
    public let secondsPerFrame: Double
    private var beginnings: [() -> Void] = []
    private var checks: [() -> MarbleMismatch?] = []
    let runs = DisposableSet()

    public init(secondsPerFrame: Double = 1) { self.secondsPerFrame = secondsPerFrame }

    deinit { runs.dispose() }

    // MARK: Sources

    /// Returns a source that starts again for each subscriber. Each letter is its own value.
    public func cold(_ marbles: String) -> MarbleSource<String, String> { cold(marbles, values: letters, error: "#") }
    /// Returns a source that emits with or without subscribers.
    public func hot(_ marbles: String) -> MarbleSource<String, String> { hot(marbles, values: letters, error: "#") }

    public func cold<T>(_ marbles: String, values: [Character: T]) -> MarbleSource<T, String> {
        cold(marbles, values: values, error: "#")
    }
    public func hot<T>(_ marbles: String, values: [Character: T]) -> MarbleSource<T, String> {
        hot(marbles, values: values, error: "#")
    }

    public func cold<T, E>(_ marbles: String, values: [Character: T], error: E) -> MarbleSource<T, E> {
        MarbleSource(marbles, values, error, self, isHot: false)
    }

    public func hot<T, E>(_ marbles: String, values: [Character: T], error: E) -> MarbleSource<T, E> {
        let source = MarbleSource(marbles, values, error, self, isHot: true)
        beginnings.append(source.begin)
        return source
    }

    func add(_ check: @escaping () -> MarbleMismatch?) { checks.append(check) }

    /// Runs the test to its end. Throws the first failed expectation, with both diagrams.
    public func run() throws(MarbleMismatch) {
        for begin in beginnings { begin() }
        beginnings = []
        let hasEnded = time.run(limit: 100_000)
        defer { runs.dispose() }
        if !hasEnded {
            throw MarbleMismatch(
                description: "the test goes on for ever: something repeats, and nobody unsubscribes (!)")
        }
        for check in checks { if let mismatch = check() { throw mismatch } }
    }

    /// The current frame, rounded down.
    var frame: Int { Int((exactFrame + 1e-6).rounded(.down)) }
    var exactFrame: Double { time.now / secondsPerFrame }

    /// Schedules work, unless the frame is never reached.
    func at(_ frame: Int, _ work: @escaping @Sendable () -> Void) {
        if frame < Int.max { queue.after(Double(frame) * secondsPerFrame, work) }
    }

    private var letters: [Character: String] {
        var all: [Character: String] = [:]
        for character in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" {
            all[character] = String(character)
        }
        return all
    }
}

/// A failed expectation.
public struct MarbleMismatch: Error, CustomStringConvertible {
    public let description: String
}
