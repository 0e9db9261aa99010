/// Who listens to a hot source, and the delivery to them: one value at a time, to those who listened when it was put.
final class Listeners<T>: @unchecked Sendable {
    private struct Delivery {
        let value: T
        let listeners: [Listener<T>?]
    }

    private let serial = Serial<Delivery>()
    private let lock = SmallLock()
    /// In the order of subscription; those who have left leave a hole until half of it is holes.
    @exclusivity(unchecked) private var listeners: [Listener<T>?] = []
    @exclusivity(unchecked) private var holes = 0
    @exclusivity(unchecked) private var isClosed = false

    func put(_ value: T) {
        lock.lock()
        let current = listeners
        lock.unlock()
        if current.isEmpty { return }
        if serial.enter() {
            deliver(value, current)
        } else if !serial.wait(Delivery(value: value, listeners: current)) {
            return
        }
        _ = serial.drain { delivery in
            if let delivery { deliver(delivery.value, delivery.listeners) }
            return true
        }
    }

    @inline(__always)
    private func deliver(_ value: T, _ listeners: [Listener<T>?]) {
        for listener in listeners { listener?.next(value) }
    }

    func add(_ sink: Sink<T, NoError>) {
        let listener = Listener(sink, self)
        sink.attached(listener)
        if listener.isTerminated { return }
        lock.lock()
        let late = isClosed
        if !late {
            listener.index = listeners.count
            listeners.append(listener)
        }
        lock.unlock()
        // A pipe that is gone stays silent: the stages below are let go, the subscription means nothing.
        if late { listener.letGo() } else if listener.isTerminated { remove(listener) }
    }

    func remove(_ listener: Listener<T>) {
        lock.lock()
        var removed: Listener<T>?
        var compacted: [Listener<T>?] = []
        if listener.index >= 0 && !isClosed {
            swap(&listeners[listener.index], &removed)
            listener.index = -1
            holes += 1
            if holes > 8 && holes * 2 > listeners.count {
                compacted = listeners
                listeners = listeners.filter { $0 != nil }
                for (index, listener) in listeners.enumerated() { listener!.index = index }
                holes = 0
            }
        }
        lock.unlock()
        withExtendedLifetime((removed, compacted)) {}
    }

    func close() {
        lock.lock()
        isClosed = true
        let taken = listeners
        listeners = []
        lock.unlock()
        for listener in taken { listener?.letGo() }
    }
}

/// One subscription to a hot source.
final class Listener<T>: CountedSubscription<T, NoError> {
    private let listeners: Listeners<T>
    /// Its place in the list, or -1. Only under the list's lock.
    @exclusivity(unchecked) fileprivate(set) var index = -1

    init(_ sink: Sink<T, NoError>, _ listeners: Listeners<T>) {
        self.listeners = listeners
        super.init(sink)
    }

    override func dispose() {
        letGo()
        if raise(Flag.disposed) & Flag.disposed == 0 { listeners.remove(self) }
    }
}
