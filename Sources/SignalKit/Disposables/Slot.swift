/// A place for something that is to be disposed in the end, a subscription or a timer, which may come when it is too
/// late.
///
/// It has no lock: its methods are called with the lock of the object that it is part of, and return what that
/// disposes, or only releases, after unlocking.
enum Slot {
    case empty
    case holding(any Disposable)
    /// Nothing is stored any more.
    case closed

    /// Returns what is to be disposed: what was there before, or the new one when the slot is closed.
    mutating func store(_ new: any Disposable) -> (any Disposable)? {
        if case .closed = self { return new }
        let old = take()
        self = .holding(new)
        return old
    }

    /// Takes out what is there.
    @inline(__always)
    mutating func take() -> (any Disposable)? {
        guard case let .holding(taken) = self else { return nil }
        self = .empty
        return taken
    }

    /// Takes out what is there, for the last time.
    mutating func close() -> (any Disposable)? {
        let taken = take()
        self = .closed
        return taken
    }

    var isClosed: Bool {
        if case .closed = self { return true }
        return false
    }
}
