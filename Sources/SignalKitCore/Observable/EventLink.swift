/// A link of a chain of observers. It can be observed, and other links can be derived from it.
///
///     emitter ◄── owns ── link ◄── owns ── last link ◄── owns ── LinkBag
///         core ── events ──► core ── events ──► core ──► handlers
///
/// A link owns its upstream link. An upstream link only refers to the state of a downstream link, until that is
/// unlinked or released. So the last link keeps a chain alive, and its release frees the chain. The emitting code and
/// the downstream links own an emitter. Its signals do not.
///
/// Values that were emitted before the first handler of values are buffered for it. A handler that is registered after
/// the end receives the end. Handlers are called in the order of registration, one event at a time. An event that is
/// emitted inside a handler, or on another thread in the meantime, is delivered afterwards. All methods are safe from
/// any thread. A chain has at most 500 links, and creating the 513th stops the program.
///
/// The error type is a parameter here. `Observer` is the form for Swift errors.
public class EventLink<Value, Failure>: Link, @unchecked Sendable {
    final let core = LinkCore<Value, Failure>()
    /// The number of upstream links. Each adds stack frames to an event and to a release.
    final let depth: Int

    init(depth: Int = 0) {
        precondition(depth <= Depth.most, "a chain has too many links")
        self.depth = depth
        super.init()
    }

    /// Calls `next` with each value, on `queue` and never inline. Without a queue it is called on the emitting thread.
    /// The first handler of values also receives the earlier values.
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

    /// True if its signals keep it alive.
    var isKeptBySignals: Bool { true }

    // MARK: Derived links

    /// Emits `transform(value)` for each value.
    public final func map<R>(_ transform: @escaping (Value) -> R) -> EventLink<R, Failure> {
        derived { value, below in below.send(.Next(transform(value))) }
    }

    /// Emits the values for which `isIncluded` returns true.
    public final func filter(_ isIncluded: @escaping (Value) -> Bool) -> EventLink {
        derived { value, below in if isIncluded(value) { below.send(.Next(value)) } }
    }

    /// Emits `transform(value)` for each value, unless it is nil.
    public final func compactMap<R>(_ transform: @escaping (Value) -> R?) -> EventLink<R, Failure> {
        derived { value, below in if let result = transform(value) { below.send(.Next(result)) } }
    }

    /// Returns a link with the same events that cannot emit. An emitter can publish it.
    public final func observer() -> EventLink {
        derived { value, below in below.send(.Next(value)) }
    }

    final func derived<R>(_ next: @escaping (Value, LinkCore<R, Failure>) -> Void) -> EventLink<R, Failure> {
        let link = EventLink<R, Failure>(depth: depth + 1)
        let below = link.core
        let registration = core.register(
            next: { next($0, below) }, error: { below.send(.Error($0)) }, finish: { below.send(.Completion) })
        link.connect(LinkConnection(self, core, registration))
        return link
    }
}

/// The start of a chain. The emitting code owns it.
public class EventEmitter<Value, Failure>: EventLink<Value, Failure>, @unchecked Sendable {
    /// - Parameter value: emitted immediately. It is buffered for the first handler.
    public init(_ value: Value? = nil) {
        super.init()
        if let value { next(value) }
    }

    deinit {
        core.abandon()
    }

    /// It has no upstream link, and after its release no value is emitted.
    override final var isKeptBySignals: Bool { false }

    /// Emits a value. It is ignored after the end.
    public func next(_ value: Value) { core.send(.Next(value)) }

    /// Ends the chain with an error.
    public func error(_ error: Failure) { core.send(.Error(error)) }

    /// Ends the chain.
    public func finish() { core.send(.Completion) }
}

/// The connection of a link, or a subscription, to its upstream link. It retains the necessary part of that link, and
/// removes its registration when it is released.
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
