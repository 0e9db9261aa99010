import Synchronization

/// A running subscription. A stage receives it before the first event, and `start` returns it.
///
/// One word contains the flags of every kind of subscription. Subclasses add their data: a source's disposable
/// (`Gate`), several sources (`Hub`), a place in a list of listeners (`Listener`).
public class Subscription: Disposable {
    /// The low bits are flags. The other bits count the calls in flight through a gate.
    final let state: Synchronization.Atomic<UInt32>

    init(_ flags: UInt32 = 0) {
        state = Synchronization.Atomic(flags)
    }

    /// True after `dispose`. No further event may be delivered downstream. Unlike `isTerminated`, it is not set by the
    /// end of the signal, whose last events may still be in flight.
    final var isDisposed: Bool { flags & Flag.disposed != 0 }

    /// True after the end: by an event, by disposal, or by the release of the source.
    final var isTerminated: Bool { flags & Flag.terminated != 0 }
    final var isInRow: Bool { flags & Flag.inRow != 0 }

    /// True if there is nothing to dispose. `StrictDisposable` checks it before a report.
    var isOver: Bool { isTerminated }

    /// True after an event or disposal ended it, or after the source was released with nothing to dispose.
    final var isDone: Bool { flags & Flag.done != 0 }

    /// The subscription whose calls deliver the events: itself, or the one that it wraps.
    var deliverer: Unmanaged<Subscription> { Unmanaged.passUnretained(self) }

    /// Reports the object that its events reach, before the first event. It may be the source itself: an object that
    /// listens to itself must not keep itself alive.
    func feeds(_ target: AnyObject) {}

    /// Asks the source for no further value until `resume` was called once for each pause. It changes words and takes
    /// small locks, so a stage calls it under its own lock, in which it also decides about the matching `resume`.
    /// Terminal events are not paused. After the end it has no effect.
    func pause() {}

    /// Takes one pause back. It may schedule work, so a stage calls it without a lock.
    func resume() {}

    /// Reports that a stage below will pause it, before it gets a source. In such a governed run no hub stores more
    /// than one value for each thread that emits.
    func govern() {}

    /// Counts a pause. Returns true if it is the only one. A subscription that forwards pauses calls it with its lock,
    /// and then pauses its sources.
    final func addPause() -> Bool {
        isWithoutPauses(state.wrappingAdd(Flag.pause, ordering: .relaxed).oldValue, isFirst: true)
    }

    /// Takes a pause back. Returns true if it was the last one. A subscription that forwards pauses calls it with its
    /// lock, and resumes its sources after unlocking.
    final func takePause() -> Bool {
        isWithoutPauses(state.wrappingSubtract(Flag.pause, ordering: .relaxed).newValue, isFirst: false)
    }

    /// Pauses the only source, which `lock` guards, unless it is paused already.
    final func forwardPause(to source: @autoclosure () -> Subscription?, _ lock: borrowing SmallLock) {
        lock.withLock {
            if addPause() { source()?.pause() }
        }
    }

    /// Takes a pause back that `forwardPause` has forwarded.
    final func forwardResumption(to source: @autoclosure () -> Subscription?, _ lock: borrowing SmallLock) {
        let paused: Subscription? = lock.withLock { takePause() ? source() : nil }
        paused?.resume()
    }

    /// Returns true if `flags`, from before the first pause or after the last one, count no pause. The records of a
    /// monitored subscription receive a report then.
    @inline(__always)
    final private func isWithoutPauses(_ flags: UInt32, isFirst: Bool) -> Bool {
        if flags & Flag.pauses != 0 { return false }
        if _slowPath(flags & Flag.held != 0) { Membership.pauseChanged(of: self, isFirst: isFirst) }
        return true
    }

    /// Prepares a source that this subscription stores. Called with its lock.
    @inline(__always)
    final func prepare(_ source: @autoclosure () -> Subscription?) {
        let flags = flags
        if _slowPath(flags & (Flag.governed | Flag.pauses | Flag.ownPause) != 0) { source()?.adopt(flags) }
    }

    @inline(never)
    final private func adopt(_ flags: UInt32) {
        if flags & Flag.governed != 0 { govern() }
        if flags & Flag.pauses != 0 { pause() }
        if flags & Flag.ownPause != 0 { pause() }
    }

    /// Cancels the subscription. Events that are emitted after this call has returned are dropped, and the calling
    /// thread starts no further callback. A value that another thread is delivering may still arrive (see
    /// `startWaitable`). Further calls have no effect.
    public func dispose() { raiseDone(Flag.terminated | Flag.disposed) }

    /// Returns a reference for a hub that may dispose the subscription. It retains the subscription that delivers, and
    /// the objects that it keeps alive. `releaseForDisposal` releases it.
    ///
    /// A `JoinHub` could simply retain the object from `attached`. For a pipe or a promise that is a `ListenerHandle`
    /// of 48 bytes, without another use. A live `combineLatest` of three promises would take 144 bytes more than its
    /// 606.
    func retainForDisposal() -> Unmanaged<Subscription> { .passRetained(self) }

    func releaseForDisposal() { Unmanaged.passUnretained(self).release() }

    @inline(__always)
    final var flags: UInt32 { state.load(ordering: .acquiring) }

    /// Sets flags and returns the previous ones. Sequentially consistent with the check for calls in flight.
    @inline(__always)
    final func raise(_ flags: UInt32) -> UInt32 { state.bitwiseOr(flags, ordering: .sequentiallyConsistent).oldValue }

    /// Like `raise`, when there is nothing left to dispose: the subscription leaves its containers. Called without a
    /// lock.
    @inline(__always) @discardableResult
    final func raiseDone(_ flags: UInt32) -> UInt32 {
        let before = raise(flags | Flag.done)
        if _slowPath(before & (Flag.held | Flag.done) == Flag.held) { Membership.leaveAll(self) }
        return before
    }

    /// Replaces the flags if `areSuch` accepts them. Returns whether it has done so.
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

    /// Clears flags.
    final func lower(_ flags: UInt32) { _ = replaceFlags(where: { _ in true }) { $0 & ~flags } }

    enum Flag {
        /// No further event is accepted.
        static var terminated: UInt32 { 1 }
        /// `dispose` was called.
        static var disposed: UInt32 { 2 }
        /// The source's disposable must be disposed: the terminal callback has returned, or the subscription was
        /// disposed.
        static var closed: UInt32 { 4 }
        /// The downstream stages were released.
        static var released: UInt32 { 8 }
        /// It is or was in a container, which it leaves when it is done.
        static var held: UInt32 { 128 }
        /// Nothing is left to dispose.
        static var done: UInt32 { 256 }
        /// The loop of a source has stopped at a pause (see `PauseWord`). Of a gate: somebody has waited for the end of
        /// a pause. Of a hub: values of its timer wait for the end of a pause.
        static var parked: UInt32 { 512 }
        /// One pause, and the bits that count pauses: a consumer holds at most 15.
        static var pause: UInt32 { 1024 }
        static var pauses: UInt32 { 15 * 1024 }
        /// One call in flight.
        static var call: UInt32 { 16384 }

        // Of a gate:
        /// The source's disposable has arrived.
        static var assigned: UInt32 { 16 }
        /// The source's disposable has been taken, to be disposed.
        static var claimed: UInt32 { 32 }
        /// Its subscriber was released during a call. The last call to leave releases the gate.
        static var owed: UInt32 { 64 }

        // Flags of a subscription that forwards pauses:
        /// A stage below will pause it (see `govern`).
        static var governed: UInt32 { 16 }
        /// It was paused since `takeWasPaused`.
        static var wasPaused: UInt32 { 32 }
        /// It pauses its source itself, as a full buffer or a shut valve. This pause is not counted with those from
        /// below, because they have another cause.
        static var ownPause: UInt32 { 64 }

        // Flags of a listener:
        /// Its sink also delivers to the following sinks of its type.
        static var inRow: UInt32 { 4 }
        /// It has received the replayed values, and takes part in the deliveries.
        static var arrived: UInt32 { 16 }
        /// It has not arrived yet, and events are buffered for it.
        static var awaited: UInt32 { 32 }
        /// A reference for disposal retains the source's owner.
        static var keepsOwner: UInt32 { 64 }
        /// It does not pause its source, because it may feed it. (A listener does not park.)
        static var keepsPauses: UInt32 { parked }

        /// Returns whether a listener takes part, and its sink also delivers to others. (It is here, because a generic
        /// class would be looked up.)
        @inline(__always)
        static func isToldInRow(_ flags: UInt32) -> Bool {
            flags & (arrived | inRow | terminated) == arrived | inRow
        }
    }
}
