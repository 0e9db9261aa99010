import SignalKit

/// What several threads have said, in the order in which they did.
final class Collected<T: Sendable>: Sendable {
    private let said = SignalKit.Atomic<[T]>(value: [])

    var all: [T] { said.value }
    func add(_ value: T) { _ = said.modify { $0 + [value] } }
}

struct Failure: Error, Equatable {}
