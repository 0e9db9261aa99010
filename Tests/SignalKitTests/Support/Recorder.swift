import SignalKit
import Synchronization

/// A list that any thread may append to.
final class Recorded<Element>: @unchecked Sendable {
    private let lock = Lock()
    private var list: [Element] = []

    func add(_ element: Element) { lock.locked { list.append(element) } }

    var all: [Element] {
        var copy: [Element] = []
        lock.locked { copy = list }
        return copy
    }

    var count: Int { all.count }
}

/// A number that any thread may count up.
final class Tally: Sendable {
    private let number = Synchronization.Atomic<Int>(0)
    @discardableResult func up() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
    var value: Int { number.load(ordering: .acquiring) }
}

/// A source that a test drives by hand: it counts starts and disposals, and hands out its latest subscriber.
final class Probe<T, E>: @unchecked Sendable {
    let starts = Tally()
    let disposals = Tally()
    private let lock = Lock()
    private var latest: Subscriber<T, E>?

    var signal: Signal<T, E> {
        Signal { subscriber in
            var run = 0
            // Whoever sees that it has been started can put something.
            self.lock.locked {
                self.latest = subscriber
                run = self.starts.up()
            }
            return ActionDisposable {
                self.vanish(run)
                self.disposals.up()
            }
        }
    }

    private var subscriber: Subscriber<T, E>? {
        var current: Subscriber<T, E>?
        lock.locked { current = latest }
        return current
    }

    func put(_ value: T) { subscriber?.putNext(value) }
    func fail(_ error: E) { subscriber?.putError(error) }
    func complete() { subscriber?.putCompletion() }
    /// Lets the subscriber go without an end; that of an earlier run must not cut off the one that has begun since.
    func vanish(_ run: Int? = nil) {
        var gone: Subscriber<T, E>?
        lock.locked {
            if run ?? starts.value == starts.value { swap(&gone, &latest) }
        }
        withExtendedLifetime(gone) {}
    }
}
