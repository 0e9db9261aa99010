import SignalKitCore

extension TestScheduler {
    /// Starts the signal when the test runs.
    /// - Parameter subscription: the frames of the start and of the disposal: `^---!`. By default it starts at the
    ///   first frame. The test holds it from `p` to `r`: `^--p--r`.
    public func expectSignal<T, E>(
        _ signal: Signal<T, E>, subscription: String = "^", line: UInt = #line
    ) -> SignalExpectation<T, E> {
        let expectation = SignalExpectation<T, E>(self, line)
        let (frames, pauses) = Diagram.subscription(subscription, secondsPerFrame: secondsPerFrame)
        let run = MetaDisposable()
        runs.add(run)
        at(frames.lowerBound) { run.set(expectation.record(signal)) }
        for pause in pauses {
            let hold = MetaDisposable()
            runs.add(hold)
            at(pause.lowerBound) { hold.set(expectation.run?.hold()) }
            at(pause.upperBound) { hold.dispose() }
        }
        at(frames.upperBound) { run.dispose() }
        return expectation
    }

    /// Returns an expectation of the subscriptions to a source, in their order.
    ///
    /// The diagram of a cold source that was paused contains the frames at which it stopped and continued: `^-p--r-!`.
    public func expectSubscriptions<T, E>(_ source: MarbleSource<T, E>, line: UInt = #line) -> SubscriptionExpectation {
        SubscriptionExpectation(self, line) { source.subscriptions }
    }
}

/// An expectation of a signal: `expectSignal(…).toBe("--a--|")`.
public final class SignalExpectation<T, E>: @unchecked Sendable {
    private enum Event {
        case next(T)
        case error(E)
        case completed
    }

    private let scheduler: TestScheduler
    private let line: UInt
    private var events: [(frame: Double, event: Event)] = []
    private(set) var run: (any Disposable)?

    init(_ scheduler: TestScheduler, _ line: UInt) {
        self.scheduler = scheduler
        self.line = line
    }

    func record(_ signal: Signal<T, E>) -> any Disposable {
        let run = signal.start(
            next: { self.add(.next($0)) }, error: { self.add(.error($0)) }, completed: { self.add(.completed) })
        self.run = run
        return run
    }

    private func add(_ event: Event) { events.append((scheduler.exactFrame, event)) }

    /// Compares the events with a diagram when the test has run.
    /// - Parameters:
    ///   - name: returns the letter of a value.
    ///   - isExpected: returns whether an error matches `#`.
    private func expect(_ marbles: String, _ name: @escaping (T) -> Character?, _ isExpected: @escaping (E) -> Bool) {
        scheduler.add { [self] in
            var expected = Drawing(), actual = Drawing(), remarks: [String] = []
            for (frame, mark) in Diagram(marbles, secondsPerFrame: scheduler.secondsPerFrame).events {
                switch mark {
                case let .next(character): expected.add(character, at: frame)
                case .error: expected.add("#", at: frame)
                case .completed: expected.add("|", at: frame)
                case .subscribe, .unsubscribe: preconditionFailure("^ and ! are for subscriptions: \(marbles)")
                }
            }
            for (time, event) in events {
                let frame = Int((time + 1e-6).rounded(.down))
                var character: Character = "|"
                switch event {
                case let .next(value):
                    character = name(value) ?? "?"
                    if character == "?" { remarks.append("? at frame \(frame) is \(value)") }
                case let .error(error):
                    character = isExpected(error) ? "#" : "?"
                    if character == "?" { remarks.append("? at frame \(frame) is the error \(error)") }
                case .completed: break
                }
                // An event between two frames is never expected.
                if abs(time - Double(frame)) > 1e-5 {
                    remarks.append("\(character) comes at frame \(time), between two frames")
                    character = "~"
                }
                actual.add(character, at: frame)
            }
            return mismatch(expected, actual, line, remarks)
        }
    }
}

extension SignalExpectation where T: Equatable {
    /// - Parameter error: the error for `#`. Nil allows any error.
    public func toBe(_ marbles: String, values: [Character: T], error: E? = nil) where E: Equatable {
        expect(marbles, { value in values.filter { $0.value == value }.keys.min() }, { error == nil || $0 == error })
    }
}

extension SignalExpectation where T == String {
    /// Each letter is its own value, and `#` any error.
    public func toBe(_ marbles: String) { expect(marbles, { $0.count == 1 ? $0.first : nil }, { _ in true }) }
}

/// An expectation of the subscriptions to a source: `expectSubscriptions(source).toBe("^--!")`.
public struct SubscriptionExpectation {
    private let scheduler: TestScheduler
    private let line: UInt
    private let subscriptions: () -> [Drawing]

    init(_ scheduler: TestScheduler, _ line: UInt, _ subscriptions: @escaping () -> [Drawing]) {
        self.scheduler = scheduler
        self.line = line
        self.subscriptions = subscriptions
    }

    /// Expects one subscription per diagram. Without a diagram it expects no subscription.
    public func toBe(_ marbles: String...) {
        let (subscriptions, line, secondsPerFrame) = (subscriptions, line, scheduler.secondsPerFrame)
        scheduler.add {
            let actual = subscriptions()
            for index in 0..<max(actual.count, marbles.count) {
                let expected =
                    index < marbles.count
                    ? Drawing(subscription: marbles[index], secondsPerFrame: secondsPerFrame) : Drawing()
                let found = mismatch(
                    expected, index < actual.count ? actual[index] : Drawing(), line,
                    ["in subscription \(index + 1)"])
                if let found { return found }
            }
            return nil
        }
    }
}

private func mismatch(_ expected: Drawing, _ actual: Drawing, _ line: UInt, _ remarks: [String]) -> MarbleMismatch? {
    guard let difference = Drawing.compare(expected, actual) else { return nil }
    let lines = [
        "line \(line): they differ at frame \(difference.frame)", "  expected  \(difference.expected)",
        "  actual    \(difference.actual)",
        "            \(difference.difference)",
    ]
    return MarbleMismatch(description: (lines + remarks.map { "  " + $0 }).joined(separator: "\n"))
}
