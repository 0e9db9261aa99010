import Synchronization

/// One subscription to a hot source.
///
/// It comes into the list before it has been handed down and before the replay: what is delivered until then waits for whoever subscribes.
final class Listener<T, E>: CountedSubscription<T, E> {
    private let listeners: Listeners<T, E>
    private let arrival = CatchUp()
    // What follows is touched only under the list's lock.
    /// Whether it has joined and not left.
    @exclusivity(unchecked) var isMember = false
    /// Whether it is in the list: it joins and leaves at its turn.
    @exclusivity(unchecked) var isListed = false
    @exclusivity(unchecked) private var place: UInt32 = 0
    /// Its place in the list.
    var index: Int {
        get { Int(place) }
        set { place = UInt32(newValue) }
    }

    init(_ sink: Sink<T, E>, _ listeners: Listeners<T, E>) {
        self.listeners = listeners
        super.init(sink)
    }

    /// Called in the list's section. That is what keeps the stages below alive meanwhile: nothing is counted here.
    @inline(__always)
    func deliver(_ value: T) {
        if _slowPath(!arrival.isDone) { return deliverFirst(value) }
        if state.load(ordering: .sequentiallyConsistent) & Flag.terminated == 0 { sink._withUnsafeGuaranteedRef { $0.next(value) } }
    }

    @inline(never)
    private func deliverFirst(_ value: T) { deliver(.Next(value)) }

    @inline(never)
    func deliver(_ event: SignalEvent<T, E>) {
        if !arrival.isDone && arrival.wait({ [unowned(unsafe) self] in pass(event) }) { return }
        pass(event)
    }

    /// Passes on what has waited.
    func catchUp() { arrival.finish() }

    private func pass(_ event: SignalEvent<T, E>) {
        if case let .Next(value) = event { next(value) } else { finish(event) }
    }

    /// The end by an event.
    func finish(_ event: SignalEvent<T, E>) {
        enter()
        if raise(Flag.terminated) & Flag.terminated == 0 {
            sink._withUnsafeGuaranteedRef {
                if case let .Error(error) = event { $0.error(error) } else { $0.completed() }
            }
        }
        leave()
    }

    /// Not while the list's section is held: whoever delivers there may be inside.
    override func empty() {
        if listeners.isQuiet { releaseSink() } else { listeners.afterDelivery { self.releaseSink() } }
    }

    override func dispose() {
        letGo()
        if raise(Flag.disposed) & Flag.disposed == 0 { listeners.remove(self) }
    }
}

/// A subscription that keeps the source's owner alive: the list holds the listener, and only who may want to dispose holds this, so that
/// a subscription that nobody holds does not keep what feeds it.
final class ListenerHandle<T, E>: Subscription {
    private let listener: Listener<T, E>
    @exclusivity(unchecked) private var owner: AnyObject?

    init(_ listener: Listener<T, E>, _ owner: AnyObject) {
        self.listener = listener
        self.owner = owner
    }

    override var isOver: Bool { isTerminated || listener.isTerminated }
    override var deliverer: Unmanaged<Subscription> { Unmanaged.passUnretained(listener) }

    override func dispose() {
        guard raise(Flag.terminated | Flag.disposed) & Flag.disposed == 0 else { return }
        listener.dispose()
        let taken = owner
        owner = nil
        withExtendedLifetime(taken) {}
    }
}
