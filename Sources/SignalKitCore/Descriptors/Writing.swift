import SignalKitShims
import Synchronization

/// Writes the values of a signal to a descriptor, on `queue`. `append` converts them to bytes. It emits nothing. It
/// completes or fails after the signal has ended and all bytes were written.
///
/// If the descriptor is a socket for datagrams, each value is one. Only there it may have an address: `append` returns
/// the number of bytes at the beginning that are the address.
///
/// At most `limit` bytes are pending, or one longer value, in addition to an equal number that is being written.
/// `overflow` decides what happens to a further value. It must not drop values: a value may be a part of a message, so
/// the data would be torn. With `.suspend` an emitting thread waits until there is space. On the queue itself that
/// would be a deadlock, so the subscription fails. In work for which the queue's work waits, more bytes may be pending.
///
/// - Parameters:
///   - takes: whether the subscription owns the descriptor and closes it at the end.
///   - mayBeUnread: whether it completes, instead of failing, when nobody reads what it writes.
func write<T, E, R>(
    to descriptor: Int32, takes: Bool, mayBeUnread: Bool = false, queue: Queue, limit: Int, overflow: OverflowPolicy<E>,
    counter: OverflowCounter?, failure: @escaping (SystemError) -> E,
    append: @escaping (T, inout [UInt8]) throws(SystemError) -> Int
) -> (Signal<T, E>) -> Signal<R, E> {
    precondition(limit > 0, "limit must be 1 or more")
    #if !hasFeature(Embedded) // the functions of C check it themselves
    switch overflow.atLimit {
    case .dropOldest, .dropNewest, .keepLatest: preconditionFailure("overflow must not drop values: they may be parts")
    case .suspend, .fail, .pause, nil: break
    }
    #endif
    let kinds = (gate: Gate<R, E>.self, subscriber: Subscriber<R, E>.self)
    return { signal in
        ComposedSignal(of: signal, .several([.count(Int(descriptor)), .count(limit)])) { sink in
            let gate = kinds.gate.init(sink)
            sink.attached(gate)
            if gate.isTerminated {
                if takes { sgk_shim_fd_close(descriptor) }
                return
            }
            let run = WritingRun<T, E, R>(
                kinds.subscriber.init(gate), queue, limit, overflow, counter, mayBeUnread: mayBeUnread,
                mayWait: sgk_shim_fd_may_wait(descriptor), sends: sgk_shim_socket_has_datagrams(descriptor), append,
                failure)
            do throws(SystemError) {
                run.begin(
                    takes ? try .opened(descriptor, by: "write") : try .of(descriptor, for: .writable, queue))
                gate.assign(run) // first: what the source emits inside its start may wait for room
                signal.attachFinal(to: WritingInlet(run))
            } catch {
                run.fail(error)
            }
        }
    }
}

private final class WritingRun<T, E, R>: DescriptorRun, @unchecked Sendable {
    private let limit: Int
    /// The number of pending bytes at which the source is paused. See `OverflowPolicy.marks`.
    private let high: Int
    /// The policy at the limit. Nil: the limit may be exceeded.
    private let overflow: OverflowPolicy<E>?
    private let counter: OverflowCounter?
    private let append: (T, inout [UInt8]) throws(SystemError) -> Int
    private let failure: (SystemError) -> E
    /// Writing to a terminal can block as long as a user has stopped it.
    private let mayWait: Bool
    private let mayBeUnread: Bool
    /// The time to send a datagram for which the system has no room now. Nil if the bytes are no datagrams. (Each of
    /// those has its sizes and its address before it.)
    private let retry: Alarm?
    /// The bytes that are being written, from `start` on. Only the queue's work uses them.
    @exclusivity(unchecked) private var writing: [UInt8] = []
    @exclusivity(unchecked) private var start = 0
    /// The system has no room for a datagram.
    @exclusivity(unchecked) private var mustRetry = false

    /// For sections in which bytes are copied and the source is paused, and nothing else is called or released.
    private let lock = FutexLock()
    // The lock guards the following fields.
    @exclusivity(unchecked) private var subscriber: Subscriber<R, E>?
    @exclusivity(unchecked) private var source = Slot.empty
    /// It is empty after disposal.
    @exclusivity(unchecked) private var waiting: [UInt8] = []
    /// A turn is enqueued, or the descriptor is watched.
    @exclusivity(unchecked) private var isAtWork = false
    /// The terminal event, which follows the pending bytes. `isAbandoned` is true after the release of the source.
    @exclusivity(unchecked) private var end: End<E>?
    @exclusivity(unchecked) private var isAbandoned = false
    /// The source is paused, until the pending bytes are being written.
    @exclusivity(unchecked) private var isPausing = false
    /// The threads that wait for space.
    @exclusivity(unchecked) private var suspended = Fifo<Latch>()

    init(
        _ subscriber: Subscriber<R, E>, _ queue: Queue, _ limit: Int, _ overflow: OverflowPolicy<E>,
        _ counter: OverflowCounter?, mayBeUnread: Bool, mayWait: Bool, sends: Bool,
        _ append: @escaping (T, inout [UInt8]) throws(SystemError) -> Int, _ failure: @escaping (SystemError) -> E
    ) {
        self.subscriber = subscriber
        self.limit = limit
        high = overflow.marks(limit: limit).high
        self.overflow = overflow.atLimit
        self.counter = counter
        self.mayWait = mayWait
        self.mayBeUnread = mayBeUnread
        retry = sends ? Alarm(queue.executor) : nil
        self.append = append
        self.failure = failure
        super.init(queue, .writable)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    // MARK: The source

    func store(_ upstream: Subscription) {
        if high < .max { upstream.govern() }
        locked { source.store(upstream) }?.dispose()
    }

    func put(_ value: T) {
        // A source that is paused in time exceeds the limit by a part of a value.
        var bound = overflow == nil ? .max : limit
        while true {
            lock.lock()
            let (addition, error) = add(value, upTo: bound)
            lock.unlock()
            if let error { return fail(error) }
            switch addition {
            case .done: return
            case .begins: return enterQueue()
            case .full:
                if case let .fail(error) = overflow {
                    counter?.drop(1)
                    Record.drop(1)
                    return fail(with: error)
                }
                switch makeRoom() {
                case .made: break
                case .waitsForItself: bound = .max
                case .none: return fail(Int32(SGK_SHIM_NO_ROOM))
                }
            }
        }
    }

    private enum Addition { case done, begins, full }
    private enum Room { case made, waitsForItself, none }

    /// Called with the lock.
    private func add(_ value: T, upTo limit: Int) -> (Addition, SystemError?) {
        if subscriber == nil || end != nil { return (.done, nil) }
        let count = waiting.count
        do throws(SystemError) {
            if sends { withUnsafeBytes(of: (0, 0)) { waiting.append(contentsOf: $0) } }
            let start = waiting.count, address = try append(value, &waiting), data = waiting.count - start - address
            if address > (sends ? Int(SGK_SHIM_ADDRESS) : 0) { throw systemError(Int32(SGK_SHIM_INVALID)) }
            if sends {
                waiting.withUnsafeMutableBytes { sgk_shim_datagram_begin($0.baseAddress! + count, address, data) }
            }
        } catch {
            waiting.removeSubrange(count...)
            return (.done, error)
        }
        let size = waiting.count - count
        // The value that makes a source pause may exceed the limit.
        if count > 0 && count + (high < .max ? min(size, 1) : size) > limit {
            waiting.removeSubrange(count...)
            return (.full, nil)
        }
        if waiting.count >= high {
            if count >= self.limit { counter?.exceed() }
            if !isPausing { source.subscription?.pause() }
            isPausing = true
        }
        return (comesToWork() ? .begins : .done, nil)
    }

    /// Called with the lock.
    private func comesToWork() -> Bool {
        defer { isAtWork = true }
        return !isAtWork
    }

    private func enterQueue() { isReady(interest) }

    /// Returns whether there may be space now. On the queue itself it first writes as much as possible.
    private func makeRoom() -> Room {
        if executor.isCurrent {
            _ = pour()
            return locked { waiting.isEmpty } ? .made : .none
        }
        if !executor.isServed { return .none } // nobody would make any
        let latch = Latch()
        let waits = locked {
            let waits = !waiting.isEmpty
            if waits { suspended.append(latch) }
            return waits
        }
        if !waits { return .made }
        guard let wait = executor.beginWait(for: latch) else { return .waitsForItself }
        counter?.suspend()
        executor.wait(for: latch, .infinity, wait)
        wait.end()
        return latch.isOpen ? .made : .none
    }

    func finish(_ end: End<E>) {
        let begins = locked {
            if subscriber == nil || self.end != nil { return false }
            self.end = end
            return comesToWork()
        }
        if begins { enterQueue() }
    }

    /// The source was released, possibly without an end. The pending bytes are still written.
    func abandon() {
        let begins = locked {
            isAbandoned = true
            return subscriber != nil && comesToWork()
        }
        if begins { enterQueue() }
    }

    // MARK: The queue

    override func handle(_ readiness: Readiness) -> Bool {
        switch pour() {
        case .full: return true
        case .over: return false
        case .done: break
        }
        if !isAtRest() { enterQueue() }
        return false
    }

    private var sends: Bool { retry != nil }

    /// Watches, or tries again after a moment.
    override func goOn() {
        if !mustRetry { return watch() }
        let turn = Turn(self, interest) // If the queue drops it, the subscription is disposed.
        retry?.set(executor.now + 0.01) { turn.run() }
    }

    private enum Outcome {
        /// The descriptor accepts no more bytes for now.
        case full
        /// All bytes that were pending at first are written.
        case done
        case over
    }

    /// Writes the pending bytes. Called only on the queue.
    private func pour() -> Outcome {
        if start == writing.count { takeWhatWaits() }
        while start < writing.count {
            let write = { [self] (number: Int32) in
                writing.withUnsafeBytes {
                    let rest = (from: $0.baseAddress! + start, size: $0.count - start)
                    return sends
                        ? sgk_shim_socket_send(number, rest.from, rest.size)
                        : sgk_shim_fd_write(number, rest.from, rest.size)
                }
            }
            guard let written = mayWait ? useAtLeisure(write) : use(write) else { return .over }
            mustRetry = sends && written == -Int64(SGK_SHIM_NO_ROOM)
            if mustRetry || written == -Int64(SGK_SHIM_AGAIN) { return .full }
            if written < 0 {
                fail(Int32(-written))
                return .over
            }
            start += Int(written)
        }
        return .done
    }

    /// Takes the pending bytes, wakes the threads that wait for space, and resumes the source.
    private func takeWhatWaits() {
        writing.removeAll(keepingCapacity: true)
        start = 0
        var freed = Fifo<Latch>()
        let paused: Subscription? = locked {
            swap(&writing, &waiting)
            swap(&freed, &suspended)
            defer { isPausing = false }
            return isPausing ? source.subscription : nil
        }
        while let latch = freed.popFirst() { latch.open() }
        paused?.resume()
    }

    /// Returns true if there is no work left for now. Then it delivers the terminal event, if there is one.
    private func isAtRest() -> Bool {
        var last: (subscriber: Subscriber<R, E>?, end: End<E>?) = (nil, nil)
        var isLast = false
        let rests = locked {
            if !waiting.isEmpty { return false }
            isAtWork = false
            isLast = end != nil || isAbandoned
            if isLast { (last, subscriber) = ((subscriber, end), nil) }
            return true
        }
        if isLast { letGo() } // first, because a descriptor that is taken over is closed before the terminal event
        switch last.end {
        case let .failed(failure): last.subscriber?.putError(failure.error)
        case .completed: last.subscriber?.putCompletion()
        case nil: break
        }
        return rests
    }

    override func fail(_ error: SystemError) {
        fail(with: mayBeUnread && error.code == Int32(SGK_SHIM_UNREAD) ? nil : failure(error))
    }

    @inline(never)
    private func fail(_ code: Int32) { fail(systemError(code)) }

    private func systemError(_ code: Int32) -> SystemError { SystemError(code, sends ? "sendto" : "write") }

    /// - Parameter error: nil to complete.
    private func fail(with error: E?) {
        let last = locked { subscriber.take() }
        letGo() // first, as at the end
        if let error {
            last?.putError(error)
        } else {
            last?.putCompletion()
        }
    }

    // MARK: The end

    /// Wakes the threads that wait for space. Their values are dropped.
    override func dispose() {
        letGo()
        var freed = Fifo<Latch>()
        let last = locked {
            swap(&freed, &suspended)
            waiting = []
            defer { (subscriber, end) = (nil, nil) }
            return (subscriber, source.close(), end)
        }
        last.1?.dispose()
        retry?.dispose()
        while let latch = freed.popFirst() { latch.open() }
    }
}

/// The inlet of the source.
private final class WritingInlet<T, E, R>: Sink<T, E> {
    private let run: WritingRun<T, E, R>

    init(_ run: WritingRun<T, E, R>) { self.run = run }

    deinit { run.abandon() }

    override func attached(_ upstream: Subscription) { run.store(upstream) }
    override func next(_ value: T) { run.put(value) }
    override func end(_ end: End<E>) { run.finish(end) }
}
