import Foundation
@testable import SignalKitCore

/// A source that a test drives by hand. It logs `S` when it is subscribed to and `D` when its disposable is disposed, and counts both, of
/// each run; it holds the subscribers of the runs that have neither been disposed nor dropped.
final class ManualSource<T, E>: @unchecked Sendable {
    /// Unlike the library's own disposables it notices a second disposal.
    private final class Run: Disposable {
        private let onDispose: () -> Void
        private let object: LifetimeTracker.Tracked?

        init(_ object: LifetimeTracker.Tracked?, _ onDispose: @escaping () -> Void) {
            self.object = object
            self.onDispose = onDispose
        }

        func dispose() { onDispose() }
    }

    private let lock = NSLock()
    private var running: [Int: Subscriber<T, E>] = [:]
    private var counts: [Int] = []
    private let name: String
    private let log: Log
    private let tracker: LifetimeTracker?

    /// - Parameter tracker: counts what the signal and each run hold.
    init(_ name: String = "", _ log: Log = Log(), tracker: LifetimeTracker? = nil) {
        self.name = name
        self.log = log
        self.tracker = tracker
    }

    var starts: Int { lock.withLock { counts.count } }
    var disposals: Int { disposalsOfRuns.reduce(0, +) }
    var disposalsOfRuns: [Int] { lock.withLock { counts } }
    var subscribers: [Subscriber<T, E>] { lock.withLock { running.sorted { $0.key < $1.key }.map { $0.value } } }

    /// `inside` runs inside the generator.
    func signal(_ inside: @escaping (Subscriber<T, E>) -> Void = { _ in }) -> Signal<T, E> {
        let object = tracker?.make()
        return Signal { [self] subscriber in
            object?.touch()
            // A thread that sees the start can emit.
            let number = lock.withLock {
                counts.append(0)
                running[counts.count - 1] = subscriber
                return counts.count - 1
            }
            log.add("S" + name)
            inside(subscriber)
            return Run(tracker?.make()) { [self] in
                log.add("D" + name)
                lock.withLock { counts[number] += 1 }
                drop(number)
            }
        }
    }

    /// Lets the subscriber of one run, or of all, go without an end.
    func drop(_ number: Int? = nil) {
        let before = lock.withLock {
            let all = running
            if let number { running[number] = nil } else { running = [:] }
            return all
        }
        withExtendedLifetime(before) {}
    }

    func next(_ value: T) { for subscriber in subscribers { subscriber.putNext(value) } }
    func fail(_ error: E) { for subscriber in subscribers { subscriber.putError(error) } }
    func complete() { for subscriber in subscribers { subscriber.putCompletion() } }
}
