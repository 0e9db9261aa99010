import SignalKit

/// The values of several threads, in the order of their arrival.
final class Collected<T: Sendable>: Sendable {
    private let said = SignalKit.Atomic<[T]>(value: [])

    var all: [T] { said.value }
    func add(_ value: T) { _ = said.modify { $0 + [value] } }
}

struct Failure: Error, Equatable {}
