/// A value that changes, from any thread: its signal shows each state once, in order, beginning with the current one.
///
///     let count = State(0)
///     let run = count.signal().start(next: { print($0) })
///     count.modify { $0 + 1 }
///
/// (`ValuePromise` is the same for values that may be missing at first.) What keeps it alive is the same as with
/// `Promise`. In a file that imports SwiftUI as well, one of the two is named with its module.
public final class State<T>: @unchecked Sendable {
    private let feed: ValuePromiseFeed<T, NoError>

    /// With the state that it begins with. Each one that is set is a new one, also an equal one.
    public init(_ value: T) {
        feed = ValuePromiseFeed(.some(value), ignoring: nil)
        feed.belong(to: self)
    }

    /// - Parameters:
    ///   - value: the state that it begins with.
    ///   - ignoreRepeated: whether a state that equals the one before is no new one.
    public init(_ value: T, ignoreRepeated: Bool) where T: Equatable {
        feed = ValuePromiseFeed(.some(value), ignoring: ignoreRepeated ? { $0 == $1 } : nil)
        feed.belong(to: self)
    }

    /// The state of this moment. (It cannot be assigned: `value += 1` would lose what another thread sets in between.)
    public var value: T { feed.state }

    /// Goes over to a state that does not depend on the one before.
    public func set(_ value: T) { feed.set(value) }

    /// Goes over to the state that `f` makes of the newest one, and returns it. No change is lost, and none is shown
    /// after a newer one.
    ///
    /// `f` is called under no lock, so it may use anything, and it may be called more than once: when another thread
    /// has changed the state meanwhile, what `f` has made of the old one is dropped. So it should do nothing but
    /// reckon. When it throws, nothing changes. What it sets itself, by `set` or `modify` of the same state, takes
    /// effect at once, and is then replaced by its result.
    @discardableResult
    public func modify<Failure: Error>(_ f: (T) throws(Failure) -> T) throws(Failure) -> T {
        try feed.modify { (epoch) throws(Failure) in try f(feed.state(at: &epoch)) }.value
    }

    /// The current state, inside `start`, then each new one. A state that is set while another is being delivered, from
    /// inside a callback or on another thread, is delivered after it.
    public func signal() -> Signal<T, NoError> { feed.signal() }
}
