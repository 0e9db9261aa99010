/// A place for a disposable, such as a subscription or a timer, which may arrive too late.
///
/// It has no lock. Its methods are called with the lock of the object that contains it. They return the disposable that
/// this object disposes or releases after unlocking.
enum Slot {
    case empty
    case holding(any Disposable)
    /// It rejects further disposables.
    case closed

    /// Returns the disposable that the caller must dispose: the previous one, or the new one if the slot is closed.
    mutating func store(_ new: any Disposable) -> (any Disposable)? {
        if case .closed = self { return new }
        let old = take()
        self = .holding(new)
        return old
    }

    /// Removes and returns the disposable.
    @inline(__always)
    mutating func take() -> (any Disposable)? {
        guard case let .holding(taken) = self else { return nil }
        self = .empty
        return taken
    }

    /// Removes and returns the disposable, and closes the slot.
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
