import SignalKitCore

/// A source that follows a diagram. A cold source starts it for each subscriber, and a hot one with the test.
///
/// A cold source can be paused: a value waits for the end of the pause, and the events after it keep their distance. A
/// hot source cannot.
public final class MarbleSource<T, E>: @unchecked Sendable {
    private let diagram: Diagram
    private let values: [Character: T]
    private let failure: E
    private let scheduler: TestScheduler
    private let isHot: Bool
    /// The subscribers of a hot source.
    private var subscribers: [Int: Subscriber<T, E>] = [:]
    /// The start, the pauses and the end of each subscription.
    private(set) var subscriptions: [Drawing] = []
    /// What waits for the end of a pause, for each paused subscription: the events from that index on, or nothing.
    private var paused: [Int: Int?] = [:]

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
            let number = self.subscriptions.count, timers = MetaDisposable()
            self.subscriptions.append(Drawing())
            self.add("^", to: number)
            if self.isHot {
                self.subscribers[number] = subscriber
            } else {
                self.play(from: 0, since: 0, for: subscriber, number, timers)
            }
            return ActionDisposable {
                timers.dispose()
                self.subscribers[number] = nil
                self.paused[number] = nil
                self.add("!", to: number)
            }
        }
    }

    private func add(_ mark: Character, to number: Int) { subscriptions[number].add(mark, at: scheduler.frame) }

    /// Schedules the events from an index on. The frame `origin` of the diagram is now.
    private func play(
        from first: Int, since origin: Int, for subscriber: Subscriber<T, E>, _ number: Int, _ timers: MetaDisposable
    ) {
        timers.set(
            schedule(from: first, since: origin) { index, mark in
                guard case .next = mark else { return self.put(mark, to: subscriber) }
                self.look(subscriber, number, timers)
                if self.paused[number] != nil {
                    self.paused[number] = .some(index)
                    return timers.set(nil)
                }
                self.put(mark, to: subscriber)
                self.look(subscriber, number, timers)
            })
    }

    /// Finds out whether the subscription is paused.
    private func look(_ subscriber: Subscriber<T, E>, _ number: Int, _ timers: MetaDisposable) {
        guard subscriber.isPaused, paused[number] == nil else { return }
        paused[number] = .some(nil)
        add("p", to: number)
        waitForResumption(subscriber, number, timers)
    }

    private func waitForResumption(_ subscriber: Subscriber<T, E>, _ number: Int, _ timers: MetaDisposable) {
        subscriber.onResume(scheduler.queue) {
            guard let next = self.paused[number] else { return } // it has ended
            if subscriber.isPaused { return self.waitForResumption(subscriber, number, timers) }
            self.paused[number] = nil
            self.add("r", to: number)
            guard let next else { return }
            self.play(from: next, since: self.diagram.events[next].frame, for: subscriber, number, timers)
        }
    }

    /// Starts a hot source. Earlier events of its diagram are omitted.
    func begin() {
        _ = schedule(from: 0, since: 0) { _, mark in
            for (_, subscriber) in self.subscribers.sorted(by: { $0.key < $1.key }) { self.put(mark, to: subscriber) }
        }
    }

    private func schedule(
        from first: Int, since origin: Int, _ happen: @escaping (Int, Diagram.Mark) -> Void
    ) -> DisposableSet {
        let timers = DisposableSet()
        for index in diagram.events.indices.dropFirst(first) {
            let (frame, mark) = diagram.events[index]
            if frame < 0 || mark == .subscribe { continue }
            let seconds = Double(frame - origin) * scheduler.secondsPerFrame
            timers.add(scheduler.queue.after(seconds) { happen(index, mark) })
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
