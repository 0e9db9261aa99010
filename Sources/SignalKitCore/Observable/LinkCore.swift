import Synchronization

/// The state of a link: its observers, the buffered values, and its end.
///
/// A serial section handles all events and registrations. If one arrives while another is handled, on another thread or
/// inside a handler, it is handled afterwards. So every observer sees one order, and no lock is held while a handler
/// runs.
final class LinkCore<Value, Failure>: @unchecked Sendable {
    private enum Command {
        case event(SignalEvent<Value, Failure>)
        case register(Registration<Value, Failure>)
        case remove(Life)
        case close
        case abandon
    }

    private let serial = Serial<Command>()
    private let life = Life()
    // In the section:
    /// In their order. A removed registration leaves a gap.
    @exclusivity(unchecked) private var registrations: [Registration<Value, Failure>?] = []
    @exclusivity(unchecked) private var gaps = 0
    /// The values before the first handler of values. Later values are not buffered.
    @exclusivity(unchecked) private var buffer: [Value] = []
    @exclusivity(unchecked) private var isObserved = false
    @exclusivity(unchecked) private var isAbandoned = false
    @exclusivity(unchecked) private var end: SignalEvent<Value, Failure>?

    func send(_ event: SignalEvent<Value, Failure>) { submit(.event(event)) }

    func register(
        next: ((Value) -> Void)? = nil, error: ((Failure) -> Void)? = nil, finish: (() -> Void)? = nil,
        on queue: ((@escaping () -> Void) -> Void)? = nil
    ) -> Registration<Value, Failure> {
        let registration = Registration(next, error, finish, queue, life)
        submit(.register(registration))
        return registration
    }

    /// Removes a registration. The calling thread delivers no further event to it.
    func remove(_ life: Life) {
        life.end()
        submit(.remove(life))
    }

    /// Releases all handlers and buffered values. Later events are ignored.
    func close() {
        life.end()
        submit(.close)
    }

    /// No event can be emitted any longer. Releases the handlers and the buffered values. Later observers still receive
    /// a past end.
    func abandon() { submit(.abandon) }

    private func submit(_ command: Command) { serial.submit(command) { handle($0) } }

    private func handle(_ command: Command) {
        if life.isOver { return drop() }
        switch command {
        case .close: break
        case .abandon:
            isAbandoned = true
            drop()
        case let .event(event): handle(event)
        case let .register(registration): add(registration)
        case let .remove(life): remove(at: life.place, life)
        }
    }

    private func drop() {
        _ = takeRegistrations()
        buffer = []
    }

    private func takeRegistrations() -> [Registration<Value, Failure>?] {
        let taken = registrations
        registrations = []
        gaps = 0
        return taken
    }

    /// Takes amortized constant time: the gaps are closed when they are more than half of the places.
    private func remove(at place: Int, _ life: Life) {
        guard place < registrations.count, registrations[place]?.life === life else { return }
        registrations[place] = nil
        gaps += 1
        if gaps * 2 <= registrations.count { return }
        registrations.removeAll { $0 == nil }
        gaps = 0
        for (place, registration) in registrations.enumerated() { registration?.life.place = place }
    }

    private func handle(_ event: SignalEvent<Value, Failure>) {
        if end != nil { return }
        if case let .Next(value) = event {
            if !isObserved { return buffer.append(value) }
            for registration in registrations { registration?.deliver(event) }
        } else {
            // The terminal event is the last event of the handlers, so they are released.
            end = event
            for registration in takeRegistrations() { registration?.deliver(event) }
        }
    }

    private func add(_ registration: Registration<Value, Failure>) {
        if end == nil && !isAbandoned {
            registration.life.place = registrations.count
            registrations.append(registration)
        }
        if registration.takesValues && !isObserved {
            isObserved = true
            let missed = buffer
            buffer = []
            for value in missed { registration.deliver(.Next(value)) }
        }
        if let end { registration.deliver(end) }
    }
}

/// An observer of a link: handlers, or the downstream link.
final class Registration<Value, Failure>: @unchecked Sendable {
    private let next: ((Value) -> Void)?
    private let error: ((Failure) -> Void)?
    private let finish: (() -> Void)?
    /// Runs the handlers. If it is nil, they run on the emitting thread.
    private let queue: ((@escaping () -> Void) -> Void)?
    /// The events that wait for the queue. Each block there takes out the first event. So on a serial queue the order
    /// holds across all handlers.
    private let lock = SmallLock()
    @exclusivity(unchecked) private var waiting = Fifo<SignalEvent<Value, Failure>>()
    /// Runs one block at a time, so that the order also holds on a concurrent queue.
    private let blocks = Serial<Void>()
    private let link: Life
    /// The life of this registration. The code that may remove it retains only this object, because the handlers may
    /// retain that code.
    let life = Life()

    init(
        _ next: ((Value) -> Void)?, _ error: ((Failure) -> Void)?, _ finish: (() -> Void)?,
        _ queue: ((@escaping () -> Void) -> Void)?,
        _ link: Life
    ) {
        self.next = next
        self.error = error
        self.finish = finish
        self.queue = queue
        self.link = link
    }

    var takesValues: Bool { next != nil }

    func deliver(_ event: SignalEvent<Value, Failure>) {
        guard let queue else { return call(event) }
        lock.lock()
        waiting.append(event)
        lock.unlock()
        queue { self.blocks.submit(()) { self.callFirst() } }
    }

    private func callFirst() {
        lock.lock()
        let event = waiting.popFirst()
        lock.unlock()
        if let event { call(event) }
    }

    private func call(_ event: SignalEvent<Value, Failure>) {
        if life.isOver || link.isOver { return }
        switch event {
        case let .Next(value): next?(value)
        case let .Error(failure): error?(failure)
        case .Completion: finish?()
        }
    }
}

/// Whether a link, or a registration, still forwards events.
final class Life: @unchecked Sendable {
    /// The index of a registration in its core. Access only in the section of that core.
    @exclusivity(unchecked) fileprivate(set) var place = 0
    private let over = Synchronization.Atomic<Bool>(false)

    var isOver: Bool { over.load(ordering: .acquiring) }
    func end() { over.store(true, ordering: .releasing) }
}
