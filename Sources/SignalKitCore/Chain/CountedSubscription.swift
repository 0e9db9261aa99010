import Synchronization

/// A subscription that forwards events to a sink, from any number of threads, and counts the calls in flight.
///
/// The last of these releases the downstream stages: the end, the disposal, or a call that is still running. So no lock
/// is held during a call, and the objects of a running callback live until it returns.
@usableFromInline
class CountedSubscription<T, E>: Subscription {
    /// The place of a listener in its list. It is here because this class has unused space.
    @exclusivity(unchecked) final var place: UInt32 = 0
    final let sink: Unmanaged<Sink<T, E>>

    init(_ sink: Sink<T, E>, _ flags: UInt32 = 0) {
        self.sink = Unmanaged.passRetained(sink)
        super.init(flags)
    }

    deinit {
        if flags & Flag.released == 0 { sink.release() }
    }

    /// Forwards a value. Returns false after the end.
    @inline(__always) @discardableResult
    final func next(_ value: T) -> Bool {
        let isOpen = enter() & Flag.terminated == 0
        if isOpen { sink._withUnsafeGuaranteedRef { $0.next(value) } }
        leave()
        return isOpen
    }

    /// Counts a call and returns the flags.
    @inline(__always) @discardableResult
    final func enter() -> UInt32 { state.wrappingAdd(Flag.call, ordering: .acquiring).oldValue }

    /// Counts a call out.
    @inline(__always)
    final func leave() {
        let now = state.wrappingSubtract(Flag.call, ordering: .acquiringAndReleasing).newValue
        if now & Flag.terminated != 0 && now < Flag.call { lastCallReturned() }
    }

    /// Terminates, and releases the downstream stages, now or when the last running call returns. Returns the previous
    /// flags.
    @discardableResult
    final func terminate(raising flags: UInt32 = Flag.terminated) -> UInt32 {
        let before = raise(flags)
        if before & Flag.terminated == 0 && before < Flag.call { lastCallReturned() }
        return before
    }

    /// Called when no call is inside any longer.
    @inline(never)
    func lastCallReturned() { releaseSink() }

    /// Releases the downstream stages, once.
    final func releaseSink() {
        if raise(Flag.released) & Flag.released == 0 { sink.release() }
    }
}
