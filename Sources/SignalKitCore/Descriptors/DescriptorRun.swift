import SignalKitShims

/// A subscription with a descriptor. It handles readiness in turns of its queue.
///
/// It receives one notification, and watches again after it has handled that. So nothing accumulates: it reads no more
/// until the downstream stages have returned, and until the end of a pause. That is its backpressure.
///
///     watch ──► isReady (any thread) ──► Turn (on the queue): handle ──► (the end of a pause) ──► watch …
///
/// Nothing is read or written after `dispose` has returned. If the queue releases a turn without running it, for
/// example because its loop or pool has ended, the subscription is disposed.
class DescriptorRun: Disposable, @unchecked Sendable {
    final let executor: Executor
    final let interest: Readiness
    /// Held during the system calls, which do not block, so that the descriptor is not closed during a call.
    private let lock = FutexLock()
    /// Guarded by the lock. It is nil before the start, and after the end.
    @exclusivity(unchecked) final private var descriptor: Descriptor?
    /// It need not be watched before the next turn. The turn's, and there is one at a time.
    @exclusivity(unchecked) final private var isAlwaysReady = false
    /// The process in which the descriptor is watched, or 0. Only the watch uses it.
    @exclusivity(unchecked) final var watched: UInt32 = 0

    init(_ queue: Queue, _ interest: Readiness) {
        executor = queue.executor
        self.interest = interest
    }

    /// Handles the readiness, unless the subscription is over. Returns whether to watch again.
    func handle(_ readiness: Readiness) -> Bool { mustOverride() }

    /// The descriptor cannot be watched.
    func fail(_ error: SystemError) { mustOverride() }

    final func begin(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        isAlwaysReady = descriptor.tail != nil // The first turn reads what the file contains.
    }

    /// Has `handle` called once on the queue, when the descriptor is ready.
    final func watch() {
        guard let descriptor = current else { return }
        if isAlwaysReady { return isReady(interest) }
        heed(executor.watcher.watch(self, descriptor), descriptor)
    }

    /// Handles the result of `watch`.
    final func heed(_ error: Int32, _ descriptor: Descriptor) {
        // A subscription that was disposed in the meantime may have entered the set after its removal.
        if isOver { return executor.watcher.forget(self, descriptor) }
        if error == Int32(SGK_SHIM_NOT_TO_BE_WATCHED) {
            isAlwaysReady = true
            isReady(interest)
        } else if error != 0 {
            fail(SystemError(error, "epoll_ctl"))
        }
    }

    final func isReady(_ readiness: Readiness) { executor.enqueue(Turn(self, readiness)) }

    /// In a pause it leaves what it would read with the system.
    fileprivate final func turn(_ readiness: Readiness) {
        if mustWait || handle(readiness) { goOn() }
    }

    /// Whether a pause keeps it from reading.
    var mustWait: Bool { false }

    /// Watches again, now or at the end of a pause.
    func goOn() { watch() }

    /// It has been disposed.
    final var isOver: Bool { current == nil }

    /// Nil if the subscription is over.
    final var current: Descriptor? {
        lock.lock()
        defer { lock.unlock() }
        return descriptor
    }

    /// Calls the system with the descriptor. Returns nil if the subscription is over.
    final func use<R>(_ call: (Int32) -> R) -> R? {
        lock.lock()
        defer { lock.unlock() }
        return descriptor.map { call($0.number) }
    }

    /// Reads, or receives a datagram. Returns the number of bytes, 0 at the end, an error as a negative number, or nil
    /// if the subscription is over.
    final func read(_ memory: UnsafeMutableRawPointer, _ room: Int, receives: Bool) -> Int64? {
        lock.lock()
        defer { lock.unlock() }
        guard let descriptor else { return nil }
        let read: Int64
        if receives {
            read = sgk_shim_socket_receive(descriptor.number, memory, room)
        } else if let tail = descriptor.tail {
            read = sgk_shim_tail_read(tail, memory, room)
        } else {
            return sgk_shim_fd_read(descriptor.number, memory, room)
        }
        isAlwaysReady = read > 0
        return read
    }

    /// Like `use`, for a call that may block. Disposal does not wait for it, and the descriptor is closed after it.
    final func useAtLeisure<R>(_ call: (Int32) -> R) -> R? { current.map { call($0.number) } }

    func dispose() { letGo() }

    final func letGo() {
        lock.lock()
        let taken = descriptor
        descriptor = nil
        lock.unlock()
        if let taken { executor.watcher.forget(self, taken) }
    }
}

/// A turn of a subscription that is enqueued.
final class Turn: Job, @unchecked Sendable {
    private var owner: DescriptorRun?
    private let readiness: Readiness

    init(_ owner: DescriptorRun, _ readiness: Readiness = []) {
        self.owner = owner
        self.readiness = readiness
    }

    /// It was released without running.
    deinit { owner?.dispose() }

    override func run() { run(readiness) }

    func run(_ readiness: Readiness) { callOff()?.turn(readiness) }

    /// Its release no longer disposes the subscription.
    @discardableResult
    func callOff() -> DescriptorRun? { owner.take() }
}

/// One that emits what it finds.
class EmittingRun<T, E>: DescriptorRun, @unchecked Sendable {
    final let subscriber: Subscriber<T, E>
    private let queue: Queue
    private let failure: (SystemError) -> E

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ interest: Readiness, _ failure: @escaping (SystemError) -> E
    ) {
        self.subscriber = subscriber
        self.queue = queue
        self.failure = failure
        super.init(queue, interest)
    }

    /// False if the system would drop what is not read in time.
    var obeysPauses: Bool { true }

    override final var mustWait: Bool { obeysPauses && subscriber.isPaused }

    /// Emits what it had read before a pause, up to the next pause. Returns false if there was nothing.
    func emitRest() -> Bool { false }

    override final func goOn() {
        while !mustWait {
            if !emitRest() { return watch() }
        }
        // If the queue has ended, the turn disposes the subscription.
        let turn = Turn(self)
        subscriber.onResume(queue) { turn.callOff()?.goOn() }
    }

    override final func fail(_ error: SystemError) { subscriber.putError(failure(error)) }

    fileprivate final func start(_ open: () throws(SystemError) -> Descriptor) {
        do throws(SystemError) {
            begin(try open())
            goOn()
        } catch {
            fail(error)
        }
    }
}

extension Signal {
    /// A signal whose runs have a descriptor each, which is opened at the start.
    static func watching(
        _ parameter: Parameter = .none, as operation: CString = #function,
        _ run: @escaping (Subscriber<T, E>) -> EmittingRun<T, E>, _ open: @escaping () throws(SystemError) -> Descriptor
    ) -> Signal {
        source(parameter, as: operation) { subscriber in
            let run = run(subscriber)
            run.start(open)
            return run
        }
    }
}
