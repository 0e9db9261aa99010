import SignalKitCore

/// A source that follows a diagram. A cold source starts it for each subscriber, and a hot one with the test.
public final class MarbleSource<T, E>: @unchecked Sendable {
    private let diagram: Diagram
    private let values: [Character: T]
    private let failure: E
    private let scheduler: TestScheduler
    private let isHot: Bool
    /// The subscribers of a hot source.
    private var subscribers: [Int: Subscriber<T, E>] = [:]
    /// The first frame and the end of each subscription.
    private(set) var subscriptions: [(begin: Int, end: Int?)] = []

    init(_ text: String, _ values: [Character: T], _ failure: E, _ scheduler: TestScheduler, isHot: Bool) {
        diagram = Diagram(text, secondsPerFrame: scheduler.secondsPerFrame)
        precondition(
            diagram.events.allSatisfy { $0.mark != .unsubscribe && (isHot || $0.mark != .subscribe) }
                && diagram.events.filter { $0.mark == .subscribe }.count <= 1, "^ or ! has no meaning in it: \(text)")
        self.values = values
        self.failure = failure
        self.scheduler = scheduler
        self.isHot = isHot
        for case let (_, .next(character)) in diagram.events {
            precondition(values[character] != nil, "no value for \(character): \(text)")
        }
    }

    public var signal: Signal<T, E> {
        Signal { subscriber in
            let number = self.subscriptions.count
            self.subscriptions.append((self.scheduler.frame, nil))
            if self.isHot { self.subscribers[number] = subscriber }
            let timers = self.isHot ? DisposableSet() : self.schedule { self.put($0, to: subscriber) }
            return ActionDisposable {
                timers.dispose()
                self.subscribers[number] = nil
                self.subscriptions[number].end = self.scheduler.frame
            }
        }
    }

    /// Starts a hot source. Earlier events of its diagram are omitted.
    func begin() {
        _ = schedule { mark in
            for (_, subscriber) in self.subscribers.sorted(by: { $0.key < $1.key }) { self.put(mark, to: subscriber) }
        }
    }

    private func schedule(_ happen: @escaping (Diagram.Mark) -> Void) -> DisposableSet {
        let timers = DisposableSet()
        for (frame, mark) in diagram.events where frame >= 0 && mark != .subscribe {
            timers.add(scheduler.queue.after(Double(frame) * scheduler.secondsPerFrame) { happen(mark) })
        }
        return timers
    }

    private func put(_ mark: Diagram.Mark, to subscriber: Subscriber<T, E>) {
        switch mark {
        case let .next(character): subscriber.putNext(values[character]!)
        case .error: subscriber.putError(failure)
        case .completed: subscriber.putCompletion()
        case .subscribe, .unsubscribe: preconditionFailure("^ and ! are for subscriptions")
        }
    }
}
