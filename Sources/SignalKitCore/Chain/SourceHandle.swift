/// The means to dispose a source of a hub, as bits: empty, a subscription, a timer, or closed.
///
/// It retains its object, and has no lock. The lock of the hub guards it. The hub calls `dispose` and `release` after
/// unlocking.
struct SourceHandle {
    private(set) var bits: UInt

    private static var timer: UInt { 2 }

    static var empty: SourceHandle { SourceHandle(bits: 0) }
    /// It rejects a later subscription.
    static var closed: SourceHandle { SourceHandle(bits: 1) }

    init(bits: UInt) { self.bits = bits }

    @inline(__always)
    init(_ subscription: Subscription) { bits = UInt(bitPattern: subscription.retainForDisposal().toOpaque()) }

    init(_ timer: Alarm) { bits = UInt(bitPattern: Unmanaged.passRetained(timer).toOpaque()) | SourceHandle.timer }

    @inline(__always)
    var isClosed: Bool { bits == 1 }

    /// Stores a new handle, and gives the previous one to the caller. If this one is closed, the caller keeps the new
    /// one.
    @inline(__always)
    mutating func exchange(_ new: inout SourceHandle) {
        if !isClosed { swap(&self, &new) }
    }

    @inline(__always)
    mutating func take(leaving new: SourceHandle = .empty) -> SourceHandle {
        defer { self = new }
        return self
    }

    /// Disposes the object and releases it.
    @inline(__always)
    consuming func dispose() {
        if bits > 1 { disposeAndRelease() }
    }

    @inline(never)
    private func disposeAndRelease() {
        if bits & SourceHandle.timer != 0 {
            Turns.dispose(alarm.takeUnretainedValue())
        } else if Turns.hasRoom {
            // Not through the protocol, which takes two more calls.
            subscription._withUnsafeGuaranteedRef { $0.dispose() }
        } else {
            Turns.dispose(subscription.takeUnretainedValue())
        }
        releaseReference()
    }

    /// Releases the object of a source that has ended.
    @inline(__always)
    consuming func release() {
        if bits > 1 { releaseReference() }
    }

    @inline(never)
    private func releaseReference() {
        if bits & SourceHandle.timer != 0 {
            alarm.release()
        } else {
            subscription._withUnsafeGuaranteedRef { $0.releaseForDisposal() }
        }
    }

    /// The subscription of a source. A timer and a closed handle have none.
    var source: Subscription? {
        bits > 1 && bits & SourceHandle.timer == 0 ? subscription._withUnsafeGuaranteedRef { $0 } : nil
    }

    private var subscription: Unmanaged<Subscription> { .fromOpaque(UnsafeRawPointer(bitPattern: bits)!) }
    private var alarm: Unmanaged<Alarm> { .fromOpaque(UnsafeRawPointer(bitPattern: bits & ~SourceHandle.timer)!) }
}
