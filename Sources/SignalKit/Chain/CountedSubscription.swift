import Synchronization

/// A subscription that lets events through to a sink, from any number of threads, and knows how many calls are in
/// flight.
///
/// The stages below are released by the last of these: the end, the disposal, or a call that was still running then. So
/// no lock is held while calling, and what a running callback needs lives until it returns.
@usableFromInline
class CountedSubscription<T, E>: Subscription {
    /// A listener's, for its list: here there is room for it.
    @exclusivity(unchecked) final var place: UInt32 = 0
    final let sink: Unmanaged<Sink<T, E>>

    init(_ sink: Sink<T, E>, _ flags: UInt32 = 0) {
        self.sink = Unmanaged.passRetained(sink)
        super.init(flags)
    }

    deinit {
        if flags & Flag.released == 0 { sink.release() }
    }

    /// Lets a value through; false when the end has come.
    @inline(__always) @discardableResult
    final func next(_ value: T) -> Bool {
        let isOpen = enter() & Flag.terminated == 0
        if isOpen { sink._withUnsafeGuaranteedRef { $0.next(value) } }
        leave()
        return isOpen
    }

    /// Counts a call in; returns the flags.
    @inline(__always) @discardableResult
    final func enter() -> UInt32 { state.wrappingAdd(Flag.call, ordering: .acquiring).oldValue }

    /// Counts a call out.
    @inline(__always)
    final func leave() {
        let now = state.wrappingSubtract(Flag.call, ordering: .acquiringAndReleasing).newValue
        if now & Flag.terminated != 0 && now < Flag.call { lastCallReturned() }
    }

    /// Terminates, and lets the stages below go, now or when the last running call returns. Returns the flags that were
    /// set before.
    @discardableResult
    final func terminate(raising flags: UInt32 = Flag.terminated) -> UInt32 {
        let before = raise(flags)
        if before & Flag.terminated == 0 && before < Flag.call { lastCallReturned() }
        return before
    }

    /// Called when no call is inside any more.
    @inline(never)
    func lastCallReturned() { releaseSink() }

    /// Lets the stages below go, once.
    final func releaseSink() {
        if raise(Flag.released) & Flag.released == 0 { sink.release() }
    }
}
