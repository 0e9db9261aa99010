/// A link of a chain of observers: it can be observed, and other links can be derived from it.
///
///     emitter ◄── owns ── link ◄── owns ── last link ◄── owns ── LinkBag
///         core ── events ──► core ── events ──► core ──► handlers
///
/// A link owns the one above; what is above reaches only the state of what is below, and only until that is unlinked or
/// gone. So a chain is held by its last link, and letting that go frees it from below. An emitter is owned by whoever
/// emits, and by the links below; not by its signals.
///
/// Values that nobody has observed yet are kept for the first handler of values; those who come after the end are told
/// of it. Handlers are called in the order of registration, one event at a time: what is emitted from inside a handler,
/// or meanwhile on another thread, comes after it. All of it is safe from any thread. A chain has
/// at most 500 links; creating the 513th stops the program.
///
/// The error type is a parameter here; `Observer` is the form whose errors are Swift's.
public class EventLink<Value, Failure>: Link, @unchecked Sendable {
    final let core = LinkCore<Value, Failure>()
    /// How many links are above: events come down the stack, and what is let go goes up.
    final let depth: Int

    init(depth: Int = 0) {
        precondition(depth <= Depth.most, "a chain has too many links")
        self.depth = depth
        super.init()
    }

    /// Calls `next` with each value: on `queue`, never inline, or without one on the emitting thread. The first handler
    /// of values gets those that were emitted so far.
    @discardableResult
    public final func on(queue: Queue? = nil, next: @escaping (Value) -> Void) -> EventLink {
        _ = core.register(next: next, on: EventLink.dispatch(queue))
        return self
    }

    /// Calls `error` when the chain fails, or soon if it has failed already.
    @discardableResult
    public final func on(queue: Queue? = nil, error: @escaping (Failure) -> Void) -> EventLink {
        _ = core.register(error: error, on: EventLink.dispatch(queue))
        return self
    }

    /// Calls `finish` when the chain finishes, or soon if it has finished already.
    @discardableResult
    public final func on(queue: Queue? = nil, finish: @escaping () -> Void) -> EventLink {
        _ = core.register(finish: finish, on: EventLink.dispatch(queue))
        return self
    }

    private static func dispatch(_ queue: Queue?) -> ((@escaping () -> Void) -> Void)? {
        queue.map { queue in { queue.justDispatch($0) } }
    }

    final override func disconnected() { core.close() }

    /// Whether its signals keep it.
    var isKeptBySignals: Bool { true }

    // MARK: Derived links

    /// Passes on what `transform` makes of the values.
    public final func map<R>(_ transform: @escaping (Value) -> R) -> EventLink<R, Failure> {
        derived { value, below in below.send(.Next(transform(value))) }
    }

    /// Passes on the values for which `isIncluded` is true.
    public final func filter(_ isIncluded: @escaping (Value) -> Bool) -> EventLink {
        derived { value, below in if isIncluded(value) { below.send(.Next(value)) } }
    }

    /// Passes on what `transform` makes of the values, except where that is nil.
    public final func compactMap<R>(_ transform: @escaping (Value) -> R?) -> EventLink<R, Failure> {
        derived { value, below in if let result = transform(value) { below.send(.Next(result)) } }
    }

    /// The same events, without the means to emit any: what an emitter shows to others.
    public final func observer() -> EventLink {
        derived { value, below in below.send(.Next(value)) }
    }

    private final func derived<R>(_ next: @escaping (Value, LinkCore<R, Failure>) -> Void) -> EventLink<R, Failure> {
        let link = EventLink<R, Failure>(depth: depth + 1)
        let below = link.core
        let registration = core.register(
            next: { next($0, below) }, error: { below.send(.Error($0)) }, finish: { below.send(.Completion) })
        link.connect(LinkConnection(self, core, registration))
        return link
    }
}

/// The beginning of a chain, owned by whoever emits.
public class EventEmitter<Value, Failure>: EventLink<Value, Failure>, @unchecked Sendable {
    /// - Parameter value: emitted at once, that is, kept for the first handler.
    public init(_ value: Value? = nil) {
        super.init()
        if let value { next(value) }
    }

    deinit {
        core.abandon()
    }

    /// Nothing is above that it would have to hold, and nobody emits any more when it has gone.
    override final var isKeptBySignals: Bool { false }

    /// Emits a value. It is ignored after the end.
    public func next(_ value: Value) { core.send(.Next(value)) }

    /// Ends the chain with an error.
    public func error(_ error: Failure) { core.send(.Error(error)) }

    /// Ends the chain.
    public func finish() { core.send(.Completion) }
}

/// How a link, or a run, hangs on the link above: it keeps what it has to of that, and takes its registration out when
/// it goes.
final class LinkConnection<Value, Failure>: Disposable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var above: (kept: AnyObject?, core: LinkCore<Value, Failure>)?
    private let registration: Life

    init(_ kept: AnyObject?, _ core: LinkCore<Value, Failure>, _ registration: Registration<Value, Failure>) {
        above = (kept, core)
        self.registration = registration.life
    }

    func dispose() {
        lock.lock()
        let above = above
        self.above = nil
        lock.unlock()
        above?.core.remove(registration)
    }
}
