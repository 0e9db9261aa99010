/// An object that is created, used and released only on one queue, which must be serial.
///
/// Any thread may use this class. It delivers each access on the queue. A closure that needs the object before it was
/// created creates it.
public final class QueueLocalObject<T: AnyObject>: @unchecked Sendable {
    /// The queue of the object.
    public let queue: Queue
    private let slot: LocalSlot<T>

    /// - Parameters:
    ///   - queue: where the object is created, used and released.
    ///   - generate: creates the object on the queue, inline if it is current.
    @preconcurrency
    public init(queue: Queue, generate: @escaping @Sendable () -> T) {
        precondition(!queue.executor.isConcurrent, "a QueueLocalObject needs a serial queue")
        self.queue = queue
        let slot = LocalSlot(generate)
        self.slot = slot
        queue.async { _ = slot.object }
    }

    deinit {
        let slot = slot
        queue.async { slot.empty() }
    }

    /// The object, or nil before it was created. Call it only on the queue.
    public func unsafeGet() -> T? {
        assert(queue.isCurrent(), "unsafeGet is for the object's own queue")
        return slot.existing
    }

    /// Calls `f` with the object on the queue, inline if it is current, otherwise later.
    @preconcurrency
    public func with(_ f: @escaping @Sendable (T) -> Void) {
        let slot = slot
        queue.async {
            if let object = slot.object { f(object) }
        }
    }

    /// Calls `f` with the object on the queue, waits for it and returns its result.
    @preconcurrency
    public func syncWith<R>(_ f: @escaping @Sendable (T) -> R) -> R {
        var result: R?
        queue.sync { result = .some(f(made)) }
        return result!
    }

    /// The object, which is created if necessary. Only called on the queue.
    var made: T { slot.object! }

    /// Returns a signal that calls `f` with the object at each start, on the queue. The call is inline if the queue is
    /// current. If the signal is disposed, or this owner is released, before that call, `f` is not called, and the
    /// signal stays silent. The signal does not keep the owner alive.
    @preconcurrency
    public func signalWith<R, E>(_ f: @escaping @Sendable (T, Subscriber<R, E>) -> Disposable) -> Signal<R, E> {
        let queue = queue
        let slot = slot
        return Signal { subscriber in
            let inner = MetaDisposable()
            queue.async {
                if subscriber.isActive, let object = slot.object { inner.set(f(object, subscriber)) }
            }
            return inner
        }
    }
}

/// The object: not created yet, existing, or released. It is used only on the queue. The lock protects against queues
/// that are not serial.
private final class LocalSlot<T: AnyObject>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var generate: (() -> T)?
    @exclusivity(unchecked) private var current: T?

    init(_ generate: @escaping () -> T) {
        self.generate = generate
    }

    var existing: T? {
        lock.lock()
        defer { lock.unlock() }
        return current
    }

    /// The object, which is created if necessary, or nil after its release.
    var object: T? {
        lock.lock()
        let (existing, generate) = (current, generate)
        lock.unlock()
        if let existing { return existing }
        guard let generate else { return nil }
        let made = generate()
        lock.lock()
        var obsolete: (() -> T)?
        if self.generate != nil { current = made }
        swap(&self.generate, &obsolete)
        let object = current
        lock.unlock()
        withExtendedLifetime(obsolete) {}
        return object
    }

    func empty() {
        lock.lock()
        let gone = current
        let unused = generate
        current = nil
        generate = nil
        lock.unlock()
        withExtendedLifetime((gone, unused)) {}
    }
}
