/// A value that any thread can change. Its signal emits the current state, then each new one, in order.
///
///     let count = State(0)
///     let subscription = count.signal().start(next: { print($0) })
///     count.modify { $0 + 1 }
///
/// `ValuePromise` is similar, but can begin without a value. The ownership rules of `Promise` apply. SwiftUI also has a
/// `State`: in a file that imports both, write `SignalKit.State`.
public final class State<T>: @unchecked Sendable {
    private let feed: ValuePromiseFeed<T, NoError>

    /// Creates a state with an initial value. Setting an equal value is also a change.
    public init(_ value: T) {
        feed = ValuePromiseFeed(.some(value), ignoring: nil)
        feed.belong(to: self)
    }

    /// - Parameters:
    ///   - value: the initial state.
    ///   - ignoreRepeated: whether a state that equals the current one is ignored.
    public init(_ value: T, ignoreRepeated: Bool) where T: Equatable {
        feed = ValuePromiseFeed(.some(value), ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// The current state. (It cannot be assigned: `value += 1` would lose a change of another thread.)
    public var value: T { feed.state }

    /// Goes over to a state that does not depend on the one before.
    public func set(_ value: T) { feed.set(value) }

    /// Replaces the state by `f(state)`, and returns the new state. No change is lost, and no state is emitted after a
    /// newer one.
    ///
    /// `f` is called without a lock. If another thread changes the state during the call, the result is dropped and `f`
    /// is called again. Therefore `f` should have no side effects. If it throws, the state does not change. If `f`
    /// changes the same state by `set` or `modify`, that change takes effect immediately, and its result then replaces
    /// it.
    @discardableResult
    public func modify<Failure: Error>(_ f: (T) throws(Failure) -> T) throws(Failure) -> T {
        try feed.modify { (epoch) throws(Failure) in try f(feed.state(at: &epoch)) }.value
    }

    /// Emits the current state inside `start`, then each new one.
    ///
    /// A state that is set during a delivery, in a callback or on another thread, is delivered afterwards.
    public func signal() -> Signal<T, NoError> { feed.signal() }
}
