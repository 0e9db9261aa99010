import SignalKitCore
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

/// A disposable that counts how often it is disposed.
final class CountingDisposable: Disposable, Sendable {
    let disposals = Tally()
    func dispose() { disposals.up() }
}
