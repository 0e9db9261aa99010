import Synchronization

/// The state of a link: who observes, which values nobody has seen yet, and how it ended.
///
/// Everything happens in one serial section: an event, or a registration, that comes while another is being handled, be
/// it on another thread or from inside a handler, is handled after it. So every observer sees one order, and nothing is
/// locked while a handler runs.
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
    /// In their order; those that were taken out have left a gap.
    @exclusivity(unchecked) private var registrations: [Registration<Value, Failure>?] = []
    @exclusivity(unchecked) private var gaps = 0
    /// Until the first handler for values comes; after that values are not kept.
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

    /// Nothing is delivered to a registration any more, from the calling thread's point of view at once.
    func remove(_ life: Life) {
        life.end()
        submit(.remove(life))
    }

    /// Drops all handlers and what nobody has seen; whatever comes later is ignored.
    func close() {
        life.end()
        submit(.close)
    }

    /// Nobody can emit any more: drops the handlers and what nobody has seen. Of the end those who come later are told
    /// all the same.
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

    /// In constant time, taken all together: the others move up when half of the places are gaps.
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
            // The end is the last that the handlers see: they are released.
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

/// What observes a link: handlers, or the link below.
final class Registration<Value, Failure>: @unchecked Sendable {
    private let next: ((Value) -> Void)?
    private let error: ((Failure) -> Void)?
    private let finish: (() -> Void)?
    /// Where the handlers are called; by default where the event comes from.
    private let queue: ((@escaping () -> Void) -> Void)?
    /// What is on its way to the queue. Each block there takes out the first: so on a serial queue the order holds
    /// among all handlers.
    private let lock = SmallLock()
    @exclusivity(unchecked) private var waiting = Fifo<SignalEvent<Value, Failure>>()
    /// The blocks, one at a time: so the order holds on a concurrent queue as well.
    private let blocks = Serial<Void>()
    private let link: Life
    /// Its own. Whoever may take it out holds this alone: what it calls may hold whoever that is.
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

/// Whether a link, or a registration, still passes anything on.
final class Life: @unchecked Sendable {
    /// Of a registration: where it stands in its core, in whose section this is touched.
    @exclusivity(unchecked) fileprivate(set) var place = 0
    private let over = Synchronization.Atomic<Bool>(false)

    var isOver: Bool { over.load(ordering: .acquiring) }
    func end() { over.store(true, ordering: .releasing) }
}
