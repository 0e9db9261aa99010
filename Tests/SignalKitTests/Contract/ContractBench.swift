import Foundation
import Synchronization
import Testing
@testable import SignalKitCore

typealias Item = LifetimeTracker.Tracked

struct TestError: Error {
    let item: Item
}

/// The objects for a row of the table, in addition to the source.
final class Surroundings: @unchecked Sendable {
    let tracker = LifetimeTracker()
    let time = VirtualTime()
    var queue: Queue { time.queue }

    /// A tracked object for the closures of an operator to capture.
    func probe() -> Item { tracker.make() }
    func item(_ id: Int) -> Item { tracker.make(id) }
    func error(_ id: Int) -> TestError { TestError(item: item(id)) }
}

/// One row: an operator and its results.
struct OperatorRow: Sendable, CustomTestStringConvertible {
    let name: String
    /// The result if the source emits 1, 2, 3 and completes. `C` is completion, `E9` the error 9.
    var completing: String
    /// The result if the source emits 1, 2, 3 and fails with 9.
    var failing: String
    /// The same if the source emits inside its generator, where that makes a difference (the source is restarted
    /// repeatedly).
    var completingAtOnce: String
    var failingAtOnce: String
    /// Whether two threads are never inside at the same time (an operator with state or several sources). A plain stage
    /// forwards concurrently.
    var isSerial: Bool
    /// The number of results for `n` values, independent of threads; nil: no promise.
    var count: (@Sendable (Int) -> Int)?
    /// Whether the first value in brings a value out at once, on the same thread.
    var isDirect: Bool
    let apply: @Sendable (Signal<Item, TestError>, Surroundings) -> Signal<String, String>

    init<R, F>(
        _ name: String, _ completing: String, _ failing: String, atOnce: (String, String)? = nil, isSerial: Bool = true,
        isDirect: Bool = true,
        count: (@Sendable (Int) -> Int)? = nil,
        _ make: @escaping @Sendable (Signal<Item, TestError>, Surroundings) -> Signal<R, F>
    ) {
        self.name = name
        self.completing = completing
        self.failing = failing
        completingAtOnce = atOnce?.0 ?? completing
        failingAtOnce = atOnce?.1 ?? failing
        self.isSerial = isSerial
        self.isDirect = isDirect
        self.count = count
        apply = { source, surroundings in make(source, surroundings) |> map { text($0) } |> mapError { text($0) } }
    }

    var testDescription: String { name }
}

/// A value as it is written in the table.
private func text(_ value: Any) -> String {
    switch value {
    case let item as Item: return "\(item.id)"
    case let error as TestError: return "\(error.item.id)"
    case let items as [Item]: return "[" + items.map { "\($0.id)" }.joined(separator: ",") + "]"
    case let event as SignalEvent<Item, TestError>:
        switch event {
        case let .Next(item): return "n\(item.id)"
        case let .Error(error): return "e\(error.item.id)"
        case .Completion: return "c"
        }
    default:
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "nil" }
        if mirror.displayStyle == .tuple {
            return "(" + mirror.children.map { text($0.value) }.joined(separator: ",") + ")"
        }
        return "\(value)"
    }
}

/// One subscription to an operator on a source that the test controls, and its observed events.
final class Bench: @unchecked Sendable {
    let surroundings = Surroundings()
    let seen = Seen()
    let source: ManualSource<Item, TestError>
    private(set) var handle: (any Disposable)?
    /// Called inside the callback of each value, with its place.
    var onNext: ((Int) -> Void)?

    init() {
        source = ManualSource(tracker: surroundings.tracker)
    }

    /// Starts the operator; `inside` runs inside each generator of the source.
    func start(
        _ row: OperatorRow, behind: @escaping (Signal<String, String>) -> Signal<String, String> = { $0 },
        inside: @escaping @Sendable (Subscriber<Item, TestError>) -> Void = { _ in }
    ) {
        let result = behind(row.apply(source.signal(inside), surroundings))
        let probe = surroundings.probe()
        handle = result.start(
            next: { [seen] value in
                probe.touch()
                seen.enter()
                let place = seen.add(value)
                self.onNext?(place)
                seen.leave()
            },
            error: { [seen] error in
                probe.touch()
                seen.end("E" + error)
            },
            completed: { [seen] in
                probe.touch()
                seen.end("C")
            })
        settle()
    }

    func item(_ id: Int) -> Item { surroundings.item(id) }

    func put(_ id: Int) {
        source.next(item(id))
        settle()
    }

    func complete() {
        source.complete()
        settle()
    }

    func fail(_ id: Int) {
        source.fail(surroundings.error(id))
        settle()
    }

    func dispose() {
        handle?.dispose()
        seen.isDisposed = true
        settle()
    }

    /// Runs everything that waits for a time.
    func settle() { surroundings.time.advance(by: 1000) }

    /// The conditions after the end of a subscription, for every kind of end, while its handle is still retained.
    func faultsAtTheEnd(mustBeFree: Bool = true) -> [String] {
        var faults = seen.faults
        settle()
        onNext = nil
        for (number, count) in source.disposalsOfRuns.enumerated() where count != 1 {
            faults.append("run \(number) of the source was disposed \(count) times")
        }
        if mustBeFree && !eventually({ surroundings.tracker.live == 0 }) {
            faults.append("\(surroundings.tracker.live) objects are alive")
        }
        return faults
    }
}

/// The events downstream of the operator.
final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [String] = []
    private var values = 0
    private var ends = 0
    private var inside = 0
    private var found: [String] = []
    private(set) var overlapped = false
    private(set) var valuesAfterTheEnd = 0
    var isDisposed = false

    var text: String { locked { events.joined(separator: " ") } }
    var valueCount: Int { locked { values } }
    var hasEnded: Bool { locked { ends > 0 } }
    var faults: [String] { locked { found } }

    func enter() {
        locked {
            inside += 1
            // A callback that is called from inside itself overlaps as well: serial operators queue those too.
            if inside > 1 { overlapped = true }
        }
    }

    func leave() { locked { inside -= 1 } }

    /// Returns the place of the value.
    func add(_ value: String) -> Int {
        locked {
            if isDisposed { found.append("value \(value) after dispose") }
            if ends > 0 { valuesAfterTheEnd += 1 }
            events.append(value)
            values += 1
            return values - 1
        }
    }

    func end(_ event: String) {
        locked {
            if isDisposed { found.append("\(event) after dispose") }
            ends += 1
            if ends > 1 { found.append("a second end: \(event)") }
            if inside > 0 { overlapped = true }
            events.append(event)
        }
    }

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
