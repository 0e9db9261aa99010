import Foundation
@testable import SignalKit

/// A source that a test drives by hand. It logs `S` when it is subscribed to and `D` when its disposable is disposed; it holds the
/// subscribers of the runs that have neither been disposed nor dropped.
final class ManualSource<T, E>: @unchecked Sendable {
    private let lock = NSLock()
    private var running: [Int: Subscriber<T, E>] = [:]
    private var count = 0
    private let name: String
    private let log: Log

    init(_ name: String = "", _ log: Log = Log()) {
        self.name = name
        self.log = log
    }

    /// `inside` runs inside the generator.
    func signal(_ inside: @escaping (Subscriber<T, E>) -> Void = { _ in }) -> Signal<T, E> {
        Signal { subscriber in
            self.lock.lock()
            let number = self.count
            self.count += 1
            self.running[number] = subscriber
            self.lock.unlock()
            self.log.add("S" + self.name)
            inside(subscriber)
            return ActionDisposable {
                self.log.add("D" + self.name)
                self.drop(number)
            }
        }
    }

    var subscribers: [Subscriber<T, E>] {
        lock.lock()
        defer { lock.unlock() }
        return running.sorted { $0.key < $1.key }.map { $0.value }
    }

    /// Lets the subscriber go without an end.
    func drop(_ number: Int = 0) {
        lock.lock()
        let dropped = running.removeValue(forKey: number)
        lock.unlock()
        withExtendedLifetime(dropped) {}
    }

    func next(_ value: T) { for subscriber in subscribers { subscriber.putNext(value) } }
    func fail(_ error: E) { for subscriber in subscribers { subscriber.putError(error) } }
    func complete() { for subscriber in subscribers { subscriber.putCompletion() } }
}
