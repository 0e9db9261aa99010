import Synchronization

/// A running subscription, seen from below: what a stage is handed before the first event, and what `start` returns.
///
/// It holds the flags that every kind of subscription needs in one word. Subclasses add what they hold: a source's own
/// disposable (`Gate`), several sources (`Hub`), a place in a list of listeners (`Listener`).
public class Subscription: Disposable {
    /// The low bits are flags, the others count the calls that are in flight through a gate.
    final let state: Synchronization.Atomic<UInt32>

    init(_ flags: UInt32 = 0) {
        state = Synchronization.Atomic(flags)
    }

    /// `dispose` was called: nothing more may be delivered below. Unlike `isTerminated`, not set by the end of the
    /// signal, whose last events may still be on their way down.
    final var isDisposed: Bool { flags & Flag.disposed != 0 }

    /// The end has come: by an event, by disposal, or because the source went away.
    final var isTerminated: Bool { flags & Flag.terminated != 0 }
    final var isInRow: Bool { flags & Flag.inRow != 0 }

    /// Whether nothing is left to dispose: what `StrictDisposable` asks before it reports.
    var isOver: Bool { isTerminated }

    /// The end has come by an event or by disposal, or the source is gone and has left nothing to dispose.
    final var isDone: Bool { flags & Flag.done != 0 }

    /// The subscription whose calls bring the events: itself, unless it only stands in front of another.
    var deliverer: Unmanaged<Subscription> { Unmanaged.passUnretained(self) }

    /// Tells where its events end up, before the first event. That may be what they come from: an object that listens
    /// to itself must not keep itself.
    func feeds(_ target: AnyObject) {}

    /// Stops the subscription. Whatever is emitted after this has returned goes nowhere, and no further callback starts
    /// on the thread that disposes; a value that another thread is just passing down may still arrive (see
    /// `startWaitable`). Once; more calls do nothing.
    public func dispose() { raiseDone(Flag.terminated | Flag.disposed) }

    /// A reference for a hub that may want to dispose: to the subscription that delivers, and to what that keeps alive.
    /// Given back by `releaseForDisposal`.
    ///
    /// A `JoinHub` could simply retain what `attached` has given it. Of a pipe or a promise that is a `ListenerHandle`,
    /// an object of 48 bytes that nothing else needs: a live `combineLatest` of three promises would take 144 bytes
    /// more than its 606.
    func retainForDisposal() -> Unmanaged<Subscription> { .passRetained(self) }

    func releaseForDisposal() { Unmanaged.passUnretained(self).release() }

    @inline(__always)
    final var flags: UInt32 { state.load(ordering: .acquiring) }

    /// Sets flags and returns those that were set before. In one order with what decides whether a call is inside.
    @inline(__always)
    final func raise(_ flags: UInt32) -> UInt32 { state.bitwiseOr(flags, ordering: .sequentiallyConsistent).oldValue }

    /// The same when nothing is left to dispose: the run leaves the containers that it is in. Called without a lock.
    @inline(__always) @discardableResult
    final func raiseDone(_ flags: UInt32) -> UInt32 {
        let before = raise(flags | Flag.done)
        if _slowPath(before & (Flag.held | Flag.done) == Flag.held) { Membership.leaveAll(self) }
        return before
    }

    /// Replaces the flags, as long as they are such. Whether it has.
    @inline(__always)
    final func replaceFlags(where areSuch: (UInt32) -> Bool, _ new: (UInt32) -> UInt32) -> Bool {
        var seen = flags
        while areSuch(seen) {
            let (exchanged, now) = state.weakCompareExchange(
                expected: seen, desired: new(seen), successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring
            )
            if exchanged { return true }
            seen = now
        }
        return false
    }

    enum Flag {
        /// No further event is accepted.
        static var terminated: UInt32 { 1 }
        /// `dispose` was called.
        static var disposed: UInt32 { 2 }
        /// The source's disposable is to be disposed: the terminal callback has returned, or the run was disposed.
        static var closed: UInt32 { 4 }
        /// The way down has been let go.
        static var released: UInt32 { 8 }
        /// It is in a container, or has been, which it leaves when it is done.
        static var held: UInt32 { 128 }
        /// Nothing is left to dispose.
        static var done: UInt32 { 256 }
        /// One call in flight.
        static var call: UInt32 { 512 }

        // Of a gate:
        /// The source's disposable has arrived.
        static var assigned: UInt32 { 16 }
        /// The source's disposable has been taken, to be disposed.
        static var claimed: UInt32 { 32 }
        /// Its subscriber has gone while a call was inside: the last call to leave releases it.
        static var owed: UInt32 { 64 }

        // Of a listener:
        /// Its sink tells those of its kind that stand behind it as well.
        static var inRow: UInt32 { 4 }
        /// It has been told what stood there when it joined, and takes part in the deliveries.
        static var arrived: UInt32 { 16 }
        /// Until it has arrived: something waits for that.
        static var awaited: UInt32 { 32 }
        /// A reference for disposal keeps the source's owner.
        static var keepsOwner: UInt32 { 64 }

        /// Whether a listener takes part, and its sink tells others as well. (Here, as in a generic class it would cost
        /// a lookup of that.)
        @inline(__always)
        static func isToldInRow(_ flags: UInt32) -> Bool {
            flags & (arrived | inRow | terminated) == arrived | inRow
        }
    }
}
