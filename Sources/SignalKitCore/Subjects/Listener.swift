import Synchronization

/// One subscription to a hot source.
///
/// It joins the list before `attached` and before the replay. Events that arrive until then are buffered.
final class Listener<T, E>: CountedSubscription<T, E> {
    private let listeners: Listeners<T, E>

    /// - Parameter keepsOwner: whether a reference for disposal retains the owner of the list.
    init(_ sink: Sink<T, E>, _ listeners: Listeners<T, E>, keepsOwner: Bool = false) {
        self.listeners = listeners
        super.init(sink, (keepsOwner ? Flag.keepsOwner : 0) | (sink.standsInRow ? Flag.inRow : 0))
    }

    // MARK: Its place, touched only under the list's lock

    /// True after it has joined, until it leaves.
    var isMember: Bool {
        get { place & Listener.member != 0 }
        set { place = newValue ? place | Listener.member : place & ~Listener.member }
    }

    /// True while it is in the list. A listener enters and leaves the list at its turn in the section.
    var isListed: Bool { place & Listener.listed != 0 }

    /// Its place in the list, while it is there.
    var index: Int {
        get { Int(place & ~(Listener.member | Listener.listed | Listener.counted)) }
        set { place = place & (Listener.member | Listener.counted) | Listener.listed | UInt32(newValue) }
    }

    func noteUnlisted() { place &= Listener.member | Listener.counted }

    private static var member: UInt32 { 1 << 31 }
    private static var listed: UInt32 { 1 << 30 }
    /// It is one of the paused listeners of the list.
    private static var counted: UInt32 { 1 << 29 }

    // MARK: Events

    /// Called in the list's section, which keeps the downstream stages alive. Thus no reference is counted here.
    @inline(__always)
    func deliver(_ value: T) { deliver(value, state.load(ordering: .sequentiallyConsistent)) }

    @inline(__always)
    private func deliver(_ value: T, _ flags: UInt32) {
        if _fastPath(flags & (Flag.arrived | Flag.terminated) == Flag.arrived) {
            sink._withUnsafeGuaranteedRef { $0.next(value) }
        } else if flags & Flag.arrived == 0 {
            deliverFirst(value)
        }
    }

    /// Like `deliver`, for one of several listeners. Its sink may deliver to the following listeners, too.
    @inline(__always)
    func deliver(_ value: T, before row: inout ListenerRow) {
        let flags = state.load(ordering: .sequentiallyConsistent)
        if !Flag.isToldInRow(flags) { return deliver(value, flags) }
        row = sink._withUnsafeGuaranteedRef { $0.next(value, before: row) }
    }

    /// Returns the sink of the next listener, if this delivery may include it.
    @inline(__always)
    static func nextSink(in row: inout ListenerRow) -> Unmanaged<Sink<T, E>>? {
        let listener = row.next {
            Flag.isToldInRow($0._withUnsafeGuaranteedRef { $0.state.load(ordering: .sequentiallyConsistent) })
        }
        return listener?._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Listener.self).sink }
    }

    @inline(never)
    private func deliverFirst(_ value: T) { whenArrived { [unowned(unsafe) self] in next(value) } }

    func deliver(_ end: End<E>) { whenArrived { [unowned(unsafe) self] in finish(end) } }

    private func whenArrived(_ event: @escaping () -> Void) {
        if flags & Flag.arrived != 0 || !listeners.postpone(for: self, event) { event() }
    }

    /// Handles a terminal event.
    func finish(_ end: End<E>) {
        enter()
        let before = raiseDone(Flag.terminated)
        if before & Flag.terminated == 0 {
            returnPauses(before)
            sink._withUnsafeGuaranteedRef { $0.end(end) }
        }
        leave()
    }

    // MARK: Pauses

    /// The caller holds locks of the sources that this listener feeds. So it must not lock a list above itself, which
    /// `feeds` excludes. If this listener leaves, others may reverse that order. Then the call gives up its wait.
    override func pause() {
        let isCounted =
            passesPauses
            && listeners.addPause(unless: { isTerminated }) { addPause() && !isTerminated && count(true) }
        if !isCounted { _ = addPause() }
    }

    override func govern() {
        if passesPauses { listeners.govern(unless: { isTerminated }) }
    }

    private var passesPauses: Bool {
        flags & Flag.keepsPauses == 0 && (Turns.hasRoomForCalls || !listeners.hasSource)
    }

    override func resume() {
        listeners.takePause { takePause() && count(false) }
    }

    /// Called with the list's lock. Returns true if the number of paused listeners changes.
    private func count(_ isPaused: Bool) -> Bool {
        if (place & Listener.counted != 0) == isPaused { return false }
        place ^= Listener.counted
        return true
    }

    /// It has ended or left, so it does not hold up the others. A later pause sees that it is terminated.
    @inline(__always)
    private func returnPauses(_ before: UInt32) {
        if _slowPath(before & Flag.pauses != 0) { returnPauses() }
    }

    @inline(never)
    private func returnPauses() { listeners.takePause { count(false) } }

    // MARK: Arriving

    /// Delivers the buffered events. Events that arrive in the meantime are left to the delivering thread, or handled
    /// after its delivery. So a thread that subscribes does not have to follow a faster source.
    func catchUp() {
        if arrives() { return }
        passOnWhatWaits()
        listeners.afterDelivery { while !self.arrives() { self.passOnWhatWaits() } }
    }

    /// It has arrived, unless something waits.
    @inline(__always)
    private func arrives() -> Bool { replaceFlags(where: { $0 & Flag.awaited == 0 }) { $0 | Flag.arrived } }

    @inline(never)
    private func passOnWhatWaits() {
        for event in listeners.takePostponed(for: self) { event() }
    }

    /// Called with the list's lock: notes a buffered event. Returns false if events no longer need buffering.
    func noteWaiting() -> Bool { replaceFlags(where: { $0 & Flag.arrived == 0 }) { $0 | Flag.awaited } }

    /// Called with the list's lock: the buffered events were taken.
    func noteTaken() { _ = state.bitwiseAnd(~Flag.awaited, ordering: .acquiringAndReleasing) }

    // MARK: What it feeds

    override func feeds(_ target: AnyObject) {
        let isForward = (target as? Demand).map { listeners.listener(self, feeds: $0) } ?? false
        if !isForward && listeners.hasSource { _ = raise(Flag.keepsPauses) }
    }

    /// Returns whether `target` is the list of this listener.
    func isOwn(_ target: AnyObject) -> Bool { listeners.isFed(by: target) }

    func letOwnerGo() { _ = state.bitwiseAnd(~Flag.keepsOwner, ordering: .acquiringAndReleasing) }

    // MARK: The end

    /// Called when no call is in flight. It waits until the section is free, because the delivering thread may be
    /// inside.
    override func lastCallReturned() {
        if listeners.isQuiet { releaseSink() } else { listeners.afterDelivery { self.releaseSink() } }
    }

    override func dispose() {
        returnPauses(terminate())
        if raiseDone(Flag.disposed) & Flag.disposed == 0 { listeners.remove(self) }
    }

    /// The source was released, and there is nothing to dispose.
    func close() {
        returnPauses(terminate())
        raiseDone(0)
    }

    override func retainForDisposal() -> Unmanaged<Subscription> {
        _ = keptOwner?.retain()
        return super.retainForDisposal()
    }

    override func releaseForDisposal() {
        let owner = keptOwner
        super.releaseForDisposal()
        owner?.release()
    }

    private var keptOwner: Unmanaged<AnyObject>? { flags & Flag.keepsOwner != 0 ? listeners.owner : nil }
}

/// A subscription that keeps the source's owner alive. The list retains the listener. Only a caller that can dispose
/// the subscription retains this handle. So a subscription without a handle does not keep its source alive.
final class ListenerHandle<T, E>: Subscription {
    private let listener: Listener<T, E>
    @exclusivity(unchecked) private var owner: AnyObject?

    init(_ listener: Listener<T, E>, _ owner: AnyObject) {
        self.listener = listener
        self.owner = owner
    }

    override var isOver: Bool { isTerminated || listener.isTerminated }
    override var deliverer: Unmanaged<Subscription> { Unmanaged.passUnretained(listener) }

    /// An owner that subscribes to itself does not keep itself alive.
    override func feeds(_ target: AnyObject) {
        if listener.isOwn(target) {
            listener.letOwnerGo()
            owner = nil
        }
        listener.feeds(target)
    }

    override func govern() { listener.govern() }
    override func pause() { listener.pause() }
    override func resume() { listener.resume() }

    /// The listener retains its owner in the same way.
    override func retainForDisposal() -> Unmanaged<Subscription> { listener.retainForDisposal() }

    override func dispose() {
        guard raise(Flag.terminated | Flag.disposed) & Flag.disposed == 0 else { return }
        listener.dispose()
        let taken = owner
        owner = nil
        withExtendedLifetime(taken) {}
    }
}
