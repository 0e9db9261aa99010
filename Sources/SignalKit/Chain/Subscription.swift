import Synchronization

/// A running subscription, seen from below: what a stage is handed before the first event, and what `start` returns.
///
/// It holds the flags that every kind of subscription needs in one word. Subclasses add what they hold: a source's own disposable
/// (`Gate`), several sources (`Hub`), a place in a list of listeners (`Listener`).
public class Subscription: Disposable {
    /// The low bits are flags, the others count the calls that are in flight through a gate.
    final let state = Synchronization.Atomic<UInt>(0)

    init() {}

    /// Somebody has asked to stop: nothing more may be delivered below. Unlike `isTerminated`, not set by the end of the signal,
    /// whose last events may still be on their way down.
    final var isDisposed: Bool { flags & Flag.disposed != 0 }

    /// The end has come: by an event, by disposal, or because the source went away.
    final var isTerminated: Bool { flags & Flag.terminated != 0 }

    /// Whether nothing is left to dispose: what `StrictDisposable` asks before it reports.
    var isOver: Bool { isTerminated }

    /// Whose calls bring the events: itself, unless it only stands in front of who does.
    var deliverer: Unmanaged<Subscription> { Unmanaged.passUnretained(self) }

    /// Stops the subscription. Whatever is emitted after this has returned goes nowhere, and no further callback starts on the thread that
    /// disposes; a value that another thread is just passing down may still arrive (see `startWaitable`). Once; more calls do nothing.
    public func dispose() { _ = raise(Flag.terminated | Flag.disposed) }

    @inline(__always)
    final var flags: UInt { state.load(ordering: .acquiring) }

    /// Sets flags and returns those that were set before. In one order with what decides whether somebody is inside.
    @inline(__always)
    final func raise(_ flags: UInt) -> UInt { state.bitwiseOr(flags, ordering: .sequentiallyConsistent).oldValue }

    enum Flag {
        /// No further event is accepted.
        static var terminated: UInt { 1 }
        /// `dispose` was called.
        static var disposed: UInt { 2 }
        /// The source's disposable is to be disposed: the terminal callback has returned, or somebody has disposed.
        static var closed: UInt { 4 }
        /// The source's disposable has arrived.
        static var assigned: UInt { 8 }
        /// Somebody has taken the source's disposable, to dispose it.
        static var claimed: UInt { 16 }
        /// The way down has been let go.
        static var emptied: UInt { 32 }
        /// The serial section was handed over to a queue, which has not come to it yet.
        static var handedOver: UInt { 64 }
        /// Whoever held it has gone while somebody was inside: the last one to leave lets it go.
        static var owed: UInt { 128 }
        /// One call in flight.
        static var call: UInt { 256 }
    }
}
